/** A key in a file is found where a client may leave it, and nowhere else. */
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { filesWithKey, withoutNames } from './left-files.ts';

let folder: string;
const since = Date.now();

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'touchstone-left-'));
  mkdirSync(join(folder, 'own'));
  mkdirSync(join(folder, 'temporary', 'below'), { recursive: true });
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (path: string, text: string): string => {
  const file = join(folder, path);
  writeFileSync(file, text);
  return file;
};

const found = (...but: string[]): number =>
  filesWithKey((text) => text.includes('the-key'), join(folder, 'temporary'), join(folder, 'own'), { since, but });

test('in a log beside the client, and in a folder for temporary files', () => {
  expect(found()).toBe(0);
  write('own/client.log', `${'x'.repeat(2_000_000)} the-key`);
  write('temporary/below/cache', 'the-key');
  write('temporary/harmless', 'nothing');
  expect(found()).toBe(2);
});

test('not in a file of before, nor in one that it was given', () => {
  const old = write('own/settings', 'the-key');
  utimesSync(old, new Date(since - 60_000), new Date(since - 60_000));
  const given = write('temporary/key', 'the-key');
  expect(found(given)).toBe(0);
});

test('a name that a report writes instead of a key is none', () => {
  const latin1 = (text: string): string => Buffer.from(text).toString('latin1');
  expect(withoutNames(latin1('X-API-Key: vk_live_«key»'))).toBe(latin1('X-API-Key: vk_live_key»'));
});
