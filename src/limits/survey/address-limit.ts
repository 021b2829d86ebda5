/**
 * The limit of an address. It is met by one key, where it is narrower than the key's own; else by callers without a key,
 * who have no key's limit; else by many keys together, each within its own.
 */
import { Inapplicable, Inconclusive } from '../../model/ask.ts';
import type { Exchange } from '../../model/exchange.ts';
import type { LimitModel } from '../../model/limit-model.ts';
import type { AddressLimit, Neighbours, Probed } from '../../model/limits-ask.ts';
import { cellOf } from '../model/cells.ts';
import { isRefused, restOf } from '../model/decision.ts';
import { neighbours } from './neighbours.ts';
import type { Who } from './prober.ts';
import type { Ground } from './survey.ts';

export interface AddressFound {
  readonly evidence: AddressLimit;
  readonly who: Who;
  readonly burst: number;
  readonly model: LimitModel;
  readonly restMs: number;
}

export interface AddressQuest {
  readonly on: Ground;
  readonly near: Neighbours;
  /** The limit that callers without a key meet. */
  readonly withoutKey: () => Promise<Probed>;
  readonly modelOf: (probed: Probed) => LimitModel;
}

export async function findAddressLimit(quest: AddressQuest): Promise<AddressFound> {
  const { on, near } = quest;
  const here = cellOf(near.rounds, 'another key at the same address');
  if (here === 'together') return byOneKey(on, near);
  if (here === 'not asked')
    throw new Inapplicable('a single key cannot distinguish its own limit from that of its address');
  if (here === 'unclear') throw new Inconclusive('it is undetermined whether keys share a limit at one address');
  return (await byNobody(quest)) ?? (await byManyKeys(on));
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
      model: on.model,
      restMs: on.restMs,
    };
  }
  if (elsewhere === 'not asked')
    throw new Inapplicable(
      'with a single client address, a limit of the address looks like one that all keys share; add limits: { addresses: […] }',
    );
  throw new Inconclusive(
    elsewhere === 'together'
      ? 'all keys at all addresses were refused together: no limit of one address shows behind that'
      : 'it is undetermined whether the limit is that of the address',
  );
}

async function byNobody({ on, withoutKey, modelOf }: AddressQuest): Promise<AddressFound | undefined> {
  const probed = await withoutKey();
  if (!probed.calls.some(isRefused)) return undefined;
  const { options } = on;
  const model = modelOf(probed);
  const burst = Math.max(1, model.burst?.high ?? model.atLeast?.calls ?? 1);
  const restMs = Math.max(on.restMs, restOf(model, probed.calls) ?? 0);
  const who: Who = { keys: [null], ...options.places[0] };
  const rested = options.keys[1] ?? options.keys[0]!;
  const others = [{ name: 'a key at the same address', who: { ...who, keys: [rested] } }];
  const rounds = await neighbours({ ...on, who, burst, model, restMs }, others);
  // Callers without a key may have a limit of their own.
  if (cellOf(rounds, others[0]!.name) !== 'together') return undefined;
  const tried = rounds.filter(({ twin }) => twin.length > 0).flatMap(({ answers }) => answers);
  return { evidence: { by: 'no key', calls: probed.calls, tried }, who, burst, model, restMs };
}

/** Each key spends a part of what is its own; whoever is refused all the same was refused for its address. */
const ownPart = 0.7;

async function byManyKeys(on: Ground): Promise<AddressFound> {
  const { prober, options, restMs, route } = on;
  // A key of another plan may have less that is its own.
  const keys = options.keys.filter(({ tier }) => tier === on.key.tier);
  const count = keys.length;
  // One is kept out of it: what it is refused, it did not spend itself.
  const [kept, ...spent] = keys;
  const [home, elsewhere] = options.places;
  const calls: Exchange[] = [];
  const most = Math.floor(ownPart * on.burst) * spent.length;
  if (elsewhere !== undefined && kept !== undefined && spent.length > 0) {
    await prober.sleep(restMs);
    const who: Who = { keys: spent, ...home };
    const probe = prober.probe(who, route);
    while (calls.length < most && !calls.some(isRefused)) {
      calls.push(...prober.of(await probe.askMany(Math.min(spent.length * 4, most - calls.length))));
    }
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
        return { evidence, who, burst: ground.burst, model: on.model, restMs };
      }
    }
  }
  const more = Math.max(1, Math.ceil((2 * most) / Math.max(1, ownPart * on.burst)));
  throw new Inapplicable(
    `${count === 1 ? 'one key' : `${count} keys`}, each within its own limit, meet none of the address: ${calls.length} calls were admitted; ${more} more keys of that kind would look three times as far`,
  );
}
