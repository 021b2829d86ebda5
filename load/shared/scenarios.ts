/** What can be asked of a service under load: a row each, and a script next to this folder where k6 sends. */
import { type Phase, phase, type Told } from './phases.ts';

export interface Settings {
  /** Requests a second: of the whole load, over all its parts. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** The limit a second that `limits` multiplies, and how many keys it holds for at once. */
  readonly limitPerSecond: number;
  /** What the quiet key of `isolation` does. */
  readonly quietPerSecond: number;
  readonly keys: number;
  /** Between two multiples of the limit: what was spent comes back. */
  readonly restSeconds: number;
}

export interface Scenario {
  /** What it answers, after "asks". */
  readonly asks: string;
  /** k6 sends by a schedule, autocannon as fast as it is answered. */
  readonly engine: 'k6' | 'autocannon';
  phases(settings: Settings): readonly Phase[];
  /** Its conclusions as sentences; without them, its figures are enough. */
  readonly concludes?: 'admitted' | 'harm' | 'recovery' | 'slowing' | 'trends';
  /** 429s are a part of the question, or failures are. */
  readonly expects?: { readonly refusals?: true; readonly failures?: true };
  /** One schedule makes it: nothing is decided in between. */
  readonly inCluster: boolean;
  /** Its latencies are those of any part of its time: what fell into times when this machine kept none may be omitted. */
  readonly anyTime?: true;
  /** Where neither command line nor profile say it. */
  readonly usual: { readonly seconds: number; readonly warmUpSeconds: number; readonly connections?: number };
  /** If omitted, all keys take turns. `limited`: the one whose limit is looked at. */
  readonly keys?: 'limited' | 'noisy and quiet';
  /** It sends more than runs. */
  readonly mixes?: true;
  /** A step after the other, each at a rate that the one before decided. */
  readonly searches?: true;
}

const usual = { seconds: 10, warmUpSeconds: 3 } as const;

/** One rate from the first moment to the last. */
const steady = (perSecond: number, seconds: number): Told['stretches'] => [{ seconds, from: perSecond, to: perSecond }];

const allKeys = ({ keys }: Settings): readonly [number, number] => [0, keys];

/** A warm-up, and what is measured after it. */
const oneRate = (settings: Settings): readonly Phase[] => {
  const { perSecond, seconds, warmUpSeconds } = settings;
  const stretches = steady(perSecond, warmUpSeconds + seconds);
  return [phase({ from: 0, stretches, keys: allKeys(settings), measuredFrom: warmUpSeconds })];
};

/** A closed loop has no schedule: its slots are the milliseconds in which requests are sent. */
const noSchedule = (settings: Settings): readonly Phase[] => oneRate({ ...settings, perSecond: 1000 });

/** Multiples of the known limit, offered in sequence. */
const limitFactors = [0.5, 1, 1.5, 3] as const;
const spikeFactor = 2;
/** Where the ramp begins. */
const rampFrom = 0.2;

const table = {
  latency: {
    asks: 'how long a run takes at a constant rate',
    engine: 'k6',
    phases: oneRate,
    inCluster: true,
    anyTime: true,
    usual,
  },
  capacity: {
    asks: 'the highest rate that keeps load.latency and load.errors (default: p99 within 250 ms)',
    engine: 'k6',
    phases: oneRate,
    expects: { failures: true },
    inCluster: false,
    usual,
    searches: true,
  },
  limits: {
    asks: 'what the service admits at 0.5, 1, 1.5 and 3 times a limit',
    engine: 'k6',
    phases: (settings) =>
      limitFactors.map((factor, at) => {
        const from = at * (settings.seconds + settings.restSeconds);
        const stretches = steady(factor * settings.limitPerSecond, settings.seconds);
        return phase({ group: `${factor} × the limit`, from, stretches, keys: allKeys(settings), measuredFrom: from });
      }),
    concludes: 'admitted',
    expects: { refusals: true },
    inCluster: true,
    usual: { seconds: 10, warmUpSeconds: 0 },
    keys: 'limited',
  },
  isolation: {
    asks: 'whether a noisy key harms a quiet one',
    engine: 'k6',
    phases({ perSecond, quietPerSecond, seconds, warmUpSeconds }) {
      // The quiet key first alone, then next to the noisy one.
      const together = warmUpSeconds + seconds;
      const quiet = (group: string, from: number, length: number, measuredFrom: number) =>
        phase({ group, from, stretches: steady(quietPerSecond, length), keys: [1, 2], measuredFrom });
      return [
        quiet('quiet, alone', 0, together, warmUpSeconds),
        quiet('quiet, beside the noisy one', together, seconds, together),
        phase({
          group: 'noisy',
          from: together,
          stretches: steady(perSecond, seconds),
          keys: [0, 1],
          measuredFrom: together,
        }),
      ];
    },
    concludes: 'harm',
    expects: { refusals: true },
    inCluster: true,
    usual,
    keys: 'noisy and quiet',
  },
  soak: {
    asks: 'whether it stays stable for a long time',
    engine: 'k6',
    phases: oneRate,
    concludes: 'trends',
    inCluster: true,
    anyTime: true,
    usual: { seconds: 300, warmUpSeconds: 3 },
  },
  spike: {
    asks: 'half the rate, twice the rate, half again: how many seconds until it has recovered',
    engine: 'k6',
    phases(settings) {
      const { perSecond, seconds, warmUpSeconds: calm } = settings;
      const at = (group: string, from: number, rate: number, warmUp = 0): Phase =>
        phase({
          group,
          from,
          stretches: steady(rate, warmUp + seconds),
          keys: allKeys(settings),
          measuredFrom: from + warmUp,
        });
      return [
        at('before', 0, perSecond / 2, calm),
        at('spike', calm + seconds, spikeFactor * perSecond),
        at('after', calm + 2 * seconds, perSecond / 2),
      ];
    },
    concludes: 'recovery',
    expects: { failures: true },
    inCluster: true,
    usual,
  },
  ramp: {
    asks: 'the rate at which answers become slower: rises evenly from 0.2 × the rate to the rate',
    engine: 'k6',
    phases(settings) {
      const { perSecond, seconds, warmUpSeconds } = settings;
      const low = rampFrom * perSecond;
      const stretches = [...steady(low, warmUpSeconds), { seconds, from: low, to: perSecond }];
      return [phase({ from: 0, stretches, keys: allKeys(settings), measuredFrom: warmUpSeconds })];
    },
    concludes: 'slowing',
    expects: { failures: true },
    inCluster: true,
    usual: { seconds: 60, warmUpSeconds: 3 },
  },
  mixed: {
    asks: "the profile's mix of runs, key checks and schema reads, at a constant rate",
    engine: 'k6',
    phases: oneRate,
    inCluster: true,
    anyTime: true,
    usual,
    mixes: true,
  },
  smoke: {
    asks: 'two connections, as fast as they are answered; without k6 (the default if k6 is missing)',
    engine: 'autocannon',
    phases: noSchedule,
    inCluster: false,
    usual: { seconds: 3, warmUpSeconds: 0.5, connections: 2 },
  },
  saturation: {
    asks: 'the same with many connections',
    engine: 'autocannon',
    phases: noSchedule,
    inCluster: false,
    usual: { ...usual, connections: 16 },
  },
} as const satisfies Readonly<Record<string, Scenario>>;

export type ScenarioName = keyof typeof table;

export const scenarios: Readonly<Record<ScenarioName, Scenario>> = table;

export const scenarioNames = Object.keys(table) as readonly ScenarioName[];

export const isScenario = (name: string): name is ScenarioName => Object.hasOwn(table, name);
