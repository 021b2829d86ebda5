/** Copies of a service that are called in turn, each with a limit of its own. */

import type { Fitted, PerReplica } from '../../model/limit-model.ts';
import { usualWithin } from './lengths.ts';

/**
 * Buckets that are emptied together gain a token together: as many at once as there are copies, at a step that nobody
 * would write into a configuration.
 */
export function copiesIn({ kind, quantum, windowMs, burst, perSecond }: Fitted): PerReplica | undefined {
  if (kind !== 'stepped refill' || quantum === undefined || quantum < 2 || quantum > mostCopies) return undefined;
  if (windowMs === undefined || perSecond === undefined) return undefined;
  if (usualWithin(windowMs.low, windowMs.high, 1).length > 0) return undefined;
  return { copies: quantum, burst: burst.value / quantum, perSecond: perSecond.value / quantum };
}

const mostCopies = 16;
