/** Keys for rules about limits: of each sort and plan, those that are made for it included. They are removed again. */

import { isRefused } from '../limits/model/decision.ts';
import type { Spend } from '../limits/survey/ground.ts';
import type { Sorted } from '../limits/survey/sorts.ts';
import type { AdminAsk, Wanted } from '../model/ask.ts';
import { type Exchange, jsonOf, succeeded } from '../model/exchange.ts';
import type { Key } from '../model/subject.ts';
import { adminAsker } from './admin-asker.ts';
import { makesKeys } from './capabilities.ts';
import type { Sending } from './recorder.ts';
import { asClient, type Defaults, runRequest, verifyRequest } from './requests.ts';
import type { Session } from './session.ts';
import { removeMade } from './tidy-up.ts';

const defaultsOf = (session: Session): Defaults => ({
  purpose: 'probe',
  instance: 'main',
  line: 'keys for limits',
  ...asClient(session, 'keys for limits'),
});

type Use<K, T> = (keys: readonly K[]) => Promise<T>;

const paying =
  ({ recorder }: Session, spend: Spend) =>
  async (sending: Sending) => {
    spend();
    return recorder.send(sending);
  };

/** What the service itself says about a key, once a change is due. Null: it stays refused, as long as it waits; so would others. */
async function tierSaid(session: Session, spend: Spend, key: Key): Promise<string | null | undefined> {
  const { exchange } = await paying(session, spend)(verifyRequest(session, { key }, defaultsOf(session)));
  if (isRefused(exchange)) return null;
  const body = jsonOf(exchange);
  const tier = succeeded(exchange) && body.ok ? (body.value as { readonly tier?: unknown } | null)?.tier : undefined;
  return typeof tier === 'string' ? tier : undefined;
}

/** Where the profile lets a change choose: the highest tier and the lowest that the key does not have. */
function otherTiers({ subject: { admin, keys, tierOrder } }: Session, key: Key): readonly { readonly tier?: string }[] {
  if (!admin?.chooses.change.includes('tier')) return [{}];
  const known = [...keys.flatMap((each) => each.tier ?? []), ...tierOrder].filter((each) => each !== key.tier);
  if (known.length === 0) return [{}];
  const [highest, lowest] = [known.at(-1)!, tierOrder.find((each) => each !== key.tier) ?? known[0]!];
  return [...new Set([highest, lowest])].map((tier) => ({ tier }));
}

/** Test keys, of the highest plan too, and one of each plan that no configured key has: what a table of limits may lack. */
async function furtherKeys(session: Session, spend: Spend, admin: AdminAsk): Promise<readonly Sorted[]> {
  const { keys, tierOrder, admin: described } = session.subject;
  const chooses = described?.chooses.create ?? [];
  const highest = chooses.includes('tier') ? tierOrder.at(-1) : undefined;
  const ofTest: readonly Wanted[] = [
    { environment: 'test' },
    ...(highest === undefined || highest === described?.tier ? [] : [{ environment: 'test' as const, tier: highest }]),
  ];
  const wanted: readonly Wanted[] = [
    ...(chooses.includes('environment') ? ofTest : []),
    ...(chooses.includes('tier') ? tierOrder.filter((each) => keys.every(({ tier }) => tier !== each)) : []).map(
      (tier) => ({ tier }),
    ),
  ];
  const sorted: Sorted[] = [];
  for (const each of wanted) {
    const { key } = await admin.create(each);
    const tier = key === undefined ? undefined : await tierSaid(session, spend, key);
    if (tier === null) break;
    if (key === undefined || tier === undefined) continue;
    const sort = each.environment === undefined ? 'an issued key' : 'an issued test key';
    sorted.push({ sort, key: { ...key, tier } });
  }
  return sorted;
}

/** What becomes of a key that was used, and what sort it is then. */
interface Changes {
  readonly sort: string;
  readonly each: readonly Wanted[];
  /** It is of that sort whether its tier is another one in the end or not. */
  readonly whatever?: true;
}

/** To the highest and to the lowest of the others; to one and then to another; and its features alone. */
function changesOf(session: Session, key: Key): readonly Changes[] {
  const { admin, keys } = session.subject;
  const [highest = {}, lowest] = otherTiers(session, key);
  const sort = `a key whose tier was changed (${key.tier} before)`;
  const own: Wanted = key.tier === undefined ? {} : { tier: key.tier };
  const features = [...new Set([...(admin?.features ?? []), ...keys.flatMap((each) => each.features ?? [])])];
  const twice = lowest === undefined ? [highest, own] : [lowest, highest];
  return [
    { sort, each: [highest] },
    ...(lowest === undefined ? [] : [{ sort, each: [lowest] }]),
    ...(highest.tier === undefined
      ? []
      : [{ sort: 'a key whose tier was changed twice', each: twice, whatever: true as const }]),
    ...(admin?.chooses.change.includes('features')
      ? [{ sort: 'a key whose features were changed', each: [{ ...own, features }], whatever: true as const }]
      : []),
  ];
}

/** Keys that were used before they were changed: what is remembered of a key since its first call is not its plan of today. */
async function changedKeys(session: Session, spend: Spend, admin: AdminAsk): Promise<readonly Sorted[]> {
  const changed: (Sorted & Pick<Changes, 'whatever'>)[] = [];
  let all: readonly Changes[] | undefined;
  for (let made = 0; made < (all?.length ?? 1); made += 1) {
    const { key, id } = await admin.create();
    if (key === undefined || id === undefined) break;
    all ??= changesOf(session, key);
    const { each, ...rest } = all[made]!;
    let isChanged = true;
    for (const to of each) {
      if ((await tierSaid(session, spend, key)) === null) return [];
      isChanged &&= succeeded(await admin.change({ id }, to));
    }
    if (isChanged) changed.push({ ...rest, key });
  }
  if (changed.length === 0) return [];
  await session.clock.sleep(session.subject.bounds.revocationMs, session.signal);
  const sorted: Sorted[] = [];
  for (const { sort, key, whatever } of changed) {
    const tier = await tierSaid(session, spend, key);
    if (tier === null) break;
    if (tier !== undefined && (whatever || tier !== key.tier)) sorted.push({ sort, key: { ...key, tier } });
  }
  return sorted;
}

export async function withSorts<T>(
  session: Session,
  spend: Spend,
  configured: readonly Key[],
  use: Use<Sorted, T>,
): Promise<T> {
  const sorted = configured.map((key): Sorted => ({ sort: `a ${key.kind} key`, key }));
  if (!makesKeys(session.subject)) return use(sorted);
  const mine: string[] = [];
  const admin = adminAsker(session, defaultsOf(session), paying(session, spend), mine);
  try {
    const issued = await admin.create();
    if (issued.key !== undefined) sorted.push({ sort: 'an issued key', key: issued.key });
    sorted.push(...(await furtherKeys(session, spend, admin)));
    if (session.subject.admin?.operations.includes('change'))
      sorted.push(...(await changedKeys(session, spend, admin)));
    return await use(sorted);
  } finally {
    await removeMade(session, mine);
  }
}

/** As many as the service makes without a pause for each. */
export async function withMore<T>(
  session: Session,
  spend: Spend,
  tier: string | undefined,
  count: number,
  use: Use<Key, T>,
): Promise<T> {
  const wanted = Array.from({ length: count }, (): Wanted => (tier === undefined ? {} : { tier }));
  return withKeys(session, spend, wanted, use);
}

/** One after the other, until one is not made. */
export async function withKeys<T>(
  session: Session,
  spend: Spend,
  wanted: readonly Wanted[],
  use: Use<Key, T>,
): Promise<T> {
  const keys: Key[] = [];
  const mine: string[] = [];
  const admin = adminAsker(session, defaultsOf(session), paying(session, spend), mine);
  try {
    for (const each of makesKeys(session.subject) ? wanted : []) {
      const { key } = await admin.create(each);
      if (key === undefined) break;
      keys.push(key);
    }
    return await use(keys);
  } finally {
    await removeMade(session, mine);
  }
}

/**
 * Keys of these plans, as the service itself says, up to the first that is not; those of the first plan run what the profile's own keys
 * run.
 */
export async function withPlans<T>(
  session: Session,
  spend: Spend,
  wanted: readonly Wanted[],
  use: Use<Key, T>,
): Promise<T> {
  const [actor] = session.subject.actors.clean;
  const canRun = async (key: Key): Promise<boolean> => {
    if (actor === undefined) return true;
    const sending = runRequest(session, { actor, key }, defaultsOf(session), session.nonce);
    return succeeded((await paying(session, spend)(sending)).exchange);
  };
  return withKeys(session, spend, wanted, async (keys) => {
    const known: Key[] = [];
    for (const [at, key] of keys.entries()) {
      const { tier, environment } = wanted[at]!;
      if ((await tierSaid(session, spend, key)) !== tier) break;
      if (tier === wanted[0]!.tier && !(await canRun(key))) break;
      known.push(environment === 'test' ? { ...key, kind: 'test' } : key);
    }
    return use(known);
  });
}

/** What an operator does while somebody is refused: looks at the list, and changes a key. */
export async function administering(session: Session, spend: Spend): Promise<readonly Exchange[]> {
  const { admin: described } = session.subject;
  const mine: string[] = [];
  const admin = adminAsker(session, defaultsOf(session), paying(session, spend), mine);
  const seen: Exchange[] = [];
  try {
    if (described?.operations.includes('list')) seen.push(await admin.list());
    if (!described?.operations.includes('change') || !makesKeys(session.subject)) return seen;
    const { key, id } = await admin.create();
    if (key !== undefined && id !== undefined) seen.push(await admin.change({ id }, otherTiers(session, key)[0]));
    return seen;
  } finally {
    await removeMade(session, mine);
  }
}
