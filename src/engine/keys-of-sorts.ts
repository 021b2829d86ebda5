/** Keys for rules about limits: of each sort and plan, those that are made for it included. They are removed again. */
import type { Sorted } from '../limits/survey/beside.ts';
import type { Spend } from '../limits/survey/ground.ts';
import { jsonOf, succeeded } from '../model/exchange.ts';
import type { Key } from '../model/subject.ts';
import { adminAsker } from './admin-asker.ts';
import { makesKeys } from './capabilities.ts';
import type { Sending } from './recorder.ts';
import { asClient, type Defaults, verifyRequest } from './requests.ts';
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

/** What the service itself says about a key, once a change is due. */
async function tierSaid(session: Session, spend: Spend, key: Key): Promise<string | undefined> {
  const { exchange } = await paying(session, spend)(verifyRequest(session, { key }, defaultsOf(session)));
  const body = jsonOf(exchange);
  const tier = succeeded(exchange) && body.ok ? (body.value as { readonly tier?: unknown } | null)?.tier : undefined;
  return typeof tier === 'string' ? tier : undefined;
}

/** Where the profile lets a change choose: a tier that the key does not have, the highest that is known. */
function anotherTier({ subject: { admin, keys, tierOrder } }: Session, key: Key): { readonly tier?: string } {
  if (!admin?.chooses.change.includes('tier')) return {};
  const known = [...keys.flatMap((each) => each.tier ?? []), ...tierOrder];
  const tier = known.findLast((each) => each !== key.tier);
  return tier === undefined ? {} : { tier };
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
    if (session.subject.admin?.operations.includes('change')) {
      const other = await admin.create();
      if (
        other.key !== undefined &&
        other.id !== undefined &&
        succeeded(await admin.change(other, anotherTier(session, other.key)))
      ) {
        await session.clock.sleep(session.subject.bounds.revocationMs, session.signal);
        const tier = await tierSaid(session, spend, other.key);
        if (tier !== undefined && tier !== other.key.tier)
          sorted.push({ sort: `a key whose tier was changed from ${other.key.tier}`, key: { ...other.key, tier } });
      }
    }
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
  const keys: Key[] = [];
  const mine: string[] = [];
  const admin = adminAsker(session, defaultsOf(session), paying(session, spend), mine);
  try {
    for (let made = 0; made < count && makesKeys(session.subject); made += 1) {
      const { key } = await admin.create(tier === undefined ? {} : { tier });
      if (key === undefined) break;
      keys.push(key);
    }
    return await use(keys);
  } finally {
    await removeMade(session, mine);
  }
}
