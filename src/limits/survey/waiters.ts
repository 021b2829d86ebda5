/** Waits beside those of the first key: of other plans and sorts, at other routes; and a call before a stated wait is over. */
import { Inconclusive } from '../../model/ask.ts';
import type { EarlyCall, Wait } from '../../model/limits-ask.ts';
import { isRefused, toldMsBy } from '../model/decision.ts';
import { isExcessive, patientTrial } from '../model/retry.ts';
import type { RouteName, Who } from './call.ts';
import type { Ground } from './ground.ts';
import { guardMs, trialsOf, written } from './manners.ts';
import { exhaust } from './neighbours.ts';

export interface Waiter {
  readonly who: Who;
  readonly route: RouteName;
}

/** Of the time that is left, for a wait that is not the first key's. */
const longestShare = 0.1;
/** How many times as much as the first key a higher plan may have. */
const higher = 8;
/** And one of the same plan or a lower one. */
const asHigh = 2;
/** Of the calls that are left, for one of them. */
const callsShare = 0.04;

function unlessEnded(error: unknown): undefined {
  if (!(error instanceof Inconclusive)) throw error;
}

/** Each waits once, all at the same time; who is refused after that waits again alone, rested. */
export async function waitersWait(on: Ground, waiters: readonly Waiter[]): Promise<Wait[]> {
  const { prober, burst } = on;
  const seen: Wait[] = [];
  const rank = ({ keys: [key] }: Who): number => on.options.tierOrder.indexOf(key?.tier ?? '');
  const callsOf = (who: Who): number => (rank(who) > rank(on.who) ? higher : asHigh) * burst + 16;
  if (waiters.length === 0 || higher * burst > callsShare * prober.leftRequests) return seen;
  const longestMs = prober.leftMs * longestShare;
  const before = prober.isDistressed;
  const tried = await Promise.all(
    waiters.map(async ({ who, route }) => ({
      trial: await patientTrial(prober.probe(who, route), { longestMs, maxCalls: callsOf(who), guardMs, burst }).catch(
        unlessEnded,
      ),
      waiter: { who, route },
    })),
  );
  // One of them alone may be answered 503 beyond its limit: another rule looks at that.
  if (!before) prober.forgive();
  const came = tried.flatMap(({ trial, waiter }) => (trial === undefined ? [] : [{ trial, waiter }]));
  for (const { trial } of came) seen.push(written(prober, trial, false));
  for (const { waiter } of came.filter(({ trial }) => trial.came === 'refused'))
    seen.push(...(await trialsOf({ ...on, ...waiter }, 0, 1)));
  return seen;
}

/** Three are no chance. */
const rounds = 3;
/** So many refusals that every copy of the service had one. */
const surely = 16;
/** Of the stated wait. */
const earlyShare = 0.4;
/** Of the time that is left, for one of them: one is enough where the wait is true. */
const roundShare = 0.2;

const canBeEarly = (toldMs: number): boolean => isExcessive((1 - earlyShare) * toldMs, toldMs);

/** A call when less than half of the stated wait is over: one that is refused then was told nothing excessive. */
export async function callEarly(on: Ground, trials: readonly Wait[]): Promise<EarlyCall[]> {
  const { prober, who, route, options } = on;
  const seen: EarlyCall[] = [];
  const told = trials.flatMap(({ refusal }) => (refusal === null ? [] : [toldMsBy(refusal)]));
  // Where short waits are told too, the long ones are due to what this run did.
  if (options.budget.quick || told.length === 0 || !canBeEarly(Math.min(...told))) return seen;
  const own = prober.probe(who, route);
  try {
    while (seen.length < rounds && !seen.some(({ answer }) => isRefused(answer))) {
      if (roundShare * prober.leftMs < on.restMs + earlyShare * Math.max(...told)) break;
      await prober.sleep(on.restMs);
      await exhaust(on);
      const refused = prober.of(await own.askMany(surely));
      const toldMs = toldMsBy(refused.at(-1)!);
      if (!refused.every(isRefused) || !canBeEarly(toldMs)) break;
      await prober.sleep(earlyShare * toldMs);
      seen.push({ refused, answer: prober.of([await own.ask()])[0]! });
    }
  } catch (error) {
    // What is known of the waits stays known.
    if (!(error instanceof Inconclusive)) throw error;
  }
  return seen;
}
