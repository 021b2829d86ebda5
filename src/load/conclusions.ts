/** What a scenario found, in plain sentences; from a valid measurement only. */
import type { MeasuredGroup, MeasuredSecond } from '../model/measurement.ts';
import { inMs, percentileOf } from '../statistics/figures.ts';
import { Histogram } from '../statistics/histogram.ts';
import { soakConclusions } from './soak/words.ts';
import type { DeclaredLimits, Unjudged } from './validity.ts';

export function conclusionsOf(measured: Unjudged, limits: DeclaredLimits): readonly string[] {
  switch (measured.scenario) {
    case 'limits':
      return measured.groups.map((group) => admittedIn(group, measured.plan, limits));
    case 'isolation':
      return isolationIn(measured.groups);
    case 'spike':
      return [recoveryIn(measured)];
    case 'soak':
      return soakConclusions(measured);
    default:
      return [];
  }
}

const rate = (value: number): string => String(Number(value.toPrecision(3)));

function admittedIn(
  { name, plannedPerSecond, from, to, latencies }: MeasuredGroup,
  { keys, addresses }: Unjudged['plan'],
  limits: DeclaredLimits,
): string {
  const seconds = to - from;
  const admitted = latencies.ok.count;
  const says = `${name}: ${rate(plannedPerSecond)} a second offered, ${rate(admitted / seconds)} admitted, ${latencies.limited.count} refused`;
  const most = [
    ...(limits.key === undefined
      ? []
      : [keys * ((limits.key.burst ?? limits.key.perSecond) + limits.key.perSecond * seconds)]),
    ...(limits.address === undefined
      ? []
      : [addresses * ((limits.address.burst ?? limits.address.perSecond) + limits.address.perSecond * seconds)]),
  ];
  if (most.length === 0) return says;
  const bound = Math.ceil(Math.min(...most)) + 1;
  return admitted > bound
    ? `${says}: more than the ${bound} that the declared limit allows in ${rate(seconds)} s`
    : `${says}, as declared`;
}

function isolationIn(groups: readonly MeasuredGroup[]): readonly string[] {
  const [alone, beside, noisy] = groups;
  if (alone === undefined || beside === undefined || noisy === undefined) return [];
  const refused = beside.latencies.limited.count;
  const met = noisy.latencies.limited.count;
  const p95 = (group: MeasuredGroup) => percentileOf(Histogram.of(group.latencies.ok), 95);
  const [before, after] = [p95(alone), p95(beside)];
  const slower =
    before === undefined || after === undefined
      ? 'too few answers to compare its latencies'
      : after.lowUs > before.highUs
        ? `it became slower: 95 of 100 within ${inMs(after.us)}, and ${inMs(before.us)} when alone`
        : `it was not shown to become slower: 95 of 100 within ${inMs(after.us)}, and ${inMs(before.us)} when alone`;
  return [
    met === 0
      ? 'the noisy key was never refused: its rate is below its limit, so nothing was tried'
      : `the noisy key was refused ${met} times`,
    refused === 0
      ? 'the quiet key was never refused'
      : `the quiet key was refused ${refused} times for what the noisy one did`,
    slower,
  ];
}

/** A second is as before the spike if its 99th percentile is at most twice the worst of then. */
const asBefore = 2;

function recoveryIn({ series, groups }: Unjudged): string {
  const [before, spike] = groups;
  if (before === undefined || spike === undefined) return 'there was no spike';
  const calm = series.filter(({ at }) => at >= before.from && at < before.to);
  const bound = asBefore * Math.max(...calm.map(({ p99Us = 0 }) => p99Us));
  const after = series.filter(({ at }) => at >= spike.to);
  const lastBad = after.findLast((second) => isHarmed(second, bound));
  if (lastBad === undefined) return 'after the spike it answered as before, from the first second on';
  const recovered = lastBad.at + 1 - spike.to;
  return after.some(({ at }) => at > lastBad.at + 2)
    ? `after the spike it took ${rate(recovered)} s to recover`
    : `it did not recover within ${after.length} s after the spike`;
}

const isHarmed = ({ counts, p99Us }: MeasuredSecond, boundUs: number): boolean =>
  counts.other + counts.limited > 0 || p99Us === undefined || p99Us > boundUs;
