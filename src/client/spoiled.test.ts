import { expect, it } from 'vitest';
import type { Trial } from '../model/client.ts';
import type { Exchange } from '../model/exchange.ts';
import { isSpoiled } from './spoiled.ts';

const call = (id: number, status: number, tookMs: number): Exchange =>
  ({ id, at: { sent: 0, end: tookMs }, response: { status } }) as unknown as Exchange;

const spoiled = (ended: Partial<Trial['ended']>, ...calls: readonly Exchange[]): boolean =>
  isSpoiled(
    { ended: { outcome: 'complete', ...ended }, exchanges: calls.map(({ id }) => id) } as unknown as Trial,
    new Map(calls.map((each) => [each.id, each])),
  );

it.each([
  ['it called again while the machine stood still', { stalledMs: 900 }, [call(1, 429, 5), call(2, 200, 5)], true],
  ['it called again on a calm machine', { stalledMs: 90 }, [call(1, 429, 5), call(2, 200, 5)], false],
  ['it called once', { stalledMs: 900 }, [call(1, 200, 5)], false],
  ['it failed after an answer of success', { stalledMs: 900, outcome: 'failed' }, [call(1, 200, 5)], true],
  ['it failed after a refusal', { stalledMs: 900, outcome: 'failed' }, [call(1, 422, 5)], false],
  ['it was answered late', { stalledMs: 2100 }, [call(1, 200, 4100)], true],
  ['it was answered late on a machine that was little busy', { stalledMs: 1900 }, [call(1, 200, 4100)], false],
] as const)('%s', (_, ended, calls, isSo) => {
  expect(spoiled(ended, ...calls)).toBe(isSo);
});
