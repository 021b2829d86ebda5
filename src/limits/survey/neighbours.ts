/**
 * Whose limit it is: while one caller is exhausted, others call. A caller that is admitted has a limit of its own. One that is refused may
 * have spent what is its own, so it is believed only where, as rested and without the other's exhaustion, it was admitted.
 */
import { Inconclusive } from '../../model/ask.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { Round } from '../../model/limits-ask.ts';
import { carefulRounds, cellOf } from '../model/cells.ts';
import { isRefused } from '../model/decision.ts';
import type { RouteName, Who } from './call.ts';
import type { Exhausting, Ground } from './ground.ts';

export interface Other {
  readonly name: string;
  readonly who: Who;
  /** Where it calls, if not at the route of the limit. */
  readonly route?: RouteName;
  /** What the rounds of those before it say may be enough. */
  readonly isNeeded?: (rounds: readonly Round[]) => boolean;
}

const quickRounds = 3;

export async function neighbours(on: Ground, others: readonly Other[]): Promise<Round[]> {
  const rounds: Round[] = [];
  const { prober, restMs } = on;
  if (others.length === 0) return rounds;
  // As many as a rested caller has at once, in all rounds together: tokens that arrived meanwhile admit one call, not all.
  const size = Math.max(1, Math.min(4, Math.floor(on.burst / quickRounds)));
  await prober.sleep(restMs);
  for (const other of others) {
    if (other.isNeeded?.(rounds) === false) continue;
    for (let round = 0; round < quickRounds; round += 1) {
      const seen = await roundOf(on, other, size, []);
      rounds.push(seen);
      if (seen.answers.some(isRefused)) break;
    }
  }
  for (const other of others) {
    const cell = cellOf(rounds, other.name);
    if (cell === 'apart' || cell === 'not asked') continue;
    try {
      await carefully(on, other, size, rounds);
    } catch (error) {
      // What is known of the others stays known.
      if (!(error instanceof Inconclusive)) throw error;
    }
  }
  return rounds;
}

/** How many refusals show that the one is exhausted. */
const usually = 2;

/**
 * One call of each is enough to see that it has an account of its own; who is refused is looked at with care. With another number of
 * refusals before the first of them calls.
 */
export async function crossing(on: Ground, others: readonly Other[], refusals = usually): Promise<Round[]> {
  const rounds: Round[] = [];
  if (others.length === 0) return rounds;
  await on.prober.sleep(on.restMs);
  const before = (other: Other): number => (other === others[0] ? refusals : usually);
  for (const other of others) rounds.push(await roundOf(on, other, 1, [], before(other)));
  const refused = others.filter(({ name }) => cellOf(rounds, name) !== 'apart');
  for (const other of refused.slice(0, atMost)) await carefully(on, other, 1, rounds, before(other));
  return rounds;
}

/** More that share one account say nothing new. */
const atMost = 2;

export async function carefully(
  on: Ground,
  other: Other,
  size: number,
  rounds: Round[],
  refusals = usually,
): Promise<void> {
  const { prober, restMs, route } = on;
  for (let round = 0; round < carefulRounds; round += 1) {
    await prober.sleep(restMs);
    const twin = prober.of(await prober.probe(other.who, other.route ?? route).askMany(size));
    // The next caller to exhaust needs no rest; another one may have a lower limit.
    if (other.who.keys[0] !== on.who.keys[0]) await prober.sleep(restMs);
    rounds.push(await roundOf(on, other, size, twin, refusals));
  }
}

/** The one is exhausted, then the other asks. */
export async function roundOf(
  on: Ground,
  other: Other,
  size: number,
  twin: readonly Exchange[],
  refusals = usually,
): Promise<Round> {
  const { prober, route } = on;
  const exhausting = await exhaust(on);
  const own = prober.probe(on.who, route);
  const before = prober.of(await own.askMany(refusals));
  const answers = prober.of(await prober.probe(other.who, other.route ?? route).askMany(size));
  const after = prober.of(await own.askMany(2));
  return { other: other.name, twin, exhausting, before, answers, after };
}

/** Until a call is refused; what that took. */
export async function exhaust({ prober, who, route, burst }: Ground): Promise<Exchange[]> {
  const probe = prober.probe(who, route);
  const asked: Exchange[] = [];
  const most = 8 * burst + 100;
  for (let size = 1; asked.length < most; size = Math.min(256, asked.length === 1 ? Math.ceil(burst) : size * 2)) {
    const answers = prober.of(await probe.askMany(size));
    asked.push(...answers);
    if (answers.some(isRefused)) return asked;
  }
  throw new Inconclusive('the limit that was met before was not met again');
}

/** The same for runs, which somebody else asks. */
export const exhaustingBy = (on: Ground, from: string | undefined): Exhausting => ({
  key: on.key,
  burst: on.burst,
  from,
  spend: on.prober.spend,
  rest: () => on.prober.sleep(on.restMs),
  exhaust: async () => {
    await exhaust(on);
  },
});
