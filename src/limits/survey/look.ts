/** One look at the limit of one caller: rested, identified, and looked at again where that was not rest enough. */
import type { Probed } from '../../model/limits-ask.ts';
import { restOf } from '../model/decision.ts';
import { modelOfProbed } from '../model/probed.ts';
import { identify } from '../probe/identify.ts';
import type { RouteName, Who } from './call.ts';
import type { SurveyOptions } from './ground.ts';
import type { Prober } from './prober.ts';

/** What is left for the rest of the survey after a limit was looked for. */
const share = 0.5;

/** Before the first look: what was asked before may still count. */
export const settleMs = 2000;

export interface Look {
  /** How many calls, at most. */
  readonly most?: number;
  /** Whether a wider limit behind the first is looked for too: 10 a second and 300 a minute. */
  readonly further?: boolean;
}

const furtherCalls = 300;
const furtherShare = 0.05;

/**
 * The experiments begin with a rested caller. A key that was just used is not rested, so no model fits: it is
 * looked at again, after as long a rest as the best guess demands.
 */
export async function lookAt(
  prober: Prober,
  { budget, random }: SurveyOptions,
  who: Who,
  route: RouteName,
  { most = Number.POSITIVE_INFINITY, further = false }: Look = {},
): Promise<Probed> {
  const once = async (): Promise<Probed> => {
    const found = await identify(
      prober.probe(who, route),
      {
        maxRequests: Math.floor(Math.min(most, prober.leftRequests * share)),
        maxSeconds: (prober.leftMs * share) / 1000,
        quick: budget.quick,
        ...(further && !budget.quick ? { sustain: furtherCalls, sustainMs: prober.leftMs * furtherShare } : {}),
      },
      random,
    );
    return {
      caller: who.keys[0]?.name ?? 'no key',
      tier: who.keys[0]?.tier ?? null,
      route,
      calls: prober.of(found.trace),
      sustainedFrom: found.sustainedFrom ?? null,
      stopped: found.stopped ?? null,
    };
  };
  await prober.sleep(Math.min(settleMs, prober.leftMs * 0.02));
  const first = await once();
  const model = modelOfProbed(first);
  if (model.certainty.is === 'identified' || model.certainty.is === 'none within budget') return first;
  const restMs = Math.max(settleMs, restOf(model, first.calls) ?? 0);
  if (first.stopped !== null || restMs > prober.leftMs * 0.2) return first;
  await prober.sleep(restMs);
  const second = await once();
  return modelOfProbed(second).explained >= model.explained ? second : first;
}
