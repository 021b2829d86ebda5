/** The limit of a key: that there is one, whose it is, and how high. */
import {
  type Exchange,
  hasErrorBody,
  Inapplicable,
  Inconclusive,
  isRefused,
  modelOfProbed,
  type OtherRefusal,
  rule,
  statusOf,
  summary,
  violation,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import {
  cellIn,
  freeRounds,
  isNoConnections,
  isOfKeys,
  isShut,
  metIn,
  metNone,
  newLetIn,
  otherKeyElsewhere,
  otherKeyHere,
  paceOf,
  probes,
  probing,
  refusalsIn,
  sameKeyElsewhere,
  tellsAddressesApart,
} from '../../language/probing.ts';
import { isFarBeyond } from '../../language/stated-limits.ts';

/** One and the same other refusal each time, while another key was served. */
const refusedAlike = (others: readonly OtherRefusal[]): Exchange | undefined => {
  const statuses = new Set(others.flatMap(({ refused }) => refused.map((each) => statusOf(each) ?? 0)));
  const [status = 0] = statuses;
  const isWhole =
    others.length >= 3 &&
    statuses.size === 1 &&
    status >= 400 &&
    others.every(({ otherKey }) => (status < 500 && otherKey === null) || (otherKey !== null && isServed(otherKey)));
  return isWhole ? others[0]?.refused[0] : undefined;
};

const isServed = (exchange: Exchange): boolean => {
  const status = statusOf(exchange) ?? 0;
  return status >= 200 && status < 300;
};

export const exists = rule({
  id: 'limit.exists',
  clause: clauses.limitPerKey,
  needs: probes,
  ...probing,
  async ask({ limits, subject }) {
    const probed = await limits.key();
    if (probed.calls.some(isRefused)) {
      if (probed.calls.every(isRefused))
        throw new Inconclusive('every call was refused, from the first to the last: that may be anything');
      const near = await limits.neighbours().catch(() => undefined);
      if (near !== undefined && cellIn(near, sameKeyElsewhere) === 'apart') isOfKeys(near);
      return { calls: refusalsIn(probed.calls).slice(0, 3), others: [], unlimited: false };
    }
    const stated = subject.limits.tiers[probed.tier ?? ''];
    const unlimited = isFarBeyond(probed.calls, stated);
    const others = probed.calls.every(isServed) ? [] : await limits.otherRefusals();
    if (!unlimited && refusedAlike(others) === undefined) throw metNone(probed);
    return { calls: probed.calls.slice(-1), others, unlimited };
  },
  judge({ calls, others, unlimited }) {
    const alike = refusedAlike(others);
    if (alike !== undefined)
      return [violation(alike, '429 for a key that is beyond its limit', `${whatCame(alike)}, until it had rested`)];
    return unlimited ? [violation(calls[0], '429 beyond the limit that the profile states', 'no refusal at all')] : [];
  },
  mend: 'Count the calls of each key, and answer 429 beyond its limit: no other status.',
});

export const errorShape = rule({
  id: 'limit.error-shape',
  clause: clauses.limitedShape,
  needs: probes,
  ...probing,
  ask: async ({ limits }) => refusalsIn(metIn(await limits.key()).calls).slice(0, 5),
  judge: (refusals) => refusals.flatMap(hasErrorBody),
  mend: 'A 429 has the body of every other error: `error` and `detail`, also where a gateway answers it.',
});

export const survivesReconnect = rule({
  id: 'limit.survives-reconnect',
  clause: clauses.limitOutlivesConnection,
  needs: probes,
  ...probing,
  async ask({ limits }) {
    const rounds = await limits.reconnecting();
    const last = rounds.at(-1);
    if (last === undefined) throw new Inconclusive('one connection alone is too slow to meet the limit');
    if (!last.fresh.some(isRefused) && (last.fresh.length < last.most || rounds.length < 2 || !isShut(last.kept)))
      throw new Inconclusive('the budget did not suffice to see whether new connections are limited');
    const letIn = newLetIn(last);
    if (letIn > 0)
      throw new Inconclusive(
        `${letIn} calls on new connections were let in while the exhausted one was refused each time, before anything refused them too: a limit of another kind, as of the address or of one copy of the service, may stand behind one of the connection`,
      );
    return rounds;
  },
  judge(rounds) {
    const free = freeRounds(rounds);
    if (free.length < 2) return [];
    const came = `${free[0]!.fresh.length} calls on new connections were admitted`;
    return [violation(free[0]!.fresh[0], 'a limited key to be limited on a new connection too', came)];
  },
  mend: 'Count by the key, not by the connection: whoever opens a new one is the same caller.',
});

export const otherKeyUnaffected = rule({
  id: 'limit.other-key-unaffected',
  clause: clauses.limitOfOneKey,
  needs: [...probes, 'second-key'],
  ...probing,
  async ask({ limits }) {
    const near = await limits.neighbours();
    const [here, elsewhere] = [cellIn(near, otherKeyHere), cellIn(near, otherKeyElsewhere)];
    if (here === 'apart' || elsewhere === 'apart') return near;
    if (elsewhere === 'not asked')
      throw new Inapplicable(
        'with one address to call from, a limit of that address would look the same; add limits: { addresses: […] }',
      );
    if (elsewhere === 'unclear') throw new Inconclusive('the exhausted key did not stay refused long enough to tell');
    if (!tellsAddressesApart(near))
      throw new Inconclusive(
        'all keys were refused together, but whether the service sees the addresses apart is not known; state limits: { addresses: […] }',
      );
    return near;
  },
  judge(near) {
    if (cellIn(near, otherKeyHere) === 'apart' || cellIn(near, otherKeyElsewhere) === 'apart') return [];
    const refused = near.rounds
      .filter(({ other, twin }) => other === otherKeyElsewhere && twin.length > 0)
      .flatMap(({ answers }) => refusalsIn(answers));
    return [violation(refused[0], 'a rested key at another address to be admitted', '429, as one key was exhausted')];
  },
  mend: 'Count each key by itself: one that calls too much must not cost another one its calls.',
});

export const followsTheKey = rule({
  id: 'limit.follows-the-key',
  clause: clauses.limitFollowsTheKey,
  needs: probes,
  ...probing,
  async ask({ limits }) {
    await isNoConnections(limits);
    const near = await limits.neighbours();
    const there = cellIn(near, sameKeyElsewhere);
    if (there === 'not asked')
      throw new Inapplicable('there is one address to call from only; add limits: { addresses: […] }');
    if (there === 'unclear') throw new Inconclusive('the exhausted key did not stay refused long enough to tell');
    if (there === 'together' && !tellsAddressesApart(near))
      throw new Inconclusive(
        'whether the service sees the addresses apart is not known; state limits: { addresses: […] }',
      );
    if (there === 'apart' && cellIn(near, otherKeyHere) !== 'apart')
      throw new Inapplicable(
        'what one key meets here may be the limit of its address; of its own limit nothing is known',
      );
    return near;
  },
  judge(near) {
    if (cellIn(near, sameKeyElsewhere) === 'together') return [];
    const [round] = near.rounds.filter(({ other }) => other === sameKeyElsewhere);
    return [
      violation(round?.answers[0], 'an exhausted key to be refused at every address', 'it was admitted at another one'),
    ];
  },
  mend: 'Count a key wherever it calls from; the address has a limit of its own beside that.',
});

export const scalesWithTier = rule({
  id: 'limit.scales-with-tier',
  clause: clauses.limitsScaleWithPlan,
  needs: [...probes, 'two-tiers'],
  ...probing,
  async ask({ limits, subject }) {
    if (subject.tierOrder.length < 2)
      throw new Inapplicable('the order of the tiers is not stated; add tiers: [lowest, …]');
    isOfKeys(await limits.neighbours());
    const tiers = await limits.tiers();
    const known = tiers.filter((each) => paceOf(modelOfProbed(each)) !== undefined);
    if (known.length < 2) throw new Inconclusive('the limits of two tiers could not be found out within the budget');
    return known;
  },
  judge: (tiers) =>
    tiers.slice(1).flatMap((higher, at) => {
      const lower = tiers[at]!;
      const [low, high] = [modelOfProbed(lower), modelOfProbed(higher)];
      const [slow, fast] = [paceOf(low)!, paceOf(high)!];
      const [few, many] = [low.burst!, high.burst!];
      const exchange = refusalsIn(higher.calls)[0];
      const isBelow = (a: typeof slow, b: typeof slow): boolean => a.high * 1.02 < b.low;
      const falls = (isBelow(fast, slow) && !isBelow(few, many)) || (isBelow(many, few) && !isBelow(slow, fast));
      const told = `${higher.tier}: ${summary(high)}; ${lower.tier}: ${summary(low)}`;
      if (falls) return [violation(exchange, `no lower limit for ${higher.tier} than for ${lower.tier}`, told)];
      const isSame = !isBelow(slow, fast) && !isBelow(few, many) && !isBelow(fast, slow) && !isBelow(many, few);
      return isSame ? [warning(exchange, `a higher limit for ${higher.tier} than for ${lower.tier}`, told)] : [];
    }),
  mend: 'Take the limit from the plan of the key: a higher plan admits more, never less.',
});

export const asDeclared = rule({
  id: 'limit.as-declared',
  clause: clauses.limitsAsStated,
  needs: [...probes, 'limits.declared'],
  ...probing,
  async ask({ limits, subject }) {
    const { tiers, tolerance } = subject.limits;
    const own = await limits.key();
    isOfKeys(await limits.neighbours());
    const all = subject.tierOrder.length > 1 ? await limits.tiers() : [];
    const stated = [own, ...all.filter(({ caller }) => caller !== own.caller)].flatMap((probed) => {
      const limit = tiers[probed.tier ?? ''];
      return limit === undefined || paceOf(modelOfProbed(probed)) === undefined
        ? []
        : [{ probed, limit: { ...limit } }];
    });
    if (stated.length === 0) throw new Inconclusive('no limit that the profile states a number for was found out');
    return { stated, tolerance };
  },
  judge: ({ stated, tolerance }) =>
    stated.flatMap(({ probed, limit }) => {
      const model = modelOfProbed(probed);
      const pace = paceOf(model)!;
      const wanted = (1000 * limit.requests) / limit.perMs;
      const isOff = ({ low, high }: { low: number; high: number }, right: number): boolean =>
        high < right - Math.max(right * tolerance, 1e-9) || low > right + right * tolerance;
      const burst = limit.burst ?? null;
      const wrong = isOff(pace, wanted) || (burst !== null && model.burst !== undefined && isOff(model.burst, burst));
      const text = `${limit.requests} calls in ${limit.perMs / 1000} s${burst === null ? '' : `, ${burst} at once`}`;
      return wrong ? [violation(refusalsIn(probed.calls)[0], text, summary(model))] : [];
    }),
  mend: 'Either the limit or what is written about it is wrong: make them the same.',
});
