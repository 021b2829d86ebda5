/** The limit of a key: that there is one, whose it is, and how high. */
import {
  admittedIn,
  expectErrorBody,
  favoursNew,
  isRefused,
  type Round,
  rule,
  succeeded,
  violation,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inapplicableIf, inconclusiveIf } from '../../language/gates.ts';
import {
  cellIn,
  freeRounds,
  ifFound,
  isMet,
  isNoConnections,
  isOfKeys,
  isShut,
  metNone,
  newLetIn,
  orNothing,
  otherKeyElsewhere,
  otherKeyHere,
  probes,
  probing,
  refusalsIn,
  refusedAlike,
  sameKeyElsewhere,
  sharersIn,
  tellsAddressesApart,
} from '../../language/probing.ts';
import { isBeyondStated, statedTiers } from '../../language/stated-limits.ts';

export const exists = rule({
  id: 'limit.exists',
  clause: clauses.limitPerKey,
  needs: probes,
  ...probing,
  rests: 4,
  about: ({ subject }) => ({ stated: statedTiers(subject) }),
  async *ask({ limits }) {
    const probed = await limits.met();
    yield { probed };
    const isMetHere = probed.calls.some(isRefused);
    // Another status may be the key's, and 429 its address's.
    const isOther = probed.calls.some((each) => !succeeded(each) && !isRefused(each));
    yield { others: isOther ? await limits.otherRefusals() : [] };
    yield { near: isMetHere ? orNothing(await limits.neighbours()) : null };
  },
  given({ probed, near, others }, { stated }) {
    if (probed === undefined) return [];
    const { calls } = probed;
    if (isBeyondStated(probed, stated) || (others && refusedAlike(others))) return [];
    return [
      inconclusiveIf(
        calls.length > 0 && calls.every(isRefused),
        'every call was refused, from the first to the last, which may have any cause',
      ),
      near && cellIn(near, sameKeyElsewhere) === 'apart' ? isOfKeys(near) : undefined,
      others && !calls.some(isRefused) ? metNone(probed) : undefined,
    ];
  },
  judge({ probed, others }, { stated }) {
    const { calls } = probed;
    const alike = refusedAlike(others);
    if (alike !== undefined)
      return [violation(alike, '429 for a key beyond its limit', `${whatCame(alike)}, until it had rested`)];
    if (!isBeyondStated(probed, stated)) return [];
    const last = calls.findLast((each) => !isRefused(each));
    return [
      calls.some(isRefused)
        ? violation(last, '429 beyond the limit that the profile documents', 'many more admitted calls before one')
        : violation(last, '429 beyond the limit that the profile documents', 'no such refusal'),
    ];
  },
  fix: 'Count the calls of each key, and answer 429, not another status, beyond its limit.',
});

export const errorShape = rule({
  id: 'limit.error-shape',
  clause: clauses.limitedShape,
  needs: probes,
  ...probing,
  rests: 6,
  ask: async ({ limits }) => ({ probed: await limits.met() }),
  given: ({ probed }) => [isMet(probed)],
  judge: ({ probed }) => refusalsIn(probed.calls).slice(0, 5).flatMap(expectErrorBody),
  fix: 'Return `error` and `detail` in a 429 too, even if a gateway answers it.',
});

export const survivesReconnect = rule({
  id: 'limit.survives-reconnect',
  clause: clauses.limitOutlivesConnection,
  needs: probes,
  ...probing,
  ask: async ({ limits }) => ({ rounds: await limits.reconnecting() }),
  given({ rounds }) {
    const last = rounds?.at(-1);
    if (last === undefined) return [{ inconclusive: 'a single connection is too slow to reach the limit' }];
    if (freeRounds(rounds ?? []).length > 1) return [];
    const favoured = rounds?.find((each) => newLetIn(each) > 0 || favoursNew(each));
    const letIn = favoured === undefined ? 0 : admittedIn(favoured.fresh);
    return [
      inconclusiveIf(
        !last.fresh.some(isRefused) &&
          (last.fresh.length < last.most || (rounds?.length ?? 0) < 2 || !isShut(last.kept)),
        'the budget was too small to see whether new connections are limited',
      ),
      inconclusiveIf(
        letIn > 0,
        `${letIn} calls on new connections were accepted while the exhausted one was refused nearly each time, until they were refused too: there may be another limit behind one of the connection, such as that of the address or of one copy of the service`,
      ),
    ];
  },
  judge({ rounds }) {
    const free = freeRounds(rounds);
    if (free.length < 2) return [];
    const came = `${free[0]!.fresh.length} calls on new connections were accepted`;
    return [violation(free[0]!.fresh[0], 'a limited key to be limited on a new connection too', came)];
  },
  fix: 'Count by key, not by connection: a caller on a new connection is the same caller.',
});

export const otherKeyUnaffected = rule({
  id: 'limit.other-key-unaffected',
  clause: clauses.limitOfOneKey,
  needs: [...probes, 'second-key'],
  ...probing,
  async *ask({ limits }) {
    yield { near: await limits.neighbours() };
    yield { crossed: orNothing(await limits.crossed()) };
  },
  given({ near }) {
    if (near === undefined) return [];
    const elsewhere = cellIn(near, otherKeyElsewhere);
    if (cellIn(near, otherKeyHere) === 'apart' || elsewhere === 'apart') return [];
    return [
      inconclusiveIf(
        cellIn(near, otherKeyHere) === 'not asked',
        'there is no other key: the admin interface did not create one',
      ),
      inapplicableIf(
        elsewhere === 'not asked',
        'with a single client address, a limit of that address would look the same; add limits: { addresses: […] }',
      ),
      inconclusiveIf(elsewhere === 'unclear', 'the exhausted key did not stay refused for long enough'),
      inconclusiveIf(
        !tellsAddressesApart(near),
        'all keys were refused together, but it is unknown whether the service tells the addresses apart; set limits: { addresses: […] }',
      ),
    ];
  },
  judge({ near, crossed = [] }) {
    // Runs of other times asked one other key. That all keys of one owner have one quota is an agreement that no profile states.
    if (cellIn(near, otherKeyHere) === 'apart' || cellIn(near, otherKeyElsewhere) === 'apart')
      return sharersIn(crossed ?? []).map(({ other, answers }) =>
        warning(answers[0], `${other} to succeed, which had rested`, '429, because another key was exhausted'),
      );
    const refused = near.rounds
      .filter(({ other, twin }) => other === otherKeyElsewhere && twin.length > 0)
      .flatMap(({ answers }) => refusalsIn(answers));
    return [violation(refused[0], 'a rested key at another address to succeed', '429, because one key was exhausted')];
  },
  fix: 'Count each key separately: a key that calls too often must not take calls from another.',
});

/** A queue lets one of two through while its key is exhausted: a success elsewhere is another of these. */
function staysRefused(rounds: readonly Round[]): boolean {
  const own = rounds.filter(({ other }) => other === sameKeyElsewhere);
  const calls = own.flatMap(({ before, after }) => [...before, ...after]);
  return admittedIn(calls) * 4 <= calls.length;
}

export const followsTheKey = rule({
  id: 'limit.follows-the-key',
  clause: clauses.limitFollowsTheKey,
  needs: probes,
  ...probing,
  rests: 1.2,
  async *ask({ limits }) {
    yield { rounds: ifFound(await limits.reconnecting()) };
    yield { near: await limits.neighbours() };
  },
  given({ rounds, near }) {
    const there = near === undefined ? undefined : cellIn(near, sameKeyElsewhere);
    return [
      isNoConnections(rounds),
      inapplicableIf(there === 'not asked', 'there is only one client address; add limits: { addresses: […] }'),
      inconclusiveIf(
        there === 'unclear' || (there === 'apart' && !staysRefused(near!.rounds)),
        'the exhausted key did not stay refused for long enough',
      ),
      inconclusiveIf(
        there === 'together' && !tellsAddressesApart(near!),
        'it is unknown whether the service tells the addresses apart; set limits: { addresses: […] }',
      ),
      inapplicableIf(
        there === 'apart' && cellIn(near!, otherKeyHere) !== 'apart',
        'the limit that one key meets here may belong to its address; its own limit is unknown',
      ),
    ];
  },
  judge({ near }) {
    if (cellIn(near, sameKeyElsewhere) === 'together') return [];
    const [round] = near.rounds.filter(({ other }) => other === sameKeyElsewhere);
    return [
      violation(round?.answers[0], 'an exhausted key to be refused at every address', 'a success at another address'),
    ];
  },
  fix: 'Count a key wherever it calls from; the limit of the address is a separate one.',
});
