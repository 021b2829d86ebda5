/** Keys that a rule makes for itself through the admin interface. The run revokes them when it ends. */
import {
  type AdminSubject,
  type Ask,
  type Case,
  type Created,
  type Exchange,
  type Issued,
  isObject,
  jsonOf,
  type Key,
  type KeyKind,
  member,
  type Subject,
  succeeded,
  type Wanted,
} from '../../src/vocabulary.ts';
import { everySource } from './asking.ts';

type Making = Pick<Ask<unknown>, 'admin'>;
type Looking = Pick<Ask<unknown>, 'admin' | 'subject'>;

/** A new key for a rule. `showsKey(created)` is the gate for it. */
export async function* aKey({ admin }: Making, wanted: Wanted = {}) {
  const issued = await admin.create(wanted);
  yield { created: issued.created };
  if (issued.key === undefined) throw new Error('a rule continues without its gate: no key was shown');
  return { issued, key: issued.key };
}

/** Where its record is shown: the list and the record itself, as far as the profile describes them. */
export async function recordsOf({ admin, subject }: Looking, issued: Issued): Promise<Exchange[]> {
  const operations = subject.admin?.operations ?? [];
  return [
    ...(operations.includes('list') ? [await admin.list()] : []),
    ...(operations.includes('read') && issued.id !== undefined ? [await admin.read(issued)] : []),
  ];
}

/** The tier that a new key is asked for where nobody cares. */
export const tierOfNewKeys = ({ admin }: Subject): string | null => admin?.tier ?? null;

/** A tier, where the request of a create said it at all, in its body or its path. */
export function requestedTier({ answer }: Created, tier: string | null | undefined): string | null {
  if (tier === undefined || tier === null) return null;
  const { target, body } = answer.request;
  const said = body?.text?.includes(JSON.stringify(tier)) || target.includes(`=${encodeURIComponent(tier)}`);
  return said ? tier : null;
}

/** How many records a list shows: the length of the answer, or of the one array in it. */
export function recordsIn(exchange: Exchange): number | undefined {
  const body = jsonOf(exchange);
  if (!succeeded(exchange) || !body.ok) return undefined;
  if (Array.isArray(body.value)) return body.value.length;
  if (!isObject(body.value)) return undefined;
  const arrays = Object.values(body.value).filter((each) => Array.isArray(each));
  return arrays.length === 1 ? arrays[0]?.length : undefined;
}

/** How long between two looks at what may take a while to be known everywhere. */
const pauseMs = 100;

type Waiting = Pick<Ask<unknown>, 'subject' | 'sleep' | 'now'>;
type Settling = (call: () => Promise<Exchange>, isSettled: (answer: Exchange) => boolean) => Promise<Exchange>;

/** The environments that a new key can be asked for; none where the profile has no place for one. */
export const environmentsOf = (admin: AdminSubject | undefined): readonly KeyKind[] =>
  admin?.chooses.create.includes('environment') ? ['live', 'test'] : [];

/** What a new key is to be; live and test keys may be kept in two places. */
export interface Sort extends Case {
  readonly wanted: Wanted;
}

export const sortsOfKeys = (admin: AdminSubject | undefined): readonly Sort[] => [
  { name: 'a key as the profile makes it', wanted: {} },
  ...environmentsOf(admin)
    .filter((environment) => environment === 'test')
    .map((environment) => ({ name: 'a test key', wanted: { environment } })),
];

/** A key that is perhaps changed after it was made. */
export interface Kind extends Sort {
  readonly changedTo?: string;
}

/** Each tier that a new key can be asked for, but the one that it has anyway. */
export const tiersOfNewKeys = (subject: Subject): readonly string[] =>
  subject.admin?.chooses.create.includes('tier')
    ? knownTiers(subject).filter((tier) => tier !== tierOfNewKeys(subject))
    : [];

/** Each sort, each tier that a new key can be asked for, and a key whose tier was changed. */
export function kindsOfKeys(subject: Subject): readonly Kind[] {
  const { admin } = subject;
  const changedTo = admin?.operations.includes('change') ? anotherTier(subject) : undefined;
  return [
    ...sortsOfKeys(admin),
    ...tiersOfNewKeys(subject).map((tier) => ({ name: `a key of the tier ${tier}`, wanted: { tier } })),
    ...(environmentsOf(admin).includes('test') ? tiersOfNewKeys(subject) : []).map((tier) => ({
      name: `a test key of the tier ${tier}`,
      wanted: { tier, environment: 'test' as const },
    })),
    ...(changedTo === undefined ? [] : [{ name: 'a key whose tier was changed', wanted: {}, changedTo }]),
  ];
}

/** One key of each kind, used once and then revoked, and one that was never used: nobody has asked since whether it is valid. */
export async function revokedKinds({ admin, verify, subject }: Pick<Ask<unknown>, 'admin' | 'verify' | 'subject'>) {
  const made: { readonly key: Key; readonly valid: Exchange | null; readonly revoked: Exchange }[] = [];
  for (const { wanted, changedTo } of kindsOfKeys(subject)) {
    const issued = await admin.create(wanted);
    const { key, id } = issued;
    if (key === undefined || id === undefined) continue;
    if (changedTo !== undefined) await admin.change(issued, { tier: changedTo });
    const valid = await verify({ key });
    made.push({ key, valid, revoked: await admin.revoke(issued) });
  }
  const unused = await admin.create();
  if (unused.key !== undefined && unused.id !== undefined)
    made.push({ key: unused.key, valid: null, revoked: await admin.revoke(unused) });
  return made;
}

/** It was a key, and it was revoked. */
export const wasRevoked = ({
  valid,
  revoked,
}: {
  readonly valid: Exchange | null;
  readonly revoked: Exchange;
}): boolean => (valid === null || isLetIn(valid)) && succeeded(revoked);

/** From now on: the same call until its answer is as it should be, or the profile's bound has passed. The last answer. */
export function settling({ subject, sleep, now }: Waiting): Settling {
  const until = now() + subject.bounds.revocationMs;
  return async (call, isSettled) => {
    let last = await call();
    while (!isSettled(last) && now() < until) {
      await sleep(pauseMs);
      last = await call();
    }
    return last;
  };
}

/** From now on: whether a key is valid is asked until it is refused, or the profile's bound has passed. The last answer. */
export function verifyingUntilRefused(ask: Waiting & Pick<Ask<unknown>, 'verify'>): (key: Key) => Promise<Exchange> {
  const settle = settling(ask);
  return (key) =>
    settle(
      () => ask.verify({ key }),
      (answer) => !isLetIn(answer),
    );
}

/** Whether the answer takes its key for a valid one. */
export const isLetIn = (exchange: Exchange): boolean => succeeded(exchange) && member(exchange, 'valid') !== false;

/** As many answers come while a run begins, be the service near or far away. */
const answersMeanwhile = 4;

/** Who writes down what a run has used may write back the record that it began with. The answer of what is done meanwhile. */
export async function duringARun(
  { run, verify, subject }: Pick<Ask<unknown>, 'run' | 'verify' | 'subject'>,
  key: Key,
  act: () => Promise<Exchange>,
): Promise<Exchange> {
  const { sources } = subject.actors;
  const ofTwo = sources.find((each) => each.sources === 2);
  const slow = ofTwo === undefined ? everySource('slow') : { ok2: 'slow' as const };
  const acting = async () => {
    for (let turn = 0; turn < answersMeanwhile; turn += 1) await verify({ key });
    return act();
  };
  // Its answer is no evidence: what a run makes of a change of its key is not said.
  const [acted] = await Promise.all([acting(), run({ key, actor: ofTwo ?? sources[0]!, sources: slow })]);
  return acted;
}

export const ofTier = (tier: string | undefined): Wanted => (tier === undefined ? {} : { tier });

/** Where the profile lets a change choose its tier: another one than a new key has. */
export const anotherTierThan = (known: string | null | undefined, subject: Subject): string | undefined =>
  subject.admin?.chooses.change.includes('tier') ? knownTiers(subject).findLast((tier) => tier !== known) : undefined;

export const anotherTier = (subject: Subject): string | undefined => anotherTierThan(tierOfNewKeys(subject), subject);

/** For a second change: a third tier, or that of a new key again. */
export const yetAnotherTier = (subject: Subject): string | undefined => {
  const another = anotherTier(subject);
  const fresh = tierOfNewKeys(subject);
  if (another === undefined) return undefined;
  return knownTiers(subject).findLast((tier) => tier !== another && tier !== fresh) ?? fresh ?? undefined;
};

/** A new test key, where one can be asked for. */
export const aTestKey = async ({ admin, subject }: Looking, wanted: Wanted = {}): Promise<Key | undefined> =>
  environmentsOf(subject.admin).includes('test')
    ? (await admin.create({ ...wanted, environment: 'test' })).key
    : undefined;

/** A new key whose tier was changed twice, where that can be asked for; at last it is `anotherTier`. */
export async function aKeyChangedTwice({ admin, subject }: Looking): Promise<Key | undefined> {
  const tiers = [yetAnotherTier(subject), anotherTier(subject)];
  if (!subject.admin?.operations.includes('change') || tiers.includes(undefined)) return undefined;
  const issued = await admin.create();
  if (issued.key === undefined || issued.id === undefined) return undefined;
  for (const tier of tiers) if (!succeeded(await admin.change(issued, ofTier(tier)))) return undefined;
  return issued.key;
}

export const knownTiers = ({ tierOrder, keys }: Subject): readonly string[] => [
  ...new Set([...tierOrder, ...keys.flatMap(({ tier }) => tier ?? [])]),
];

/** One that was changed to another tier and back again. */
export async function aKeyChangedBack({ admin, subject }: Looking): Promise<Key | undefined> {
  const [first, other] = [tierOfNewKeys(subject) ?? undefined, anotherTier(subject)];
  if (!subject.admin?.operations.includes('change') || first === undefined || other === undefined) return undefined;
  const issued = await admin.create();
  if (issued.key === undefined || issued.id === undefined) return undefined;
  for (const tier of [other, first]) if (!succeeded(await admin.change(issued, ofTier(tier)))) return undefined;
  return issued.key;
}
