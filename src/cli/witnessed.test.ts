/** From a verifier's challenge to a witnessed certificate, as docs/certificates.md shows it. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Serving, seedsOf, serve } from '../../fixtures/service/index.ts';
import { matrixKeys } from '../../proofs/matrix/try-on.ts';
import { place } from './testing.ts';

const { file, folder, touchstone } = place();
const build = {
  GITHUB_ACTIONS: 'true',
  GITHUB_SERVER_URL: 'https://forge.example',
  GITHUB_REPOSITORY: 'acme/runner',
  GITHUB_WORKFLOW_REF: 'acme/runner/.github/workflows/gate.yml@refs/heads/main',
  GITHUB_RUN_ID: '77',
  GITHUB_RUN_ATTEMPT: '1',
  GITHUB_SHA: 'c0ffee',
  GITHUB_REF: 'refs/heads/main',
};
const env = { API_KEY: matrixKeys.entitled.key };
const quick = ['check', '--quiet', '--challenge', 'challenge.json'];

/** A whole check and eleven more commands, on a machine that may be busy. */
const patience = { timeout: 300_000 };

let served: Serving;

beforeAll(async () => {
  served = await serve({ host: '127.0.0.1', port: 0, keys: seedsOf(matrixKeys), upstreamTimeoutMs: 300 });
  file(
    'touchstone.yaml',
    `address: ${served.url}\nkeys:\n  main: { value: "\${env:API_KEY}" }\nactors:\n  echo: { name: message-relay, input: { message: "{{nonce}}" } }\n`,
  );
  for (const name of ['acme', 'verifier', 'other']) await touchstone(['certificate', 'new-key', '--output', name]);
});

afterAll(() => served.close());

test('a run with a challenge, certified and verified by the one who gave it', patience, async () => {
  const given = await touchstone(['certificate', 'challenge', served.url, '--key', 'verifier.key.pem']);
  expect(given).toMatchObject({ code: 0, out: expect.stringContaining(`for runs of ${served.url}`) });
  const short = await touchstone([...quick, '--only', 'verify.valid-key', '-o', 'tried'], { env });
  expect(short).toMatchObject({ code: 0 });
  expect(await touchstone(quick, { env })).toMatchObject({ code: 0 });
  const args = ['certify', 'touchstone-report/run.jsonl', '--key', 'acme.key.pem', '--subject', 'acme@1'];
  const made = await touchstone([...args, '--witness', 'challenge.json', '--pipeline'], { env: { ...env, ...build } });
  expect(made).toMatchObject({ code: 0, err: '' });
  const verify = ['certificate', 'verify', 'touchstone-certificate'];
  const good = await touchstone([...verify, '--witness-key', 'verifier.pub.pem']);
  const plain = good.out.replaceAll(/\s+/g, ' ');
  expect(plain).toContain('by the witness key that you passed');
  expect(plain).toMatch(
    /has 2 runs started with this challenge: run 1 of .* ended as conforms; run 2 of .* certified\)/,
  );
  expect(plain).toContain('https://forge.example/acme/runner at c0ffee');
  expect(plain.indexOf('The build that signed is claimed too')).toBeLessThan(plain.indexOf('Checked'));
  expect(good.code).toBe(0);
  const repository = ['--repository', 'https://forge.example/acme/runner'];
  expect(await touchstone([...verify, ...repository])).toMatchObject({ code: 0 });
  expect(await touchstone([...verify, '--repository', 'https://forge.example/acme/other'])).toMatchObject({ code: 1 });
  expect(await touchstone([...verify, '--witness-key', 'other.pub.pem'])).toMatchObject({ code: 1 });
});

test('what cannot be run with a challenge is refused before the first request', patience, async () => {
  await touchstone(['certificate', 'challenge', 'http://127.0.0.1:1', '--key', 'verifier.key.pem', '-o', 'else.json']);
  const elsewhere = await touchstone(['check', '--challenge', 'else.json', '-o', 'a'], { env });
  expect(elsewhere).toMatchObject({ code: 2, err: expect.stringContaining('the challenge is for http://127.0.0.1:1') });
  const short = [
    'certificate',
    'challenge',
    served.url,
    '--key',
    'verifier.key.pem',
    '--valid',
    '1ms',
    '-o',
    'old.json',
  ];
  expect(await touchstone(short)).toMatchObject({ code: 0 });
  expect(await touchstone(short)).toMatchObject({ code: 2, err: expect.stringContaining('already exists') });
  const late = await touchstone(['check', '--challenge', 'old.json', '-o', 'b'], { env });
  expect(late).toMatchObject({ code: 2, err: expect.stringContaining('the challenge expired at') });
  const seeded = await touchstone(['check', '--challenge', 'else.json', '--seed', '3', '-o', 'c'], { env });
  expect(seeded).toMatchObject({ code: 2, err: expect.stringContaining('exclude each other') });
  const text = readFileSync(join(folder, 'else.json'), 'utf8');
  writeFileSync(join(folder, 'bad.json'), text.replace('"payload"', '"Payload"'));
  const bad = await touchstone(['check', '--challenge', 'bad.json', '-o', 'd'], { env });
  expect(bad).toMatchObject({ code: 2, err: expect.stringContaining('is not a challenge') });
});

test('outside of a pipeline, no build is named', patience, async () => {
  const args = ['certify', 'touchstone-report/run.jsonl', '--key', 'acme.key.pem', '--subject', 'acme@1', '-o', 'x'];
  const made = await touchstone([...args, '--pipeline'], { env });
  expect(made).toMatchObject({ code: 2, err: expect.stringContaining('this is no build of GitHub Actions or GitLab') });
});
