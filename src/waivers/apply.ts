/** Pure: which findings are waived, and which waivers have rotted. */

import type { PlannedRule, WaiverProblem } from '../model/run.ts';
import type { Finding } from '../model/verdict.ts';
import type { Waiving } from '../model/waiving.ts';
import { daysBetween, type Waiver } from './waiver.ts';

export function waivingBy(waivers: readonly Waiver[], today: string): Waiving {
  const byRule = new Map(waivers.map((each) => [each.rule, each]));
  const holds = (waiver: Waiver): boolean => daysBetween(today, waiver.expires) >= 0;
  return {
    finding(finding) {
      const waiver = byRule.get(finding.rule);
      if (
        waiver === undefined ||
        finding.waived !== undefined ||
        waiver.expectation !== finding.verdict ||
        !holds(waiver)
      )
        return finding;
      const { reason, owner, issue, expires } = waiver;
      return { ...finding, waived: { reason, owner, ...(issue === undefined ? {} : { issue }), expires } };
    },
    problems(findings, planned) {
      const found = new Map(findings.map((each) => [each.rule, each]));
      const plans = new Map(planned.map((each) => [each.rule, each]));
      return waivers.flatMap((waiver): WaiverProblem | WaiverProblem[] => {
        const plan = plans.get(waiver.rule);
        // Of a rule that this run was not asked for, nothing is known.
        if (plan === undefined || plan.provisional) return [];
        const problem = problemOf(waiver, found.get(waiver.rule), plan);
        if (problem?.problem === 'stale' || holds(waiver)) return problem ?? [];
        return [expired(waiver)];
      });
    },
  };
}

const expired = ({ rule, expires, owner }: Waiver): WaiverProblem => ({
  rule,
  problem: 'expired',
  says: `The waiver of ${rule} expired on ${expires} and no longer applies: fix what it waives, or ask ${owner} to renew it.`,
});

function problemOf(waiver: Waiver, finding: Finding | undefined, plan: PlannedRule): WaiverProblem | undefined {
  const { rule, expectation } = waiver;
  // Without a verdict of this run a waiver is neither needed nor needless.
  if (finding === undefined || finding.verdict === 'error' || finding.verdict === 'inconclusive') return undefined;
  if (finding.verdict === expectation) return undefined;
  if (finding.verdict === 'pass' || finding.verdict === 'observed') {
    const now = expectation === 'untested' ? 'the rule was tested and passes' : 'the rule passes';
    return { rule, problem: 'stale', says: `The waiver of ${rule} is stale: ${now} now. Remove it.` };
  }
  // That no answer of a kind came in this run is chance: the next one may need the waiver.
  if (finding.verdict === 'untested' && plan.untested === undefined) return undefined;
  const now =
    finding.verdict === 'untested' ? 'is untested with this profile' : `has the verdict \`${finding.verdict}\``;
  return {
    rule,
    problem: 'unused',
    says: `The waiver of ${rule} is unused: it expects \`${expectation}\`, and the rule ${now}. Change it or remove it.`,
  };
}
