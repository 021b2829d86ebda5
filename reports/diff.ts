/** Two runs: which verdicts changed, and what else changed that may be why. Pure; how it reads is diff-text.ts's matter. */
import { type Finding, isViolation, type Level, type PlannedRule, type Run, type Verdict } from '../src/vocabulary.ts';

/** `lost`: judged before, and not any more. `other`: neither better nor worse, such as a warning or a waiver. */
export const changeKinds = ['new', 'still', 'fixed', 'lost', 'gained', 'other'] as const;

export type ChangeKind = (typeof changeKinds)[number];

/** What explains a change: the first of these that does. */
export type Cause = 'suite' | 'selection' | 'ended' | 'profile' | 'waivers' | 'implementation' | 'unknown';

export interface Change {
  readonly rule: string;
  readonly level: Level;
  readonly kind: ChangeKind;
  /** Absent: that run was not asked for the rule. */
  readonly before?: Finding;
  readonly after?: Finding;
  readonly cause: Cause;
}

export interface Difference {
  readonly changes: readonly Change[];
  /** What the two runs were made with; each in words where it differs. */
  readonly suite: readonly string[];
  readonly profile: readonly string[];
  readonly target: readonly string[];
  readonly asking: readonly string[];
  /** Nothing is known of what the second run has not come to. */
  readonly incomplete: boolean;
  /** Rules with the same verdict in both. */
  readonly same: number;
}

/** A run judged by the other's rules, if possible: distinguishes a change of the suite from one of the service. */
export interface JudgedAlike {
  readonly before?: readonly Finding[];
  readonly after?: readonly Finding[];
}

export function differenceOf(before: Run, after: Run, alike: JudgedAlike = {}): Difference {
  const [a, b] = [before.header, after.header];
  const changed = (what: string, one: string | number | boolean, other: string | number | boolean): string[] =>
    one === other ? [] : [`${what}: ${one} before, ${other} now`];
  const suite = [
    ...changed('rules of version', a.rules.version, b.rules.version),
    ...changed('specification', a.rules.specification, b.rules.specification),
    ...changed('Touchstone', a.touchstone, b.touchstone),
  ];
  const profile = a.profile.digest === b.profile.digest ? [] : [`${a.profile.name} before, ${b.profile.name} now`];
  const context: Context = {
    strict: [a.strict, b.strict],
    rulesDiffer: a.rules.version !== b.rules.version || a.rules.specification !== b.rules.specification,
    profileDiffers: profile.length > 0,
    alike: [byRule(alike.before), byRule(alike.after)],
    plans: [plans(before), plans(after)],
  };
  const rules = [...new Set([...a.planned, ...b.planned].map(({ rule }) => rule))];
  const [found, now] = [byRule(before.findings), byRule(after.findings)];
  const changes = rules.flatMap((rule) => changeOf(rule, found.get(rule), now.get(rule), context) ?? []);
  return {
    changes,
    suite,
    profile,
    target: changed('address', a.target, b.target),
    asking: [
      ...changed('depth', a.depth, b.depth),
      ...changed('repeat', a.repeat ?? 1, b.repeat ?? 1),
      ...changed('strict', a.strict, b.strict),
      ...(a.depth === b.depth ? changed('seed', a.seed, b.seed) : []),
    ],
    incomplete:
      after.footer === undefined || after.footer.interrupted === true || after.footer.unreachable !== undefined,
    same: rules.length - changes.filter(({ kind }) => kind !== 'still').length,
  };
}

interface Context {
  readonly strict: readonly [boolean, boolean];
  readonly rulesDiffer: boolean;
  readonly profileDiffers: boolean;
  readonly alike: readonly [ReadonlyMap<string, Finding>, ReadonlyMap<string, Finding>];
  readonly plans: readonly [ReadonlyMap<string, PlannedRule>, ReadonlyMap<string, PlannedRule>];
}

const byRule = (findings: readonly Finding[] = []): ReadonlyMap<string, Finding> =>
  new Map(findings.map((each) => [each.rule, each]));

const plans = ({ header }: Run): ReadonlyMap<string, PlannedRule> =>
  new Map(header.planned.map((each) => [each.rule, each]));

const seen: readonly (Verdict | undefined)[] = ['pass', 'fail', 'warn', 'observed'];

function changeOf(
  rule: string,
  before: Finding | undefined,
  after: Finding | undefined,
  context: Context,
): Change | undefined {
  const kind = kindOf(before, after, context.strict);
  if (kind === undefined) return undefined;
  const [was, is] = context.plans;
  return {
    rule,
    level: (is.get(rule) ?? was.get(rule))?.level ?? 'required',
    kind,
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
    cause: causeOf(rule, before, after, context),
  };
}

function kindOf(
  before: Finding | undefined,
  after: Finding | undefined,
  [strictBefore, strictNow]: Context['strict'],
): ChangeKind | undefined {
  const [was, is] = [
    before !== undefined && isViolation(before, strictBefore),
    after !== undefined && isViolation(after, strictNow),
  ];
  if (was && is) return 'still';
  if (is) return 'new';
  const [judged, known] = [seen.includes(before?.verdict), seen.includes(after?.verdict)];
  if (judged && !known) return 'lost';
  // What is waived is no better than it was.
  if (was) return after?.verdict === before?.verdict ? 'other' : 'fixed';
  if (!judged && known) return 'gained';
  const alike =
    before?.verdict === after?.verdict &&
    (before?.waived === undefined) === (after?.waived === undefined) &&
    sameFacts(before, after);
  return alike ? undefined : 'other';
}

/** In which order facts were met is chance. */
const sameFacts = (one: Finding | undefined, other: Finding | undefined): boolean =>
  JSON.stringify([...(one?.facts ?? [])].sort()) === JSON.stringify([...(other?.facts ?? [])].sort());

function causeOf(rule: string, before: Finding | undefined, after: Finding | undefined, context: Context): Cause {
  const { rulesDiffer, profileDiffers, alike, plans: planned } = context;
  const [was, is] = [planned[0].get(rule), planned[1].get(rule)];
  if (was === undefined || is === undefined) return rulesDiffer ? 'suite' : 'selection';
  if (before === undefined || after === undefined) return 'ended';
  if (rulesDiffer) {
    const [then, now] = [alike[0].get(rule), alike[1].get(rule)];
    // The older record, judged by today's rules, gives today's verdict: the answers did not change.
    const [again, other] = then === undefined ? [now, before] : [then, after];
    if (again === undefined || again.verdict === 'error') return 'unknown';
    if (again.verdict === other.verdict) return 'suite';
    return profileDiffers ? 'unknown' : 'implementation';
  }
  if (before?.verdict === after?.verdict && (before?.waived === undefined) !== (after?.waived === undefined))
    return 'waivers';
  if (profileDiffers && (was.untested === undefined) !== (is.untested === undefined)) return 'profile';
  return profileDiffers ? 'unknown' : 'implementation';
}
