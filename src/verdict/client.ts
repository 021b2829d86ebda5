/** Pure: from the trials of a client to one finding a rule. Judging a live run and a stored one both end here. */
import {
  type ClientManner,
  type ClientRule,
  isClientObservation,
  type JudgedClientRule,
  type Seen,
  type SeenTrial,
  seenTrial,
  type Trial,
} from '../model/client.ts';
import { whatSetsApart } from '../model/client-context.ts';
import { tellingOf } from '../model/client-telling.ts';
import type { Exchange } from '../model/exchange.ts';
import type { PlannedRule, Run } from '../model/run.ts';
import type { Finding, Reason, Verdict } from '../model/verdict.ts';

const reasonsKept = 40;
const examplesKept = 3;
const placesNamed = 4;

interface Written {
  readonly planned: readonly PlannedRule[];
  readonly trials: readonly Trial[];
  readonly exchanges: ReadonlyMap<number, Exchange>;
  readonly manner: ClientManner;
}

export function findingsOfClient(
  { planned, trials, exchanges, manner }: Written,
  rules: readonly ClientRule[],
): Finding[] {
  const ordered = [...trials].sort((a, b) => a.number - b.number).map((each) => seenTrial(each, exchanges));
  const seen: Seen = { trials: ordered, manner, telling: tellingOf(ordered) };
  return planned.map((each) => {
    const rule = rules.find(({ id }) => id === each.rule);
    if (rule === undefined)
      return { ...blank(each), verdict: 'error', because: 'this rule is not in the catalogue any more' };
    return each.untested === undefined
      ? findingOf(rule, each, seen)
      : { ...blank(each), verdict: 'untested', because: each.untested.because };
  });
}

export const blank = (planned: PlannedRule): Omit<Finding, 'verdict'> => ({
  rule: planned.rule,
  reasons: [],
  asked: { contexts: 0, planned: planned.contexts, leftOut: [] },
  exchanges: [],
});

interface Judged {
  readonly trial: SeenTrial;
  readonly reasons: readonly Reason[];
}

function findingOf(rule: ClientRule, planned: PlannedRule, seen: Seen): Finding {
  const trials = seen.trials.filter(
    (trial) => (rule.situations === undefined || rule.situations.includes(trial.situation)) && hasMet(trial),
  );
  const missing = rule.given?.(seen);
  if (missing !== undefined) return { ...blank(planned), verdict: 'untested', because: missing };
  return findingFrom(rule, planned, trials, seen, {
    contexts: trials.length,
    planned: planned.contexts,
    leftOut: [],
  });
}

/** A client that does not repeat a call after a 429 never meets the situation behind it. */
const hasMet = ({ deviations = [], runs }: SeenTrial): boolean => !deviations.includes('repeated') || runs.length > 1;

/** What a rule finds in the trials that show its situation. */
export function findingFrom(
  rule: ClientRule,
  planned: PlannedRule,
  trials: readonly SeenTrial[],
  seen: Seen,
  asked: Finding['asked'],
): Finding {
  if (isClientObservation(rule)) {
    const facts = [...new Set(trials.flatMap((trial) => rule.observe(trial, seen)))];
    return facts.length === 0
      ? { ...blank(planned), verdict: 'untested', because: 'nothing of the kind was seen', asked }
      : { rule: rule.id, verdict: 'observed', reasons: [], facts, asked, exchanges: examples(trials) };
  }
  return judged(rule, planned, trials, seen, asked);
}

function judged(
  rule: JudgedClientRule,
  planned: PlannedRule,
  trials: readonly SeenTrial[],
  seen: Seen,
  asked: Finding['asked'],
): Finding {
  let each: Judged[];
  let together: readonly Reason[];
  try {
    each = trials.flatMap((trial) => {
      const reasons = rule.judge(trial, seen);
      return reasons === undefined ? [] : [{ trial, reasons }];
    });
    together = rule.judgeAll?.(trials, seen) ?? [];
  } catch (error) {
    const because = `the judge failed: ${error instanceof Error ? error.message : String(error)}`;
    return { ...blank(planned), verdict: 'error', because, asked };
  }
  const all = [...each.flatMap(({ reasons }) => reasons), ...together];
  const verdict = verdictOf(rule, each.length > 0 || together.length > 0, all);
  if (verdict === 'inconclusive')
    return {
      ...blank(planned),
      verdict,
      because: 'no start of the client gave evidence for it',
      asked,
    };
  const weight = all.some((reason) => reason.weight === 'violation') ? 'violation' : 'warning';
  const telling = verdict === 'pass' ? all : all.filter((reason) => reason.weight === weight);
  const bad = each.filter(({ reasons }) => reasons.some((reason) => reason.weight === weight));
  const exchanges = telling.flatMap(({ exchange }) => exchange ?? []);
  return {
    rule: rule.id,
    verdict,
    reasons: distinct(telling).slice(0, reasonsKept),
    ...whereOf(verdict, bad, each),
    asked,
    exchanges:
      exchanges.length > 0
        ? [...new Set(exchanges)].slice(0, reasonsKept)
        : examples(bad.length > 0 ? bad.map(({ trial }) => trial) : each.map(({ trial }) => trial)),
  };
}

function verdictOf(rule: JudgedClientRule, any: boolean, reasons: readonly Reason[]): Verdict {
  if (!any) return 'inconclusive';
  if (reasons.some(({ weight }) => weight === 'violation')) return rule.clause.level === 'required' ? 'fail' : 'warn';
  return reasons.some(({ weight }) => weight === 'warning') ? 'warn' : 'pass';
}

/** In which contexts it fails, or in which situations, or in which contexts of those: where it does not fail in all of them. */
function whereOf(verdict: Verdict, bad: readonly Judged[], each: readonly Judged[]): Pick<Finding, 'where'> {
  if (verdict === 'pass' || bad.length === 0 || bad.length === each.length) return {};
  const titles = [...new Set(bad.map(({ trial }) => trial.title))];
  const good = each.filter((one) => !bad.includes(one));
  const trialsOf = (some: readonly Judged[]): SeenTrial[] => some.map(({ trial }) => trial);
  // One or two situations may have met one kind of key only: that sets nothing apart.
  const everywhere = titles.length > 2 ? whatSetsApart(trialsOf(bad), trialsOf(good)) : undefined;
  if (everywhere !== undefined) return { where: everywhere };
  const same = good.filter(({ trial }) => titles.includes(trial.title));
  const within = whatSetsApart(trialsOf(bad), trialsOf(same));
  const shown = titles.slice(0, placesNamed).join('; ');
  const more = titles.length > placesNamed ? ` and ${titles.length - placesNamed} more` : '';
  return { where: `for ${shown}${more}${within === undefined ? '' : `, ${within}`}` };
}

const examples = (trials: readonly SeenTrial[]): number[] =>
  trials.flatMap(({ calls }) => calls.slice(0, 1).map(({ id }) => id)).slice(0, examplesKept);

function distinct(reasons: readonly Reason[]): Reason[] {
  const first = new Map<string, Reason>();
  for (const reason of reasons) {
    const name = `${reason.weight}\n${reason.expected}\n${reason.came}`;
    if (!first.has(name)) first.set(name, reason);
  }
  return [...first.values()];
}

/** The findings of a stored run of a client. */
export const deriveClientAgain = ({ header, trials = [], exchanges }: Run, rules: readonly ClientRule[]): Finding[] =>
  findingsOfClient(
    {
      planned: header.planned,
      trials,
      exchanges,
      manner: header.client ?? { actor: true, input: true, keyInArguments: false },
    },
    rules,
  );
