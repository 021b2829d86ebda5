/** What the script draws of a measurement: plain arrays, as uPlot takes them. */
import type { AlignedData } from 'uplot';
import type { Measurement } from '../../src/vocabulary.ts';

type Tone = 'pass' | 'fail' | 'warn' | 'observed' | 'inconclusive' | 'untested';

export interface Chart {
  readonly name: string;
  readonly title: string;
  readonly says: string;
  /** `percent`: x is the number of nines, so that the tail has room. */
  readonly x: 'seconds' | 'percent';
  readonly unit: string;
  readonly series: readonly { readonly label: string; readonly tone: Tone; readonly dashed?: true }[];
  /** The x values first, then a row for each of `series`. */
  readonly data: readonly (readonly (number | null)[])[] & Partial<AlignedData>;
}

const ms = (us: number | undefined): number | null => (us === undefined ? null : us / 1000);

export function chartsOf(
  { id, series, plan, groups }: Measurement,
  curve: readonly { readonly percent: number; readonly ms: number }[],
): readonly Chart[] {
  const seconds = series.map(({ at }) => at);
  const charts: Chart[] = [];
  if (series.length > 1) {
    charts.push(
      {
        name: `${id}:latency`,
        title: 'Latency over time',
        says: 'of the 2xx answers, each second; the warm-up is before 0',
        x: 'seconds',
        unit: 'ms',
        series: [
          { label: 'p50', tone: 'pass' },
          { label: 'p99', tone: 'warn' },
          { label: 'longest', tone: 'fail' },
        ],
        data: [
          seconds,
          series.map(({ p50Us }) => ms(p50Us)),
          series.map(({ p99Us }) => ms(p99Us)),
          series.map(({ maxUs }) => ms(maxUs)),
        ],
      },
      {
        name: `${id}:rate`,
        title: 'Rate offered and achieved',
        says: 'requests scheduled in each second, and how they ended',
        x: 'seconds',
        unit: 'a second',
        series: [
          { label: 'offered', tone: 'untested', dashed: true },
          { label: '2xx', tone: 'pass' },
          { label: '429', tone: 'warn' },
          { label: 'other', tone: 'fail' },
        ],
        data: [
          seconds,
          series.map(({ at, intended }) => intended ?? offeredAt(at, plan.perSecond, groups)),
          ...(['ok', 'limited', 'other'] as const).map((name) => series.map(({ counts }) => counts[name])),
        ],
      },
    );
  }
  if (curve.length > 1)
    charts.push({
      name: `${id}:percentiles`,
      title: 'Percentiles',
      says: 'share of the 2xx answers within each latency',
      x: 'percent',
      unit: 'ms',
      series: [{ label: 'within', tone: 'observed' }],
      data: [curve.map(({ percent }) => nines(percent)), curve.map((each) => each.ms)],
    });
  return charts;
}

/** Of older runs, which do not say it of each second. Groups follow one another or go on side by side: what they plan for a second adds up. */
function offeredAt(at: number, perSecond: number | undefined, groups: Measurement['groups']): number | null {
  const own = groups.filter(({ from, to }) => at >= from && at < to);
  return own.length > 0 ? own.reduce((sum, { plannedPerSecond }) => sum + plannedPerSecond, 0) : (perSecond ?? null);
}

/** 0 for nothing, 1 for 90 %, 2 for 99 %; 100 % is the right edge of the picture. */
const nines = (percent: number): number => Math.min(-Math.log10(1 - Math.min(percent, 99.9999) / 100), 6);
