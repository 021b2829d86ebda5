/**
 * Keys that nobody has used yet, each asked many times at once: an account that is made where there is none may be made by each of these
 * calls. Once it exists, the same calls are counted well.
 */
import type { NewKeys, Paces } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { admittedIn } from '../model/decision.ts';
import { excessOf, roomIn } from '../model/excess.ts';
import { atOnce } from './at-once.ts';
import type { Ground } from './ground.ts';

/** Each must show it; one that does not is enough to know that there is nothing. */
const keys = 3;

/** Null where keys are not made, or a rested key has as many calls as are sent at once. */
export async function newKeys(on: Ground, { inTurn }: Paces): Promise<NewKeys | null> {
  const { prober, options } = on;
  const left = roomIn(inTurn);
  if (left < 0 || 2 * left > atOnce || options.budget.quick) return null;
  return options.withMore(prober.spend, on.key.tier, keys + 1, async (made) => {
    const [alone, ...others] = made;
    if (alone === undefined || others.length < keys) return null;
    const seen: NewKeys['atOnce'][number][] = [];
    for (const key of others) {
      const probe = prober.probe({ ...on.who, keys: [key] }, on.route);
      const wave = prober.of(await probe.askMany(atOnce));
      if (excessOf({ primed: [], left, wave }) <= 0) return { atOnce: [...seen, { wave, later: [] }], inTurn: [] };
      await prober.sleep(on.restMs);
      seen.push({ wave, later: prober.of(await probe.askMany(atOnce)) });
    }
    return { atOnce: seen, inTurn: await inTurnOf(on, alone, left) };
  });
}

/** A new key that is asked one by one has no more than any other. */
async function inTurnOf({ prober, who, route }: Ground, key: Key, left: number) {
  const probe = prober.probe({ ...who, keys: [key] }, route);
  const calls = [];
  while (calls.length < 3 * left + atOnce && (calls.length === 0 || admittedIn(calls) === calls.length))
    calls.push(...prober.of([await probe.ask()]));
  return calls;
}
