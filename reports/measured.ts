/** Load in a few words, for formats that know tests and nothing else: was it valid, and was each threshold met? */
import type { CalmFigures, Measurement, Outcome, Run } from '../src/vocabulary.ts';
import { inline, list, plural } from './text.ts';

export interface Check {
  /** `load.latency: valid`. */
  readonly name: string;
  /** `open`: nobody knows. Never green. */
  readonly outcome: 'passed' | 'failed' | 'open';
  readonly says: string;
}

/** A run of load alone, which has no rules. */
export const isLoad = ({ header, measurements = [] }: Run): boolean =>
  header.planned.length === 0 && measurements.length > 0;

/** `71 % of 30 s; the machine lost its processors for 6.2 s`. */
export const calmText = ({ share, lostSeconds }: CalmFigures, seconds: number): string =>
  `${Math.round(100 * share)} % of ${Number(seconds.toPrecision(4))} s; the machine lost its processors for ${Number(lostSeconds.toPrecision(2))} s`;

export const checksOf = (measurements: readonly Measurement[]): Check[] =>
  measurements.flatMap((measurement) => [validity(measurement), ...thresholds(measurement)]);

function validity({ id, validity: { verdict, reasons }, conclusions, calm, plan }: Measurement): Check {
  const why = reasons.map(({ says, change }) => `${inline(says, 300)} (${inline(change, 300)})`);
  const valid = verdict === 'valid';
  return {
    name: `load.${inline(id, 60)}: the measurement is valid`,
    // What was measured may be the generator: that accuses no service.
    outcome: valid ? 'passed' : 'open',
    says: valid
      ? [
          ...(calm === undefined ? [] : [`in calm windows: ${calmText(calm, plan.seconds)}`]),
          ...conclusions.map((each) => inline(each, 300)),
        ].join(' ')
      : `${verdict}: ${why.join('; ')}`,
  };
}

const thresholds = ({ id, validity: { verdict }, thresholds: all }: Measurement): Check[] =>
  all.map(({ name, demanded, came = 'nothing', outcome }) => {
    const says = `demanded ${inline(demanded, 120)}, got ${inline(came, 120)}`;
    const known = verdict === 'valid' && outcome !== 'unknown';
    return {
      name: `load.${inline(id, 60)}: ${inline(name, 60)}`,
      outcome: known ? (outcome === 'met' ? 'passed' : 'failed') : 'open',
      says: known
        ? says
        : `${says}; ${verdict === 'valid' ? 'the measurement does not show it' : `the measurement is ${verdict}`}`,
    };
  });

const headlines: Readonly<Record<Outcome, string>> = {
  conforms: 'VALID, and no threshold missed',
  violation: 'A THRESHOLD IS MISSED',
  incomplete: 'NO RESULT: the measurement is not conclusive',
  unreachable: 'NOT REACHABLE: nothing was measured',
  interrupted: 'INTERRUPTED: the measurement is not conclusive',
};

export function loadInWords(run: Run, outcome: Outcome): { readonly headline: string; readonly because: string } {
  const checks = checksOf(run.measurements ?? []);
  const missed = checks.filter((each) => each.outcome === 'failed');
  const open = checks.filter((each) => each.outcome === 'open');
  const parts = [
    ...(outcome === 'unreachable' ? [inline(run.footer?.unreachable ?? 'no answer', 300)] : []),
    ...(run.footer === undefined ? ['the run has no footer: it ended early or is still running'] : []),
    ...missed.slice(0, 5).map(({ name, says }) => `${name}, ${says}`),
    ...(open.length > 0 ? [`${plural(open.length, 'question')} undetermined`] : []),
  ];
  const none = `${plural(run.measurements?.length ?? 0, 'measurement')}, ${plural(checks.length, 'question')} answered`;
  const text = parts.length === 0 ? none : list(parts);
  return { headline: headlines[outcome], because: `${text.charAt(0).toUpperCase()}${text.slice(1)}.` };
}
