/** A lost answer is never a failure; `node proofs/loss/main.ts` tries more of it. */
import { expect, test } from 'vitest';
import type { FailureKind } from '../../src/model/exchange.ts';
import { seeded } from '../../src/random.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { tryOn } from '../matrix/try-on.ts';
import { lossy } from './lossy-wire.ts';
import { falselyAccused } from './simulation.ts';

const rules = { rules: catalogue, version: rulesVersion, specification: 'loss' };

test('chance accuses at most one run in ten thousand, where one answer in ten is lost', () => {
  expect(falselyAccused(10_000, 1000, 0.1, 1)).toBeLessThanOrEqual(1);
  // The simulation can accuse: where most answers are lost, it does.
  expect(falselyAccused(20, 1000, 0.9, 1)).toBeGreaterThan(10);
});

test.each<[number, FailureKind]>([
  [0.02, 'too-slow'],
  [0.05, 'closed-before-head'],
  [0.1, 'reset-before-head'],
])('a lawful service that loses %d of its answers (%s) is not accused', async (share, kind) => {
  const random = seeded(9);
  const run = await tryOn(
    rules,
    { name: 'reference', overlays: [] },
    { depth: 'quick', seed: 9, wire: (transport) => lossy(transport, share, kind, random) },
  );
  const accused = run.findings.filter(({ verdict }) => verdict === 'fail' || verdict === 'warn');
  expect(accused.map(({ rule, reasons }) => `${rule}: ${reasons[0]?.came}`)).toEqual([]);
});
