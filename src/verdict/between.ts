/** Pure: from what passed between a client and a service to one finding a rule, about the one and the other. */
import type { ClientRule, Seen } from '../model/client.ts';
import type { Exchange } from '../model/exchange.ts';
import { isSweep, type Rule, type SweepRule } from '../model/rule.ts';
import type { BetweenManner, PlannedRule, Run } from '../model/run.ts';
import type { Finding } from '../model/verdict.ts';
import { blank, findingFrom } from './client.ts';
import { deriveFinding } from './derive.ts';
import { seriesOf } from './series.ts';

export interface Passed {
  readonly planned: readonly PlannedRule[];
  readonly exchanges: ReadonlyMap<number, Exchange>;
}

/** These judge every answer of a service, because they need no request of their own. */
export const sweepsOf = (rules: readonly Rule[]): SweepRule[] => rules.filter(isSweep);

/** Why a rule can say nothing about what passes. */
export function whyNotPassing(rule: ClientRule | SweepRule, { sameRuns }: BetweenManner): string | undefined {
  if (rule.id === 'client.runs-once' && sameRuns) return 'runs are repeated on purpose here (--same-runs)';
  return typeof rule.passing === 'string' ? rule.passing : undefined;
}

export function findingsOfPassed(
  { planned, exchanges }: Passed,
  rules: readonly Rule[],
  ofClients: readonly ClientRule[],
): Finding[] {
  const trials = seriesOf(exchanges);
  const seen: Seen = {
    trials,
    manner: { actor: false, input: false, keyInArguments: false },
    telling: { completes: false, exitsWhenFailed: false, failedExits: [], jsonWhenFailed: false, items: undefined },
  };
  // What we said in its place is no word of the service.
  const answered = new Map([...exchanges].filter(([, { injected }]) => injected === undefined));
  const sweeps = sweepsOf(rules);
  return planned.map((each) => {
    const ofClient = ofClients.find(({ id }) => id === each.rule);
    if (ofClient !== undefined) return ofClientIn(ofClient, each, seen);
    const sweep = sweeps.find(({ id }) => id === each.rule);
    if (sweep === undefined)
      return { ...blank(each), verdict: 'error', because: 'this rule is no longer in the catalogue' };
    const finding = deriveFinding(sweep, each, [], { exchanges: answered, steps: [], profile: {} });
    return finding.verdict === 'untested' && each.untested === undefined
      ? { ...finding, because: 'no answer of this kind passed' }
      : finding;
  });
}

function ofClientIn(rule: ClientRule, planned: PlannedRule, seen: Seen): Finding {
  if (planned.untested !== undefined)
    return { ...blank(planned), verdict: 'untested', because: planned.untested.because };
  const parts = typeof rule.passing === 'string' ? [] : rule.passing(seen.trials);
  const finding = findingFrom(rule, planned, parts, seen, blank(planned).asked);
  if (finding.verdict === 'inconclusive' || finding.verdict === 'untested')
    return { ...finding, verdict: 'untested', because: 'no traffic passed that it could be judged by' };
  const rests = new Set(parts.flatMap(({ runs, calls }) => (runs.length > 0 ? runs : calls).map(({ id }) => id)));
  return { ...finding, looked: { exchanges: rests.size, own: rests.size } };
}

/** The findings of a stored run. */
export const derivePassedAgain = (
  { header, exchanges }: Run,
  rules: readonly Rule[],
  ofClients: readonly ClientRule[],
): Finding[] => findingsOfPassed({ planned: header.planned, exchanges }, rules, ofClients);
