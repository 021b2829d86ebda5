import { expect, test } from 'vitest';
import { certificateWords, problemWords, type SignedClaims } from './certificate.ts';
import { hostile } from './testing.ts';

const level = { clauses: 59, testable: 47, exercised: 40 };
const statement: SignedClaims = {
  subject: { name: 'acme', version: '1.4.2', sha256: 'ab'.repeat(32), digestOf: 'name-and-version' },
  level: 'core',
  issued: '2026-11-21T12:00:00.000Z',
  suite: { touchstone: '0.1.0', rules: '1', specification: 'cd'.repeat(32) },
  runs: [
    {
      file: 'run-1.jsonl',
      target: `http://127.0.0.1:1${hostile}`,
      depth: 'standard',
      started: '2026-11-21T11:00:00.000Z',
      ended: '2026-11-21T11:00:05.000Z',
      exchanges: 5181,
    },
  ],
  coverage: { required: level, expected: level, observed: level },
  verdicts: [
    { rule: 'verify.valid-key', level: 'required', verdict: 'fail' },
    { rule: 'verify.tiers-differ', level: 'required', verdict: 'untested', leftOut: 3 },
  ],
  waivers: [
    { rule: 'verify.valid-key', verdict: 'fail', reason: `known ${hostile}`, owner: 'me', expires: '2027-01-31' },
  ],
  observed: [],
  limits: [],
  measurements: [],
  files: [{}, {}],
};
const checked = { statement, keyid: 'ef'.repeat(32), trusted: false, today: '2026-11-21' };
const flat = (text: string): string => text.replaceAll(/\s+/g, ' ');

test('what is claimed and what is not, in plain words', () => {
  const text = flat(certificateWords(checked));
  for (const part of [
    'acme@1.4.2 · level core',
    'Only the holder of the key in the folder claims that acme was running at that address on that day, that there was no proxy in between, and that the exchanges are real and not the best of many runs.',
    'Anybody can make such a key',
    'derived again from 5,181 recorded exchanges',
    'Self-signed: it proves who signed (to somebody who knows the key), not that the service was that build.',
    'No build is named',
    '7 required clauses that could be tested from outside were not.',
    'Not judged: verify.tiers-differ.',
    '3 contexts of the depth that is stated were skipped',
    'WAIVED verify.valid-key (fail), by me until 2027-01-31: known',
    'It says nothing about rate limits.',
    'required 59 47 40',
    'VERIFIED: nothing was altered, and every verdict follows from the recorded exchanges',
  ])
    expect(text).toContain(part);
});

test('with a key that is trusted, a build, limits and measurements', () => {
  const more = {
    ...statement,
    limits: [1],
    measurements: [1, 2],
    subject: { ...statement.subject, digestOf: 'build' },
  };
  const text = flat(certificateWords({ ...checked, statement: more, trusted: true, today: '2027-02-01' }));
  expect(text).toContain('the Ed25519 key that you passed');
  expect(text).toContain('The build with the SHA-256 abab');
  expect(text).toContain('1 limit as found');
  expect(text).toContain('Waivers that have expired since: verify.valid-key.');
  expect(text).not.toContain('It says nothing about');
});

test('what was not derived is not called verified', () => {
  const text = certificateWords({ ...checked, underived: 'rules of version 2' });
  expect(text).toContain('SIGNATURE AND FILES VERIFIED, VERDICTS NOT');
  expect(text).not.toMatch(/^VERIFIED/m);
});

test('nothing that somebody signed moves the cursor', () => {
  expect(certificateWords(checked)).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  const said = problemWords(
    `x${hostile}`,
    Array.from({ length: 50 }, () => hostile),
  );
  expect(said).not.toMatch(/(?!\n)[\p{Cc}\p{Cf}]/u);
  expect(said).toContain('and 10 more');
  expect(said).toContain('NOT VERIFIED');
});
