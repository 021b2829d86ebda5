/** Keys that are made alike, and keys that are there again after a restart. */
import {
  answerText,
  type Created,
  type Exchange,
  type Key,
  member,
  rule,
  type Subject,
  showsPlaintext,
  succeeded,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectTier, expectVerified, isSameTier } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, showsKey, succeeds } from '../../language/gates.ts';
import {
  aKey,
  aKeyChangedBack,
  aKeyChangedTwice,
  anotherTier,
  aTestKey,
  isLetIn,
  knownTiers,
  ofTier,
  recordsOf,
  settling,
  tierOfNewKeys,
} from '../../language/issued-keys.ts';

/** That a key is there at all is asked by another rule. */
const expectTierAsBefore = ({ before, after }: { readonly before: Exchange; readonly after: Exchange }) =>
  expectVerified(before).length > 0 || !isLetIn(after) ? [] : expectTier(after, String(member(before, 'tier')));

/** One of each tier and each kind. */
const configuredKeys = ({ keys }: Subject): readonly Key[] => [
  ...new Map(keys.map((key) => [`${key.tier} ${key.kind}`, key])).values(),
];

const nameOf = ({ name }: Created): string => name ?? '';

export const keysAreDistinct = rule({
  id: 'admin.keys-are-distinct',
  clause: clauses.plaintextShownOnce,
  needs: ['admin.create'],
  without: everything,
  async *ask(ask) {
    const { admin, verify } = ask;
    const { issued, key } = yield* aKey(ask);
    const again = await admin.create();
    yield { again: again.created };
    // Word for word the same request may be refused; if not, it makes another key.
    const same = await admin.create({ mark: issued.mark });
    yield { later: [again.exchange, ...(await recordsOf(ask, again)), same.exchange] };
    yield { first: await verify({ key }) };
  },
  given: ({ created, again }) => [showsKey(created), succeeds(again?.answer, 'creating a second key')],
  judge: ({ created, later }) =>
    later
      .filter((exchange) => showsPlaintext(answerText(exchange), nameOf(created)))
      .map((exchange) => violation(exchange, 'nothing of the key created before', `«${nameOf(created)}» in it`)),
  fix: 'Create a new key each time, even for the same request: the first key is never shown again.',
});

/** Lists, caches and tables with room for ten exist. */
const furtherKeys = 12;

export const newKeysDisplaceNone = rule({
  id: 'admin.new-keys-displace-none',
  clause: clauses.managedKeysWork,
  needs: ['admin.create'],
  without: everything,
  // Others make and revoke keys, too.
  alone: true,
  async *ask(ask) {
    const { admin, verify } = ask;
    const { key } = yield* aKey(ask);
    yield { before: await verify({ key }) };
    const further: Exchange[] = [];
    for (let at = 0; at < furtherKeys; at += 1) further.push((await admin.create()).exchange);
    yield { further };
    yield { after: await verify({ key }) };
  },
  given: ({ created, before, further }) => [
    showsKey(created),
    inapplicableIf(
      !!before && expectVerified(before).length > 0,
      'a new key does not verify: another rule reports that',
    ),
    inapplicableIf(!!further && !further.every(succeeded), 'the service makes no more keys than it has already'),
  ],
  judge: ({ after }) => expectVerified(after),
  fix: 'Keep every key until it is revoked: refuse a new one, with 4xx, where there is no room for it.',
});

export const tierSurvivesRestart = rule({
  id: 'admin.tier-survives-restart',
  clause: clauses.keyHasTier,
  needs: ['admin.create', 'admin.restart'],
  without: everything,
  alone: 'last',
  cases: (subject) => {
    const tiers = knownTiers(subject);
    const last = tiers.findLast((tier) => tier !== tierOfNewKeys(subject)) ?? tiers.at(-1);
    return tiers.map((tier) => ({ name: `a key of the tier ${tier}`, tier, withOthers: tier === last }));
  },
  about: ({ subject }): { readonly changedTo?: string | null; readonly first?: string | null } => ({
    changedTo: anotherTier(subject) ?? null,
    first: tierOfNewKeys(subject),
  }),
  async *ask(ask) {
    const { verify, subject } = ask;
    const { tier, withOthers } = ask.case;
    const { key } = yield* aKey(ask, ofTier(tier));
    yield { before: await verify({ key }) };
    // One restart for all of them: it takes longest.
    const testKey = withOthers ? await aTestKey(ask, ofTier(tier)) : undefined;
    const changed = withOthers ? await aKeyChangedTwice(ask) : undefined;
    const settle = settling(ask);
    const testBefore = testKey && (await verify({ key: testKey }));
    const changedBefore =
      changed &&
      (await settle(
        () => verify({ key: changed }),
        (answer) => isSameTier(member(answer, 'tier'), anotherTier(subject)),
      ));
    const back = withOthers ? await aKeyChangedBack(ask) : undefined;
    const backBefore =
      back &&
      (await settle(
        () => verify({ key: back }),
        (answer) => isSameTier(member(answer, 'tier'), tierOfNewKeys(subject) ?? undefined),
      ));
    const configured: { readonly key: Key; readonly before: Exchange }[] = [];
    for (const each of withOthers ? configuredKeys(subject) : [])
      configured.push({ key: each, before: await verify({ key: each }) });
    await ask.restart();
    yield { after: await verify({ key }) };
    const ofConfigured = [];
    for (const { key: each, before } of configured) ofConfigured.push({ before, after: await verify({ key: each }) });
    yield { ofConfigured };
    yield {
      ofTest: testKey && testBefore ? { before: testBefore, after: await verify({ key: testKey }) } : null,
      changedBack: back && backBefore ? { before: backBefore, after: await verify({ key: back }) } : null,
      changedTwice: changed && changedBefore ? { before: changedBefore, after: await verify({ key: changed }) } : null,
    };
  },
  given: ({ created, before, after }) => [
    showsKey(created),
    succeeds(before, 'verifying a new key'),
    inconclusiveIf(
      !!before && typeof member(before, 'tier') !== 'string',
      'a new key has no tier before the restart either; another rule reports that',
    ),
    succeeds(after, 'verifying it after the restart'),
  ],
  // Runs of other times looked at no configured keys.
  judge: (
    { before, after, ofTest = null, changedTwice = null, changedBack = null, ofConfigured = [] },
    { changedTo, first },
  ) => [
    ...expectTier(after, String(member(before, 'tier'))),
    ...ofConfigured.flatMap(expectTierAsBefore),
    ...(ofTest === null ? [] : expectTierAsBefore(ofTest)),
    // What was not changed before the restart either is reported by another rule.
    ...(changedTwice !== null && isSameTier(member(changedTwice.before, 'tier'), changedTo ?? undefined)
      ? expectTierAsBefore(changedTwice)
      : []),
    ...(changedBack !== null && isSameTier(member(changedBack.before, 'tier'), first ?? undefined)
      ? expectTierAsBefore(changedBack)
      : []),
  ],
  fix: 'Store the tier with each key, as it was changed last, and read it again when the service starts.',
});
