/** What an answer gives away, next to what sentences for people look like. */
import { describe, expect, test } from 'vitest';
import { answerText, formsOf, isPlaintextForm, showsPlaintext } from '../../src/vocabulary.ts';
import { echoesIn } from '../language/echoes.ts';
import { internalsIn } from '../language/internals.ts';
import { faultOfSchema } from '../language/json-schema.ts';
import { made, ran } from '../language/testing.ts';

const failing = (detail: string, more = {}) => made({ status: 500, answer: { error: 'internal', detail }, ...more });

describe('the inside of a service', () => {
  test.each([
    'Error: x\n    at run (/srv/app/actors/run.js:10:5)\n    at async handle (file:///srv/app/main.js:3:1)',
    'boom at /srv/app/dist/main.mjs:10:5',
    'Traceback (most recent call last):\n  File "/app/main.py", line 3, in run',
    'panic: runtime error: index out of range\n\ngoroutine 1 [running]:',
    "thread 'main' panicked at src/main.rs:4:5",
    'at com.example.Runner.run(Runner.java:12)',
    'java.lang.NullPointerException',
    'SqliteError: SQLITE_CONSTRAINT: UNIQUE constraint failed: keys.hash',
    'SELECT id, tier FROM keys WHERE hash = ?',
    'ERROR: syntax error at or near "FROM"',
    'cannot open /var/lib/service/keys.db',
    'see /usr/local/lib/node/index',
    "Cannot find module '/app/actors/news.js'",
    'node_modules/express/lib/router',
    'C:\\service\\bin\\run.exe failed',
  ])('%j shows it', (detail) => expect(internalsIn(failing(detail))).not.toEqual([]));

  test.each([
    'Something failed at our end. Try again in a minute.',
    'An error occurred in the actor: select another source or update the input.',
    'The actor text-digest at version 1.2.3 failed: see https://example.com/usr/local/help.html',
    'No actor "app/main" at 10:30:15, on line 3 of the input.',
    'The source http://api.example.pl:8080/feed was too slow (504) at 12:30.',
    "must have required property 'city' at /filters/country/0",
    'GET /v1/actors/x is not served; try /v1/auth/verify.',
    'Exception: the plan does not cover this.',
    'Select one of: from, to, set.',
    'input/tags/0 must match pattern "^[a-z]+$"',
  ])('%j does not', (detail) => expect(internalsIn(failing(detail))).toEqual([]));

  test('what the client said may be repeated to it', () => {
    const path = '/etc/ssl/passwd';
    expect(internalsIn(failing(`no ${path}`))).not.toEqual([]);
    expect(internalsIn(failing(`no ${path}`, { target: '/v1/actors/x%2F..%2Fetc%2Fssl%2Fpasswd' }))).toEqual([]);
    expect(internalsIn(failing(`no ${path}`, { body: JSON.stringify({ file: path }) }))).toEqual([]);
  });
});

describe('secrets that come back', () => {
  const sent = [['X-API-Key', 'vk_live_«main»']] as const;
  test.each([
    ['the key itself', 'no key vk_live_«main»'],
    ['its body', 'no key «main»'],
    ['a near miss', 'no key vk_live_«main:truncated»'],
    ['base64 of it', 'key «base64:main»'],
    ['the admin token', '«admin-token» is right'],
    ['half of a key', 'a key like «part:main»'],
    ['a created key', '«created-1»'],
  ])('%s', (_, detail) => expect(echoesIn(failing(detail, { sent })).length).toBe(1));
  test.each([
    ['a hash', '«sha256:main» «sha256-base64:main» «sha256-raw:main»'],
    ['the identifier of a record', '«created-1:id»'],
    ['words in guillemets', 'dijo «hola» y « adiós »'],
  ])('%s is no echo', (_, detail) => expect(echoesIn(failing(detail, { sent }))).toEqual([]));
  test("the items of a run are anybody's text, but for a whole key", () => {
    const items = (text: string) => ran(200, { items: [text], status: 'DONE' }, { sent });
    expect(echoesIn(items('«main» «a:b»'))).toEqual([]);
    expect(echoesIn(items('the key vk_live_«main»'))).toEqual(['vk_live_«main»']);
  });
  test('headers count', () => {
    expect(echoesIn(made({ status: 200, headers: [['X-Key', 'vk_test_«other»']] }))).toEqual(['vk_test_«other»']);
  });
});

test('the forms of a key in a text, also where the text is read as latin1', () => {
  const store = Buffer.from('{"hash":"«sha256:created-1»","id":"«created-1:id»"}').toString('latin1');
  expect(formsOf(store, 'created-1')).toEqual(['sha256']);
  expect(formsOf('«created-1» «base64:created-1» «created-10»', 'created-1')).toEqual(['', 'base64']);
  expect(['', 'base64', 'hex', 'reversed'].every(isPlaintextForm)).toBe(true);
  expect(['sha256', 'sha256-raw', 'part'].some(isPlaintextForm)).toBe(false);
  const listed = made({ status: 200, answer: [{ preview: '«part:created-1»', hash: '«sha256:created-1»' }] });
  expect(showsPlaintext(answerText(listed), 'created-1')).toBe(false);
});

describe('a JSON Schema', () => {
  test.each([
    [true],
    [{}],
    [{ type: ['string', 'null'], pattern: '^[(]\\)(a|b)$' }],
    [{ properties: { type: { enum: [1] }, required: { type: 'boolean' } }, required: ['type'] }],
    [{ minimum: 1, exclusiveMinimum: true, 'x-note': 3, items: [{ type: 'string' }] }],
    [{ $defs: { 'a b': {} }, $ref: '#/$defs/a%20b' }],
    [{ properties: { $ref: { type: 'string' }, sub: { $id: 'urn:sub', $ref: '#/nowhere' } } }],
    [{ enum: [{ $ref: '#/nowhere' }], $ref: 'https://elsewhere.example/schema' }],
  ])('%j is one', (schema) => expect(faultOfSchema(schema)).toBeUndefined());
  test.each([
    [null],
    ['text'],
    [{ type: 'text' }],
    [{ properties: [] }],
    [{ required: 'city' }],
    [{ properties: { city: { required: true } } }],
    [{ allOf: [] }],
    [{ maxLength: -1 }],
    [{ pattern: '(' }],
    [{ enum: 'a' }],
    [{ items: { $ref: '#/$defs/nowhere' } }],
    [{ $schema: 'http://json-schema.org/draft-07/schema#', exclusiveMaximum: true }],
  ])('%j is no schema', (schema) => expect(faultOfSchema(schema)).toBeTypeOf('string'));
  test('may refer to what stands elsewhere in the answer, as documents of OpenAPI do', () => {
    const schema = { $ref: '#/components/schemas/Input' };
    expect(faultOfSchema(schema, { components: { schemas: { Input: {} } }, schema })).toBeUndefined();
    expect(faultOfSchema(schema, { components: {}, schema })).toContain('leads nowhere');
  });
});
