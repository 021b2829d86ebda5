/** Pure: whether what was brought so far lets a rule be judged. Live it ends the asking; from a file it is derived again. */
import type { Evidence, EvidenceMap, NotFound } from '../model/evidence.ts';
import { isExchange } from '../model/exchange.ts';
import type { About, Gate, Rule } from '../model/rule.ts';

const isNotFound = (evidence: Evidence): evidence is NotFound =>
  typeof evidence === 'object' && evidence !== null && 'ended' in evidence && 'inapplicable' in evidence;

const isMap = (evidence: Evidence): evidence is EvidenceMap =>
  typeof evidence === 'object' && evidence !== null && !Array.isArray(evidence) && !isExchange(evidence);

/** Looking for a limit ended without a result: nothing can be judged from what is not there. */
function missing(evidence: Evidence): Gate {
  const pieces = isNotFound(evidence) || !isMap(evidence) ? [evidence] : Object.values(evidence);
  const ended = pieces.find(isNotFound);
  if (ended === undefined) return undefined;
  return ended.inapplicable ? { inapplicable: ended.ended } : { inconclusive: ended.ended };
}

/** The first gate that is shut; undefined if all are open. */
export function gateOf(rule: Rule, evidence: Evidence, about: About): Gate {
  return missing(evidence) ?? rule.given?.(evidence as never, about).find((gate) => gate !== undefined);
}
