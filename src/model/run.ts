/** A run: header, plan, exchanges, steps, findings, footer. Written as JSON lines while it happens. */
import type { Clause, Level } from './clause.ts';
import { type ClientManner, isDeafClient, type Trial } from './client.ts';
import type { Context } from './context.ts';
import type { Exchange } from './exchange.ts';
import type { Data } from './json.ts';
import type { FoundLimit } from './limit-model.ts';
import type { Measurement } from './measurement.ts';
import type { About } from './rule.ts';
import type { Finding, Verdict } from './verdict.ts';

/** What is written; versions from 1 on are read. */
export const runVersion = 2;

export type Depth = 'quick' | 'standard' | 'thorough';

export interface RunHeader {
  readonly type: 'header';
  readonly version: 1 | typeof runVersion;
  readonly touchstone: string;
  /** The version of the rule set and the SHA-256 of the specification that it reads. */
  readonly rules: { readonly version: string; readonly specification: string };
  readonly target: string;
  readonly profile: {
    readonly name: string;
    readonly digest: string;
    /** By name: sweeps tell answers for them from answers for what a rule invented. */
    readonly actors?: readonly string[];
    readonly keys?: readonly string[];
    /** Of a client that was given on the command line: its words, without what looks like a secret. */
    readonly command?: readonly string[];
  };
  readonly started: string;
  readonly seed: number;
  readonly depth: Depth;
  /** How often each question was asked; if omitted: once. */
  readonly repeat?: number;
  readonly strict: boolean;
  /** What the run took its seed and its nonces from: a verifier's challenge. */
  readonly witness?: WitnessedBy;
  /** The run judges a program that calls the service, and this is what the program got. */
  readonly client?: ClientManner;
  /** The run judges what passed between a client and a service. */
  readonly between?: BetweenManner;
  /** Every rule of the catalogue that this run was asked for, with what a report needs to know of it. */
  readonly planned: readonly PlannedRule[];
}

export interface BetweenManner {
  /** The client repeats runs because it is meant to: that an answered run is run again says nothing. */
  readonly sameRuns: boolean;
  /** Where Touchstone listened. */
  readonly address: string;
}

/** A run that was started with a verifier's challenge, as its header names it. */
export interface WitnessedBy {
  /** The SHA-256 of what the verifier signed. */
  readonly challenge: string;
  /** The how-manieth run with that challenge it is. */
  readonly number: number;
  /** The SHA-256 of its line in the journal of started runs. */
  readonly entry: string;
}

export interface PlannedRule {
  readonly rule: string;
  readonly level: Level;
  readonly clause: Pick<Clause, 'id' | 'section' | 'says'>;
  readonly fix: string;
  readonly contexts: number;
  /** Over what it varies; from it, the depth and the seed follows each context. If omitted: it is not asked, or by a run of before. */
  readonly axes?: Axes;
  /** Of no rule set yet: what is found of it counts nowhere. */
  readonly provisional?: true;
  /** Why it will not be asked, and the profile's line that would change that. */
  readonly untested?: { readonly because: string; readonly add?: string };
}

/** By name, each in the order in which it counts. An axis without values has one that nobody names. */
export interface Axes {
  readonly cases: readonly { readonly name: string; readonly key?: Context['key']; readonly actor?: string }[];
  readonly keys: readonly Context['key'][];
  readonly actors: readonly string[];
  readonly connection: readonly Context['connection'][];
  readonly history: readonly Context['history'][];
  readonly company: readonly Context['company'][];
  /** Each case with each key, in the plainest context. */
  readonly eachKey?: true;
}

export interface ExchangeRecord {
  readonly type: 'exchange';
  readonly exchange: Exchange;
}

/** One rule asked in one context. `evidence` holds exchanges as `{ "$exchange": id }`. */
export interface Step {
  readonly type: 'step';
  readonly rule: string;
  readonly context: Context;
  /** `again`: a failing context asked once more; `narrow`: asked to find the smallest description of a failure. */
  readonly purpose: 'plan' | 'again' | 'narrow';
  /** What the judge must know of the question. */
  readonly about?: About;
  /** One for each time that the context made the rule ask. */
  readonly evidence: readonly Data[];
  /** The twin's exchange. */
  readonly twin?: number;
  /** The exchanges of the evidence, for reports. */
  readonly exchanges: readonly number[];
  /** All that was asked for it, also what is no evidence: it gives those exchanges their context. */
  readonly sent?: readonly number[];
  /** There is no such question for this profile: why. */
  readonly inapplicable?: string;
  /** Not asked: the run would have been stretched beyond `--max-wait`. */
  readonly leftOut?: true;
  /** Why it was not asked, or not to its end. What the answers say about it is not written: it is derived. */
  readonly inconclusive?: string;
  /** A fault of the harness. */
  readonly error?: string;
  readonly tookMs: number;
}

export interface FindingRecord {
  readonly type: 'finding';
  readonly finding: Finding;
}

/** What was found about a limit. Written before the footer. */
export interface LimitRecord {
  readonly type: 'limit';
  readonly limit: FoundLimit;
}

export interface MeasurementRecord {
  readonly type: 'measurement';
  readonly measurement: Measurement;
}

export interface RunFooter {
  readonly type: 'footer';
  readonly ended: string;
  readonly tookMs: number;
  readonly interrupted?: true;
  /** The target could not be reached at all. */
  readonly unreachable?: string;
  readonly counts: Readonly<Record<Verdict, number>>;
  readonly exchanges: number;
  readonly waits: readonly { readonly who: string; readonly times: number; readonly ms: number }[];
  /** What the run made in the service and could not remove. */
  readonly leftBehind: readonly string[];
  /** Plain sentences that a reader must see: contexts omitted, sources not reachable, proxies ignored. */
  readonly remarks: readonly string[];
  readonly waivers?: readonly WaiverProblem[];
}

export type RunRecord =
  | RunHeader
  | ExchangeRecord
  | Step
  | Trial
  | FindingRecord
  | LimitRecord
  | MeasurementRecord
  | RunFooter;

/** A waiver that no longer says what is so. It makes the run red until it is fixed or removed. */
export interface WaiverProblem {
  readonly rule: string;
  readonly problem: 'expired' | 'stale' | 'unused';
  /** One sentence, with what to do. */
  readonly says: string;
}

/** A whole run in memory, as reports take it. Without footer it is incomplete, and every format says so. */
export interface Run {
  readonly header: RunHeader;
  readonly findings: readonly Finding[];
  readonly exchanges: ReadonlyMap<number, Exchange>;
  readonly steps: readonly Step[];
  /** Of a program that calls the service: each of its starts. */
  readonly trials?: readonly Trial[];
  /** What was found about limits. */
  readonly limits: readonly FoundLimit[];
  /** Of load, in the order in which they were made. */
  readonly measurements?: readonly Measurement[];
  readonly footer?: RunFooter;
}

/** Exit codes of the command line. */
export const exitCodes = {
  conforms: 0,
  violation: 1,
  usage: 2,
  incomplete: 3,
  unreachable: 4,
  toolMissing: 5,
  interrupted: 130,
} as const;

/** What the whole run amounts to. Only `conforms` is green. */
export type Outcome = 'conforms' | 'violation' | 'incomplete' | 'unreachable' | 'interrupted';

/** Whether a finding breaks the run: a waived one is shown, but is not what stops a pipeline. */
export const isViolation = ({ verdict, waived }: Finding, strict: boolean): boolean =>
  waived === undefined && (verdict === 'fail' || (strict && verdict === 'warn'));

/** Without a key, next to nothing of the interface is behind what was asked. */
const isKeyless = ({ planned }: RunHeader): boolean =>
  planned.some(({ rule, untested }) => rule === 'verify.valid-key' && untested !== undefined);

/** A missed threshold always counts; a measurement that is invalid, or that no threshold can be compared with, is no result. */
function outcomeOfLoad({ footer, measurements = [] }: Run): Outcome {
  if (footer?.interrupted) return 'interrupted';
  if (footer?.unreachable !== undefined) return 'unreachable';
  const thresholds = measurements.flatMap((each) => (each.validity.verdict === 'valid' ? each.thresholds : []));
  if (thresholds.some(({ outcome }) => outcome === 'missed')) return 'violation';
  const unsure = measurements.some(({ validity }) => validity.verdict !== 'valid');
  return footer === undefined || unsure || thresholds.some(({ outcome }) => outcome === 'unknown')
    ? 'incomplete'
    : 'conforms';
}

/**
 * An interrupted or footless run never conforms; a violation is a violation even in an incomplete one. `untested` alone
 * does not stop a service from conforming "as far as tested", but nothing judged at all is no success. A waiver that has
 * rotted is as red as what it was meant to excuse.
 */
export function outcomeOf(run: Run): Outcome {
  const { footer, header } = run;
  if (header.planned.length === 0 && (run.measurements ?? []).length > 0) return outcomeOfLoad(run);
  const planned = header.planned.filter(({ provisional }) => provisional === undefined);
  const levels = new Map(planned.map((each) => [each.rule, each.level]));
  const findings = run.findings.filter(({ rule }) => levels.has(rule));
  if (footer?.interrupted) return 'interrupted';
  if (footer?.unreachable !== undefined) return 'unreachable';
  if (findings.some((each) => isViolation(each, header.strict))) return 'violation';
  if (footer?.waivers !== undefined && footer.waivers.length > 0) return 'violation';
  const judged = findings.some(({ verdict }) => ['pass', 'warn', 'fail'].includes(verdict)) && !isKeyless(header);
  const unsure = findings.some(
    (each) => each.verdict === 'error' || (each.verdict === 'inconclusive' && levels.get(each.rule) === 'required'),
  );
  const missing = planned.length > findings.length;
  return footer === undefined || !judged || unsure || missing || isDeafClient(run) ? 'incomplete' : 'conforms';
}
