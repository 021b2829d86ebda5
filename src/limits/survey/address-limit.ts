/**
 * The limit of an address. It is met by one key, where it is narrower than the key's own; else by callers without a key,
 * who have no key's limit; else by many keys together, each within its own.
 */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { AddressLimit, Neighbours, Probed } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { isRefused } from '../model/decision.ts';
import type { Who } from './call.ts';
import { addressStated, type Ground } from './ground.ts';
import { neighbours } from './neighbours.ts';
import type { Met } from './rested.ts';

export interface AddressFound {
  readonly evidence: AddressLimit;
  readonly who: Who;
  readonly burst: number;
  readonly restMs: number;
}

export interface AddressQuest {
  readonly on: Ground;
  readonly near: Neighbours;
  /** The limit that callers without a key meet. */
  readonly strangers: () => Promise<Met>;
}

export async function findAddressLimit(quest: AddressQuest): Promise<AddressFound> {
  const { on, near } = quest;
  const here = cellOf(near.rounds, 'another key at the same address');
  if (here === 'together') return byOneKey(on, near);
  if (here === 'not asked')
    throw new Inapplicable('a single key cannot distinguish its own limit from that of its address');
  if (here === 'unclear') throw new Inconclusive('it is undetermined whether keys share a limit at one address');
  const alone = await quest.strangers();
  const likely = alone.calls.some(isRefused) ? alone.burst : undefined;
  return (await byNobody(quest)) ?? (await byManyKeys(on, likely));
}

function byOneKey(on: Ground, near: Neighbours): AddressFound {
  const elsewhere = cellOf(near.rounds, 'the same key at another address');
  if (elsewhere === 'apart') {
    const rounds = near.rounds.filter(({ other }) => other === 'another key at the same address');
    return {
      evidence: {
        by: 'one key',
        calls: rounds.flatMap(({ exhausting }) => exhausting),
        tried: rounds.filter(({ twin }) => twin.length > 0).flatMap(({ answers }) => answers),
      },
      who: on.who,
      burst: on.burst,
      restMs: on.restMs,
    };
  }
  if (elsewhere === 'not asked')
    throw new Inapplicable(
      'with a single client address, a limit of the address looks like one that all keys share; add limits: { addresses: […] }',
    );
  throw new Inconclusive(
    elsewhere === 'together'
      ? 'all keys at all addresses were refused together, which hides any limit of one address'
      : 'it is undetermined whether the limit is that of the address',
  );
}

async function byNobody({ on, strangers }: AddressQuest): Promise<AddressFound | undefined> {
  const { calls, burst, restMs: own } = await strangers();
  if (!calls.some(isRefused)) return undefined;
  const { options } = on;
  const restMs = Math.max(on.restMs, Number.isFinite(own) ? own : 0);
  const who: Who = { keys: [null], ...options.places[0] };
  const rested = options.keys[1] ?? options.keys[0]!;
  const others = [{ name: 'a key at the same address', who: { ...who, keys: [rested] } }];
  const rounds = await neighbours({ ...on, who, burst, restMs }, others);
  // Callers without a key may have a limit of their own.
  if (cellOf(rounds, others[0]!.name) !== 'together') return undefined;
  const tried = rounds.filter(({ twin }) => twin.length > 0).flatMap(({ answers }) => answers);
  return { evidence: { by: 'no key', calls, tried }, who, burst, restMs };
}

/** Each key spends a part of its own quota; a key that is still refused was refused for its address. */
export const ownPart = 0.7;

/** How many keys are made to look for the limit of an address where none is stated. */
const usualCrowd = 12;
export const largestCrowd = 40;

/** `likely`: what callers without a key have, who may meet the limit of their address. */
function crowdFor({ burst, options }: Ground, likely = 0): number {
  const stated = addressStated(options);
  const wanted = Math.max(likely, stated ?? 0);
  const enough = Math.ceil((2.5 * wanted) / Math.max(1, Math.floor(ownPart * burst))) + 1;
  return Math.min(largestCrowd, Math.max(stated === undefined ? usualCrowd : 0, enough));
}

/** Many keys, those of the profile and such as are made for it, each within its own limit, until one is refused. */
async function spendTogether(on: Ground, spent: readonly Key[]): Promise<{ who: Who; calls: Exchange[] }> {
  const { prober, options, restMs, route } = on;
  const calls: Exchange[] = [];
  const most = Math.floor(ownPart * on.burst) * spent.length;
  const who: Who = { keys: spent, ...options.places[0] };
  await prober.sleep(restMs);
  const probe = prober.probe(who, route);
  while (calls.length < most && !calls.some(isRefused))
    calls.push(...prober.of(await probe.askMany(Math.min(spent.length * 4, most - calls.length))));
  return { who, calls };
}

/** Keys of another plan may have less that is their own. */
export const alike = ({ options, key: { tier } }: Ground): readonly Key[] =>
  options.keys.filter((each) => each.tier === tier);

export async function crowdAt(on: Ground): Promise<Probed> {
  return on.options.withMore(on.prober.spend, on.key.tier, crowdFor(on), async (made) => {
    const { calls } = await spendTogether(on, [...alike(on), ...made]);
    const { route, key } = on;
    return { caller: 'many keys', tier: key.tier ?? null, route, calls, sustainedFrom: null, stopped: null };
  });
}

async function byManyKeys(on: Ground, likely: number | undefined): Promise<AddressFound> {
  const own = alike(on);
  const first = await byThese(on, own);
  if ('found' in first) return first.found;
  const more = await on.options.withMore(on.prober.spend, on.key.tier, crowdFor(on, likely), async (made) =>
    made.length === 0 ? undefined : byThese(on, [...own, ...made]),
  );
  if (more !== undefined && 'found' in more) return { ...more.found, who: { ...more.found.who, keys: own } };
  const { admitted, keys } = more ?? first;
  const further = Math.max(1, 2 * Math.max(1, keys - 1));
  throw new Inapplicable(
    `${keys === 1 ? 'one key' : `${keys} keys`}, each within its own limit, reached no limit of the address: ${admitted} calls were admitted; ${further} more keys of that kind would probe three times as far`,
  );
}

async function byThese(
  on: Ground,
  keys: readonly Key[],
): Promise<{ readonly found: AddressFound } | { readonly admitted: number; readonly keys: number }> {
  const { options, restMs } = on;
  // One key takes no part: its refusals are not due to its own calls.
  const [kept, ...spent] = keys;
  const [home, elsewhere] = options.places;
  if (elsewhere === undefined || kept === undefined || spent.length === 0) return { admitted: 0, keys: keys.length };
  const { who, calls } = await spendTogether(on, spent);
  if (calls.some(isRefused)) {
    const ground: Ground = { ...on, who, burst: Math.max(1, calls.filter((each) => !isRefused(each)).length) };
    const others = [
      { name: 'here', who: { keys: [kept], ...home } },
      { name: 'elsewhere', who: { keys: [kept], ...elsewhere } },
    ];
    const rounds = await neighbours(ground, others);
    if (cellOf(rounds, 'here') === 'together' && cellOf(rounds, 'elsewhere') === 'apart') {
      const tried = rounds.filter(({ other, twin }) => other === 'here' && twin.length > 0);
      const evidence = { by: 'many keys' as const, calls, tried: tried.flatMap(({ answers }) => answers) };
      return { found: { evidence, who, burst: ground.burst, restMs } };
    }
  }
  return { admitted: calls.filter((each) => !isRefused(each)).length, keys: keys.length };
}
