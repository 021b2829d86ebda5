/** Run files of before a rename are still read. */
import { readdirSync, readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { readRun } from './read.ts';

const folder = new URL('../../fixtures/archive/set-1/', import.meta.url);

test('what older runs call `mend` is read as `fix`', () => {
  const name = readdirSync(folder).find((each) => each.endsWith('.br'))!;
  const text = brotliDecompressSync(readFileSync(new URL(name, folder))).toString('utf8');
  expect(text).toContain('"mend":');
  const { planned } = readRun(text).header;
  for (const rule of planned) expect(rule.fix).toBeTypeOf('string');
  expect(planned[0]).not.toHaveProperty('mend');
});
