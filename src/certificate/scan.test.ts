/** A secret is found in every form in which it occurs in a certificate. */
import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { keyringOf } from '../engine/assemble.ts';
import { profileFrom } from '../profile/parse.ts';
import { keyShapesIn, secretsIn } from './scan.ts';

const key = 'vk_live_C4nary"K3y\\0f+Th1s/Test~42';
const token = 'admin-token-canary-99';
const cookie = 'session-canary-0815';
const profile = profileFrom(
  {
    address: 'http://127.0.0.1:1',
    keys: { main: { value: key, test: true } },
    admin: { token, test: true },
    headers: { 'X-Session': `\${env:COOKIE}` },
  },
  { source: 'a test', env: { COOKIE: cookie }, readFile: () => '' },
);
const keyring = keyringOf(profile);
const body = key.slice('vk_live_'.length);

const hits = (name: string, text: string | Uint8Array) =>
  secretsIn(new Map([[name, Buffer.from(text as string)]]), keyring).map(({ file, line }) =>
    line === undefined ? file : `${file}:${line}`,
  );

describe('finds a key', () => {
  const inLine = (value: unknown): string => `${JSON.stringify({ type: 'header' })}\n${JSON.stringify(value)}\n`;

  test.for<[string, string]>([
    ['plain', `{"x":1} ${key}`],
    ['without its prefix', body],
    ['in JSON', JSON.stringify({ key })],
    ['in JSON in JSON', inLine({ text: JSON.stringify({ key }) })],
    [
      'with every letter escaped',
      inLine({ text: 'x' }).replace('x', [...key].map((c) => `\\u00${c.charCodeAt(0).toString(16)}`).join('')),
    ],
    ['in a URL', encodeURIComponent(body)],
    ['as base64', Buffer.from(`x${key}y`).toString('base64')],
    ['as base64url', Buffer.from(`xy${key}`).toString('base64url')],
    ['as hex', Buffer.from(body).toString('hex')],
    ['as HEX', Buffer.from(body).toString('hex').toUpperCase()],
    ['by its hash', createHash('sha256').update(key).digest('hex')],
    ['by its hash in base64', createHash('sha256').update(key).digest('base64')],
    ['backwards', [...body].reverse().join('')],
    ['by its half', body.slice(0, Math.ceil(body.length / 2))],
    [
      'in a body that is no text',
      inLine({ body: { base64: Buffer.from(`\u0000\u00ff${key}`, 'latin1').toString('base64') } }),
    ],
    ['as the name of a member', inLine({ [key]: 1 })],
  ])('%s', ([, text]) => {
    expect(hits('run-1.jsonl', text)).toHaveLength(1);
  });

  test('in the payload of an envelope', () => {
    const payload = Buffer.from(JSON.stringify({ waivers: [{ reason: `it is ${token}, really` }] })).toString('base64');
    expect(hits('certificate.dsse.json', JSON.stringify({ payload }))).toEqual(['certificate.dsse.json']);
  });
});

test('finds tokens and secret headers too, and says which and where', () => {
  const escaped = [...cookie].map((each) => String.raw`\u00${each.charCodeAt(0).toString(16)}`).join('');
  const text = Buffer.from(`\u0000${token}`).toString('base64');
  const files = new Map([
    ['predicate.json', Buffer.from(`{"a":"${token}"}`)],
    ['run-1.jsonl', Buffer.from(`{}\n{}\n{"x":"${escaped}"}\n`)],
    ['run-2.jsonl', Buffer.from(`{"body":{"base64":"${text}"}}\n`)],
  ]);
  expect(secretsIn(files, keyring)).toEqual([
    { file: 'predicate.json', secret: 'admin-token' },
    { file: 'run-1.jsonl', secret: 'header:X-Session' },
    { file: 'run-2.jsonl', secret: 'base64:admin-token' },
  ]);
});

test('finds nothing where there is nothing, and says what is only shaped like a key', () => {
  const clean = '{"header":"X-API-Key: vk_live_«main»","near":"vk_live_«main:truncated»"}\n';
  expect(hits('run-1.jsonl', clean)).toEqual([]);
  expect(keyShapesIn(new Map([['run-1.jsonl', Buffer.from(clean)]]))).toEqual([]);
  expect(keyShapesIn(new Map([['run-1.jsonl', Buffer.from('vk_test_0123456789abcdef')]]))).toEqual(['run-1.jsonl']);
});
