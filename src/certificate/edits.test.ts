/** No edit of any byte of any file of a bundle goes unseen. */
import { beforeAll, expect, test } from 'vitest';
import { seeded } from '../random.ts';
import { envelopeName, predicateName, publicKeyName } from './bundle.ts';
import { bundle, knowledge, recorded } from './testing.ts';
import { verifyBundle } from './verify.ts';

const seed = 20_261_121;
/** Of each file: its regions in turn, one place in each. */
const regions = 300;

let files: Map<string, Buffer>;

beforeAll(async () => {
  const made = bundle([await recorded({ depth: 'standard' })]);
  files = new Map([...made.files].map(([name, bytes]) => [name, Buffer.from(bytes)]));
});

test('the bundle verifies as it is', () => {
  expect(verifyBundle(files, knowledge)).toMatchObject({ problems: [] });
  expect([...files.keys()]).toEqual([envelopeName, predicateName, publicKeyName, 'run-1.jsonl']);
});

test('1,200 seeded edits of bytes over all files: none verifies', () => {
  const random = seeded(seed);
  const unseen: string[] = [];
  let edits = 0;
  for (const [name, bytes] of files) {
    for (let region = 0; region < regions; region += 1) {
      const at = Math.min(bytes.length - 1, Math.floor(((region + random()) * bytes.length) / regions));
      const before = bytes[at]!;
      // Never the same byte; every other one can be met.
      bytes[at] = (before + 1 + Math.floor(random() * 255)) % 256;
      if (verifyBundle(files, knowledge).problems.length === 0) unseen.push(`${name} byte ${at}`);
      bytes[at] = before;
      edits += 1;
    }
  }
  expect(unseen).toEqual([]);
  expect(edits).toBe(4 * regions);
});

test('single bits, letters in another case, spaces: none verifies', () => {
  const random = seeded(seed + 1);
  const unseen: string[] = [];
  for (const [name, bytes] of files) {
    for (let time = 0; time < 60; time += 1) {
      const at = Math.floor(random() * bytes.length);
      const before = bytes[at]!;
      bytes[at] = before ^ (time % 2 === 0 ? 1 << Math.floor(random() * 8) : 0x20);
      if (verifyBundle(files, knowledge).problems.length === 0) unseen.push(`${name} byte ${at}`);
      bytes[at] = before;
    }
  }
  expect(unseen).toEqual([]);
});

test('bytes put in, taken out, put twice or changed in their order: none verifies', () => {
  const random = seeded(seed + 2);
  const changes: ((bytes: Buffer, at: number) => Buffer)[] = [
    (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from(' '), bytes.subarray(at)]),
    (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from('\n')]),
    (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
    (bytes, at) => bytes.subarray(0, at),
    (bytes) => Buffer.concat([bytes, bytes]),
    (bytes) => Buffer.concat([bytes, Buffer.from('\n')]),
    (bytes) => Buffer.concat([Buffer.from('\ufeff', 'utf8'), bytes]),
    (bytes) => Buffer.from(bytes).reverse(),
    () => Buffer.alloc(0),
  ];
  const unseen: string[] = [];
  for (const [name, bytes] of files) {
    for (const [index, change] of changes.entries()) {
      for (let time = 0; time < 4; time += 1) {
        const altered = new Map(files).set(name, change(bytes, Math.floor(random() * (bytes.length - 1))));
        if (verifyBundle(altered, knowledge).problems.length === 0) unseen.push(`${name}, change ${index}`);
      }
    }
  }
  expect(unseen).toEqual([]);
});

test('files missing, added, or exchanged: none verifies', () => {
  for (const name of files.keys()) {
    const without = new Map(files);
    without.delete(name);
    expect(verifyBundle(without, knowledge).problems, `without ${name}`).not.toEqual([]);
  }
  const more = new Map(files).set('notes.txt', Buffer.from('by the way'));
  expect(verifyBundle(more, knowledge).problems).toEqual(['notes.txt is not listed in the statement']);
  const exchanged = new Map(files)
    .set(predicateName, files.get('run-1.jsonl')!)
    .set('run-1.jsonl', files.get(predicateName)!);
  expect(verifyBundle(exchanged, knowledge).problems).toHaveLength(2);
});
