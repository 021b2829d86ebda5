import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import type { RecordedRequest } from '../src/vocabulary.ts';
import { replay, variableFor } from './curl.ts';
import { exchange, hostile } from './testing.ts';

const target = 'http://127.0.0.1:8080/base';
const asking = (request: Partial<RecordedRequest>) => {
  const one = exchange(1);
  return replay({ ...one, request: { ...one.request, ...request } }, target);
};

/** What a shell makes of the line: the arguments that curl would get. */
function argumentsOf(command: string): string[] {
  const script = `curl() { for each in "$@"; do printf '%s\\0' "$each"; done; }\n${command}`;
  const env = {
    PATH: process.env.PATH ?? '',
    TOUCHSTONE_KEY_MAIN: 'the main key',
    TOUCHSTONE_KEY_MAIN_TRUNCATED: 'short',
  };
  return execFileSync('bash', ['--norc', '-c', script], { env, encoding: 'utf8' }).split('\0').slice(0, -1);
}

test('a line that people can read, with secrets from the environment', () => {
  const { command, notes } = replay(exchange(1), target);
  expect(command).toContain('-H "X-API-Key: $TOUCHSTONE_KEY_MAIN_TRUNCATED"');
  expect(notes).toEqual(['TOUCHSTONE_KEY_MAIN_TRUNCATED is the secret `main` of the profile, modified: truncated']);
  const words = argumentsOf(command);
  expect(words).toContain('X-API-Key: short');
  expect(words).toContain(`{"text":"it's $1"}`);
  expect(words).toContain('http://127.0.0.1:8080/base/v1/actors/echo/run-sync-get-dataset-items');
  expect(words).not.toContain('Content-Length: 17');
});

test('nothing breaks out of its quotes, and nothing is seen that is not there', () => {
  const text = `${hostile.replace('\0', '')}'"\\!«main»\u0007${'\u{1f600}'}`;
  const { command } = asking({ body: { text, bytes: 9 }, target: "/v1/x'; rm -rf ~ #\u001b" });
  expect(command).not.toMatch(/[\p{Cc}\p{Cf}]/u);
  const words = argumentsOf(command);
  expect(words).toContain(text.replace('«main»', 'the main key'));
  expect(words).toContain("http://127.0.0.1:8080/v1/x'; rm -rf ~ #\u001b");
});

test('what curl would do by itself is said otherwise', () => {
  expect(asking({ headers: [['X-API-Key', ' ']] }).command).toContain(`-H 'X-API-Key;' -H Content-Type:`);
  const { body: _, ...bodiless } = exchange(1).request;
  expect(replay({ ...exchange(1), request: { ...bodiless, method: 'HEAD' } }, target).command).toContain(
    'curl -sS -I ',
  );
});

test('bodies that no argument can carry', () => {
  const { command } = asking({ body: { text: 'a\0b', bytes: 3 } });
  expect(command).toBe(`printf %s YQBi | base64 -d | ${command.slice(command.indexOf('curl'))}`);
  expect(command).toContain('--data-binary @-');
  const long = asking({ body: { text: 'x'.repeat(9000), bytes: 9000 } });
  expect(long.command.length).toBeLessThan(600);
  expect(long.notes.at(-1)).toContain('see exchange 1 in the run file');
});

test('names of variables', () => {
  expect(variableFor('main', true)).toBe('TOUCHSTONE_KEY_MAIN');
  expect(variableFor('admin-token', false)).toBe('TOUCHSTONE_ADMIN_TOKEN');
  expect(variableFor('übung 2', true)).toBe('TOUCHSTONE_KEY_U_BUNG_2');
  expect(variableFor('«»', true)).toBe('TOUCHSTONE_KEY_SECRET');
});
