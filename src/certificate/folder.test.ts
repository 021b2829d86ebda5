/** A folder that is no bundle is refused before anything in it is believed. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { largestBundle, readBundle, writeBundle } from './folder.ts';

let place: string;
let count = 0;

beforeAll(() => {
  place = mkdtempSync(join(tmpdir(), 'touchstone-bundle-'));
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

const written = (): string => {
  count += 1;
  const folder = join(place, `bundle-${count}`);
  writeBundle(
    folder,
    new Map([
      ['certificate.dsse.json', Buffer.from('{}')],
      ['run-1.jsonl', Buffer.from('x')],
    ]),
  );
  return folder;
};

test('what was written is read', () => {
  expect([...readBundle(written())].map(([name, bytes]) => [name, Buffer.from(bytes).toString()])).toEqual([
    ['certificate.dsse.json', '{}'],
    ['run-1.jsonl', 'x'],
  ]);
});

function emptied(folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name));
}

describe('is refused:', () => {
  const refused = (spoil: (folder: string) => void): unknown => {
    const folder = written();
    spoil(folder);
    try {
      readBundle(folder);
    } catch (error) {
      return error;
    }
    return 'it was read';
  };

  test.for<[string, (folder: string) => void, string]>([
    ['a link', (folder) => symlinkSync('/etc/hostname', join(folder, 'more.json')), 'more.json is a link'],
    ['a link to nowhere', (folder) => symlinkSync('/nowhere', join(folder, 'more.json')), 'is a link'],
    ['a link to one of its own', (folder) => symlinkSync('run-1.jsonl', join(folder, 'run-2.jsonl')), 'is a link'],
    ['a folder', (folder) => mkdirSync(join(folder, 'more')), 'more is a folder'],
    ['a pipe', (folder) => execFileSync('mkfifo', [join(folder, 'pipe')]), 'pipe is no plain file'],
    [
      'a name with dots in front',
      (folder) => writeFileSync(join(folder, '..hidden'), ''),
      'does not belong to a certificate',
    ],
    [
      'a name with a backslash',
      (folder) => writeFileSync(join(folder, '..\\run.jsonl'), ''),
      'does not belong to a certificate',
    ],
    ['a name that moves the cursor', (folder) => writeFileSync(join(folder, 'a\u001b[2J'), ''), '"a\\u001b[2J"'],
    [
      'a file of a terabyte',
      (folder) => truncateSync(join(folder, 'run-1.jsonl'), 2 ** 40),
      `larger than ${largestBundle}`,
    ],
    ['nothing', emptied, 'is empty'],
    [
      'hundreds of files',
      (folder) => Array.from({ length: 300 }, (_, at) => writeFileSync(join(folder, `f${at}`), '')),
      'files: it is not a certificate',
    ],
  ])('%s', ([, spoil, says]) => {
    expect(refused(spoil)).toMatchObject({ name: 'BundleError', message: expect.stringContaining(says) });
  });

  test('no folder, and a file', () => {
    const file = join(written(), 'run-1.jsonl');
    expect(() => readBundle(join(place, 'none'))).toThrow('there is no such folder');
    expect(() => readBundle(file)).toThrow('it is a file; a certificate is the folder');
  });
});

test('nothing is written over, and nothing half', () => {
  const folder = written();
  expect(() => writeBundle(folder, new Map())).toThrow('is there already');
  const linked = join(place, 'linked');
  symlinkSync(join(place, 'elsewhere'), linked);
  expect(() => writeBundle(linked, new Map())).toThrow('is there already');
  const broken = join(place, 'broken');
  expect(() => writeBundle(broken, new Map([['a/b', Buffer.from('')]]))).toThrow();
  expect(existsSync(broken) || existsSync(`${broken}.unfinished`)).toBe(false);
  mkdirSync(`${broken}.unfinished`);
  expect(() => writeBundle(broken, new Map())).toThrow('from a time when writing was interrupted');
});

test('two names of one file are two files', () => {
  const folder = written();
  linkSync(join(folder, 'run-1.jsonl'), join(folder, 'run-2.jsonl'));
  expect([...readBundle(folder).keys()]).toHaveLength(3);
});
