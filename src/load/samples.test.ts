import { expect, test } from 'vitest';
import { type Sample, SampleReader } from './samples.ts';

const read = (...pieces: readonly string[]) => {
  const samples: Sample[] = [];
  const reader = new SampleReader((sample) => samples.push(sample));
  for (const piece of pieces) reader.take(Buffer.from(piece));
  reader.end();
  return { samples, notes: reader.notes };
};

test('one line is one request, for any split into chunks', () => {
  const text =
    '~0 0 17 340.125 1.500 200 +\n~1 2 3 -0.400 12 429\n~0 0 18 360 5000.1 0 e1050\n~0 0 19 380 1 200 !items of another request\n';
  const { samples, notes } = read(text);
  expect(samples).toEqual([
    { phase: 0, operation: 0, slot: 17, beganMs: 340.125, tookMs: 1.5, status: 200, checked: true },
    { phase: 1, operation: 2, slot: 3, beganMs: -0.4, tookMs: 12, status: 429, checked: false },
    { phase: 0, operation: 0, slot: 18, beganMs: 360, tookMs: 5000.1, status: 0, failure: '1050', checked: false },
    {
      phase: 0,
      operation: 0,
      slot: 19,
      beganMs: 380,
      tookMs: 1,
      status: 200,
      checked: true,
      wrong: 'items of another request',
    },
  ]);
  expect(notes).toEqual([]);
  for (let at = 1; at < text.length; at += 7) expect(read(text.slice(0, at), text.slice(at)).samples).toEqual(samples);
});

test('what else k6 says is kept, bounded, and said once', () => {
  const { samples, notes } = read(
    'Request Failed\nRequest Failed\n\nGoError: x\nGoError: x\n',
    'y'.repeat(5000),
    '\n~not a sample\n',
  );
  expect(samples).toEqual([]);
  expect(notes).toEqual(['GoError: x', 'y'.repeat(400), '~not a sample']);
  expect(read(Array.from({ length: 100 }, (_, at) => `line ${at}\n`).join('')).notes).toHaveLength(40);
});

test('the last line counts even where it has no end', () => {
  expect(read('~0 0 1 2 3 200').samples).toHaveLength(1);
});
