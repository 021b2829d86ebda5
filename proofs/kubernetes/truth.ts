/** What files of samples say, read by other means than the program's own. */
import { readFileSync } from 'node:fs';
import { type Phase, warmUpSlots } from '../../load/shared/phases.ts';
import type { Latencies } from '../../src/model/measurement.ts';
import { Histogram } from '../../src/statistics/histogram.ts';

interface Row {
  readonly slot: number;
  readonly began: number;
  readonly took: number;
}

const rowsOf = (file: string, { slotsWithin }: Phase): Row[] =>
  readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('~0 0 '))
    .map((line) => line.split(' ').map(Number))
    .map(([, , slot, began, took]) => ({ slot: slot!, began: began!, took: took! }))
    .filter(({ slot }) => slot < slotsWithin());

export const slotsOfFile = (file: string, phase: Phase): number[] =>
  rowsOf(file, phase)
    .map(({ slot }) => slot)
    .sort((a, b) => a - b);

/** Every request's latency from its intended start, of all files in one histogram. */
export function unionOf(
  files: readonly string[],
  phase: Phase,
): { readonly latencies: Latencies; readonly lag: Latencies } {
  const [latencies, lag] = [Histogram.empty(), Histogram.empty()];
  for (const file of files) {
    const rows = rowsOf(file, phase);
    const late = ({ slot, began }: Row): number => began - phase.slotAt(slot);
    // Nobody begins before the intended moment: the earliest shows where the schedule lies on the generator's clock. Found
    // among those that came in before a second was over, as the program does it, which cannot wait for the whole.
    const second = rows.findIndex((row, at) => row.began - Math.min(...rows.slice(0, at + 1).map(late)) > 1000);
    const base = Math.min(...rows.slice(0, second < 0 ? rows.length : second + 1).map(late));
    for (const row of rows.filter(({ slot }) => slot >= warmUpSlots(phase))) {
      const behind = Math.max(0, late(row) - base);
      latencies.add(1000 * (behind + row.took));
      lag.add(1000 * behind);
    }
  }
  return { latencies: latencies.toLatencies(), lag: lag.toLatencies() };
}
