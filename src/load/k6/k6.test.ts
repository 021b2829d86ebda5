import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { cachedK6 } from './cache.ts';
import { failureOf } from './ending.ts';
import { candidates, findK6 } from './find.ts';
import { argumentsOf } from './start.ts';
import { fitnessOf, versionIn } from './version.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-k6-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A program that says it is k6. */
function fake(path: string, says: string): string {
  const full = join(folder, path);
  mkdirSync(dirname(full), { recursive: true });
  writeFileSync(full, `#!/bin/sh\n${says}\n`);
  chmodSync(full, 0o755);
  return full;
}

const v2 = `echo '{"commit":"devel","version":"v2.2.0"}'`;
const v1 = `[ "$2" = --json ] && exit 1; echo 'k6 v1.4.0 (go1.25, linux/amd64)'`;

test.each([
  ['{"commit":"x","version":"v2.2.0"}', '2.2.0', { usable: true }],
  [
    'k6 v1.4.0 (commit/devel, go1.24.0, linux/amd64)',
    '1.4.0',
    { usable: true, warning: expect.stringContaining('older') },
  ],
  ['{"version":"v3.0.0"}', '3.0.0', { usable: false, why: 'its version is 3.0.0, and 2.x is needed' }],
  ['k6 v0.49.0', '0.49.0', { usable: false, why: 'its version is 0.49.0, and 2.x is needed' }],
  ['hello', undefined, { usable: false, why: 'it does not say that it is k6' }],
])('%s', (output, text, fitness) => {
  expect(versionIn(output)?.text).toBe(text);
  expect(fitnessOf(versionIn(output))).toEqual(fitness);
});

describe('where k6 is', () => {
  const around = (more: Record<string, string>, named?: string) => ({
    env: { XDG_CACHE_HOME: join(folder, 'no-cache'), ...more },
    home: folder,
    ...(named === undefined ? {} : { named }),
  });

  test('what is named goes before everything, and nothing else is looked at then', async () => {
    const good = fake('good/k6', v2);
    const path = dirname(fake('path/k6', v2));
    expect(await findK6(around({ PATH: path }, good))).toEqual({ path: good, version: '2.2.0', major: 2 });
    expect(await candidates(around({ PATH: path }, join(folder, 'none')))).toEqual([
      { from: '--k6', path: join(folder, 'none'), wrong: 'there is no such program' },
    ]);
    expect(await findK6(around({ PATH: path, TOUCHSTONE_K6: good }))).toMatchObject({ path: good });
    expect(await findK6(around({ PATH: path }))).toMatchObject({ path: join(path, 'k6') });
  });

  test('what is of no use on PATH is passed over for what was built here', async () => {
    const path = dirname(fake('old/k6', `echo 'k6 v0.49.0'`));
    const here = around({ PATH: path, XDG_CACHE_HOME: join(folder, 'cache') });
    const cached = fake(cachedK6(here).slice(folder.length + 1), v2);
    expect((await candidates(here)).map(({ from, wrong }) => [from, wrong === undefined])).toEqual([
      ['PATH', false],
      ['cache', true],
    ]);
    expect(await findK6(here)).toMatchObject({ path: cached });
  });

  test('1.x is used, with a warning; what crashes is not', async () => {
    expect(await findK6(around({}, fake('one/k6', v1)))).toMatchObject({
      version: '1.4.0',
      major: 1,
      warning: expect.any(String),
    });
    expect(await findK6(around({}, fake('bad/k6', 'exit 3')))).toBeUndefined();
    expect(await findK6(around({}))).toBeUndefined();
  });
});

test('each exit code has its own meaning, with the last line of k6', () => {
  const says = (code: number | null, signal: string | null = null) => failureOf({ code, signal }, ['first', 'last']);
  expect(says(0)).toBeUndefined();
  const codes = [99, 104, 105, 107, 108, 109, 110, 255, 42];
  const texts = codes.map((code) => says(code));
  expect(new Set(texts).size).toBe(codes.length);
  expect(says(107)).toBe('the script failed: last');
  expect(says(null, 'SIGKILL')).toBe('k6 was ended by SIGKILL');
});

test('parts share the slots by segment and sequence, wait to be started, and get no secrets', () => {
  const all = argumentsOf('x.ts', { number: 1, of: 3, port: 6565 }, 2, '127.0.0.2-127.0.0.9');
  expect(all).toContain('--execution-segment=1/3:2/3');
  expect(all).toContain('--execution-segment-sequence=0,1/3,2/3,1');
  expect(all).toEqual(
    expect.arrayContaining(['--paused', '--address=127.0.0.1:6565', '--local-ips=127.0.0.2-127.0.0.9']),
  );
  const single = argumentsOf('x.ts', { number: 0, of: 1 }, 1, undefined);
  expect(single.filter((each) => /segment|paused|address|ips/.test(each))).toEqual([]);
  expect(single).toContain('--no-summary');
});
