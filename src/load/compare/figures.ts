/** The figures of a measurement that can be compared: one number a run. */
import type { Measurement } from '../../model/measurement.ts';
import { Histogram } from '../../statistics/histogram.ts';
import { counted, percentile } from '../../statistics/percentile.ts';

export interface Figure {
  readonly name: string;
  readonly unit: 'ms' | 'a second' | 'share';
  readonly better: 'lower' | 'higher';
  /** What difference matters: a share of the value, or of all requests where the unit is a share. */
  readonly matters: number;
}

export interface Series {
  readonly figure: Figure;
  /** One for each run. */
  readonly values: readonly number[];
}

const latency = (percent: number, matters: number): Figure => ({
  name: `p${percent}`,
  unit: 'ms',
  better: 'lower',
  matters,
});
const percents = [latency(50, 0.05), latency(95, 0.1), latency(99, 0.1)];
const rate: Figure = { name: 'rate', unit: 'a second', better: 'higher', matters: 0.05 };
const capacity: Figure = { name: 'capacity', unit: 'a second', better: 'higher', matters: 0.05 };
const errors: Figure = { name: 'errors', unit: 'share', better: 'lower', matters: 0.001 };

/** `within`: what matters, where it was said. Figures that not every run has are omitted. */
export function figuresOf(measurements: readonly Measurement[], within?: number): Series[] {
  if (measurements.every((each) => each.scenario === 'capacity'))
    return kept(
      capacity,
      measurements.map((each) => each.capacity?.held),
      within,
    );
  const histograms = measurements.map(({ latencies }) => counted(Histogram.of(latencies.ok).values()));
  const found = percents.flatMap((figure) =>
    kept(
      figure,
      histograms.map((each) => inMs(percentile(each, Number(figure.name.slice(1)))?.value)),
      within,
    ),
  );
  const closed = measurements.every(({ engine }) => engine.model === 'closed');
  return [
    ...found,
    ...(closed
      ? kept(
          rate,
          measurements.map(({ achieved, latencies }) => latencies.ok.count / achieved.seconds),
          within,
        )
      : []),
    ...kept(
      errors,
      measurements.map(
        ({ latencies: { ok, limited, other } }) => other.count / (ok.count + limited.count + other.count),
      ),
    ),
  ];
}

/** A microsecond is the smallest difference. */
const inMs = (us: number | undefined): number | undefined => (us === undefined ? undefined : Math.max(1, us) / 1000);

const kept = (figure: Figure, values: readonly (number | undefined)[], within?: number): Series[] =>
  values.every((value) => value !== undefined && Number.isFinite(value))
    ? [{ figure: within === undefined ? figure : { ...figure, matters: within }, values: values as readonly number[] }]
    : [];
