/** What a scenario found, in plain sentences; from a valid measurement only. */
import { type Scenario, scenarios } from '../../load/shared/scenarios.ts';
import type { MeasuredGroup, MeasuredSecond } from '../model/measurement.ts';
import { inMs, percentileOf } from '../statistics/figures.ts';
import { Histogram } from '../statistics/histogram.ts';
import { median } from '../statistics/interval.ts';
import type { DeclaredLimits } from './plan.ts';
import { soakConclusions } from './soak/words.ts';
import type { Unjudged } from './validity.ts';

export function conclusionsOf(measured: Unjudged, limits: DeclaredLimits): readonly string[] {
  const { concludes } = scenarios[measured.scenario];
  return concludes === undefined ? [] : conclusions[concludes](measured, limits);
}

const conclusions: Readonly<
  Record<NonNullable<Scenario['concludes']>, (measured: Unjudged, limits: DeclaredLimits) => readonly string[]>
> = {
  admitted: ({ groups, plan }, limits) => groups.map((group) => admittedIn(group, plan, limits)),
  harm: ({ groups }) => isolationIn(groups),
  recovery: (measured) => [recoveryIn(measured)],
  slowing: (measured) => [slowingIn(measured)],
  trends: soakConclusions,
};

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

/** Of the seconds of a ramp: fewer say nothing. */
const leastSeconds = 10;
/** Less than this more is no slower. */
const leastSlowerUs = 1000;
const failingShare = 0.01;

/** A second is slower if its median is more than twice that of the first fifth; it counts where that lasts to the end. */
function slowingIn({ series, plan }: Unjudged): string {
  const seconds = series.filter(({ at, intended = 0 }) => at >= 0 && intended > 0);
  if (seconds.length < leastSeconds)
    return `it was too short to show at which rate answers become slower: at least ${leastSeconds} s are needed`;
  const first = seconds.slice(0, Math.ceil(seconds.length / 5));
  const usually = median(first.flatMap(({ p50Us = Number.POSITIVE_INFINITY }) => p50Us));
  const bound = Math.max(asBefore * usually, usually + leastSlowerUs);
  const isSlower = ({ p50Us = Number.POSITIVE_INFINITY, counts: { ok, limited, other } }: MeasuredSecond): boolean =>
    p50Us > bound || other > failingShare * (ok + limited + other);
  const from = seconds.findLastIndex((second) => !isSlower(second)) + 1;
  const least = Math.max(3, seconds.length / 20);
  const end = seconds.slice(seconds.length - from < least ? -least : from);
  const half = `half of them within ${inMs(usually)} at the beginning`;
  const failed = end.reduce((sum, { counts }) => sum + counts.other, 0);
  const answered = end.flatMap(({ p50Us }) => p50Us ?? []);
  const atEnd = answered.length === 0 ? 'none answered' : `${inMs(median(answered))}`;
  if (seconds.length - from < least)
    return `up to ${rate(plan.perSecond ?? 0)} a second answers stayed as fast: ${half}, ${atEnd} at the end`;
  const fails = failed === 0 ? '' : `, and ${failed} failed`;
  return `from about ${rate(seconds[from]!.intended!)} a second on answers became slower: ${half}, ${atEnd} from there on${fails}`;
}
