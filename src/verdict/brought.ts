/** Pure: what a step brought, as its rule's judge reads it. */
import type { Evidence } from '../model/evidence.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Data } from '../model/json.ts';
import type { About, Rule } from '../model/rule.ts';
import type { Step } from '../model/run.ts';
import { unpackEvidence } from './evidence.ts';

export interface BroughtBy {
  readonly about: About;
  readonly evidence: readonly Evidence[];
  /** Its gates were asked while it was: a run of version 1 holds what they said, and not always what they looked at. */
  readonly gated?: true;
}

export function broughtBy(rule: Rule, step: Step, exchanges: ReadonlyMap<number, Exchange>): BroughtBy {
  const unpacked = step.evidence.map((each) => unpackEvidence(each, exchanges));
  if (step.sent !== undefined) return { about: step.about ?? {}, evidence: unpacked as readonly Evidence[] };
  // In runs of version 1, what is known of the question stands among the evidence.
  const [first] = unpacked;
  const own = typeof first === 'object' && first !== null && !Array.isArray(first) ? (first as unknown as About) : {};
  const upgraded = unpacked.map((old) => rule.version1?.(old as Data) ?? { evidence: old as Evidence });
  return { about: upgraded[0]?.about ?? own, evidence: upgraded.map(({ evidence }) => evidence), gated: true };
}
