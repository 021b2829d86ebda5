/**
 * A measurement of load: the plan, what was sent, what was answered, and whether it is valid. Figures that a report
 * can derive (percentiles, slopes, recovery) are not stored; what they are derived from is.
 */

import type { ScenarioName } from '../../load/shared/scenarios.ts';

/** An answer in the 2xx, a 429, and whatever else came, an answer that never came included. */
export const statusClasses = ['ok', 'limited', 'other'] as const;
export type StatusClass = (typeof statusClasses)[number];

/** Latencies in microseconds. Mergeable: percentiles are read from merged histograms and never averaged. */
export interface Latencies {
  readonly count: number;
  /** HdrHistogram V2, compressed, base64: 1 µs to 1 h, three digits. Left out where nothing was counted. */
  readonly histogram?: string;
}

export type LatenciesByStatus = Readonly<Record<StatusClass, Latencies>>;

/** One second of the schedule: what was to begin in it, whenever that ended. */
export interface MeasuredSecond {
  /** Whole seconds since the first intended start. */
  readonly at: number;
  readonly counts: Readonly<Record<StatusClass, number>>;
  /** Slots that were to begin in it; nothing in a closed loop. */
  readonly intended?: number;
  /** Of the 2xx; omitted where there were none. */
  readonly p50Us?: number;
  readonly p99Us?: number;
  readonly maxUs?: number;
  /** How late requests began. */
  readonly lagP99Us: number;
}

/** A part of the load that is looked at by itself: the quiet key, a multiple of the limit, an actor of a mix. */
export interface MeasuredGroup {
  readonly name: string;
  readonly plannedPerSecond: number;
  /** Seconds of the schedule, from and up to. */
  readonly from: number;
  readonly to: number;
  readonly latencies: LatenciesByStatus;
}

export interface ProcessSample {
  /** Seconds since the first intended start; before it, negative. */
  readonly at: number;
  /** Cores kept busy since the sample before. */
  readonly cpuCores: number;
  readonly rssBytes: number;
  /** Left out where the system does not show them. */
  readonly sockets?: number;
}

export interface ProcessFigures {
  readonly cpuSeconds: number;
  readonly samples: readonly ProcessSample[];
}

export interface GeneratorFigures extends ProcessFigures {
  /** Cores that the generator may use. */
  readonly cores: number;
  /** Intended slots in which nothing was sent, because nobody was free to. */
  readonly dropped: number;
  /** How late requests began, against the schedule. Nothing in a closed loop, which has none. */
  readonly lag: Latencies;
  readonly vus: { readonly allowed: number; readonly usedAtMost: number };
  /** How long the loop that sends stood still at a time, in the worst hundredth of the time; 0 where k6 sends, which has none. */
  readonly stallP99Ms: number;
  /** How it came to its end too early, where it did. */
  readonly failure?: string;
  /** Requests that never left, because this machine had no socket, port or file left. */
  readonly exhausted: number;
}

export const invalidCauses = ['generator', 'limiter', 'wrong-answers', 'too-few-samples', 'interrupted'] as const;
export type InvalidCause = (typeof invalidCauses)[number];

export interface ValidityReason {
  readonly cause: InvalidCause;
  /** What is wrong, with its figures. */
  readonly says: string;
  /** What to change. */
  readonly change: string;
}

/** No reason is valid. `inconclusive`: the samples do not reach; `invalid`: what was measured is something else. */
export interface Validity {
  readonly verdict: 'valid' | 'invalid' | 'inconclusive';
  readonly reasons: readonly ValidityReason[];
}

export interface ThresholdOutcome {
  /** As in the profile: `latency.p99`, `errors`, `admitted`. */
  readonly name: string;
  readonly demanded: string;
  readonly came?: string;
  /** `unknown`: the measurement does not say. Never green. */
  readonly outcome: 'met' | 'missed' | 'unknown';
}

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryBytes: number;
  readonly system: string;
  readonly node: string;
}

/** Where the search for the knee stands, and what it came to. */
export interface CapacityFigures {
  /** What kept the rate from being higher. `ladder`: the highest rate that may be tried held. */
  readonly constraint: 'server' | 'limiter' | 'generator' | 'ladder';
  /** The highest rate a second that kept the promise, and the lowest that broke it. */
  readonly held?: number;
  readonly broke?: number;
  /** The rate from which on the service answered nothing any more, at a rate that had held either: the search ended. */
  readonly gone?: number;
  readonly confirmed: boolean;
  readonly promise: string;
  readonly steps: readonly {
    readonly perSecond: number;
    readonly verdict: 'held' | 'broke' | 'unsure' | 'invalid';
    readonly why: string;
  }[];
}

/** Of the measured time: how much of it was calm, and for how long this machine lost its processors. */
export interface CalmFigures {
  readonly share: number;
  readonly seconds: number;
  readonly lostSeconds: number;
  /** What the slots came to that do not count, because they began when this machine kept no time. */
  readonly outside: Readonly<Record<StatusClass, number>>;
}

export interface Measurement {
  /** Unique in its run: `latency`, `capacity.3`. */
  readonly id: string;
  readonly scenario: ScenarioName;
  readonly engine: {
    readonly name: 'k6' | 'autocannon';
    readonly version: string;
    /** Open: requests begin by a schedule. Closed: each waits for the answer before it. */
    readonly model: 'open' | 'closed';
    readonly workers: number;
  };
  readonly target: string;
  readonly seed: number;
  readonly started: string;
  readonly plan: {
    /** Requests a second, over all workers; absent in a closed loop. The highest if it changes. */
    readonly perSecond?: number;
    readonly connections?: number;
    readonly warmUpSeconds: number;
    readonly seconds: number;
    /** How often the schedule was gone through in these seconds, until it was valid; if omitted, once. */
    readonly times?: number;
    readonly keys: number;
    readonly addresses: number;
    /** 429s are a part of the question, as in `limits`. */
    readonly refusalsExpected: boolean;
    /** Where the rate changes within the whole: what the measured part begins with, and its mean. `perSecond` is the highest. */
    readonly changing?: { readonly from: number; readonly mean: number };
  };
  /** After the warm-up: requests that were to begin (nothing in a closed loop), that began, and over how many seconds. */
  readonly achieved: { readonly intended?: number; readonly begun: number; readonly seconds: number };
  /** What latencies count from. */
  readonly from: 'intended-start' | 'sending';
  /** After the warm-up; where `calm` is said, of the slots of calm time alone, and so are groups and the generator's lag. */
  readonly latencies: LatenciesByStatus;
  /** Left out where all slots count. */
  readonly calm?: CalmFigures;
  /** The warm-up included, at negative seconds. */
  readonly series: readonly MeasuredSecond[];
  readonly groups: readonly MeasuredGroup[];
  /** What `other` was made of: a status, or how it failed. */
  readonly others: readonly { readonly what: string; readonly count: number }[];
  /** Answers whose items were compared with their requests. */
  readonly answers: { readonly checked: number; readonly wrong: number; readonly examples: readonly string[] };
  readonly generator: GeneratorFigures;
  /** Where its process may be seen. */
  readonly service?: ProcessFigures;
  readonly machine: Machine;
  readonly validity: Validity;
  readonly thresholds: readonly ThresholdOutcome[];
  readonly capacity?: CapacityFigures;
  /** Plain sentences: what the scenario found. */
  readonly conclusions: readonly string[];
  readonly interrupted?: true;
}
