/** What becomes of a key that the admin interface made: it works, it is shown once, it can be revoked. */
import {
  type AdminSubject,
  answerText,
  atPointer,
  type Case,
  type Exchange,
  expectStatus,
  jsonOf,
  rule,
  showsPlaintext,
  succeeded,
  violation,
  type Wanted,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectNoValidKey, expectVerifiedWithTier } from '../../language/expectations.ts';
import { showsIdentifier, showsKey, succeeds, tellsOfKey } from '../../language/gates.ts';
import {
  aKey,
  environmentsOf,
  isLetIn,
  knownTiers,
  recordsOf,
  requestedTier,
  settling,
  tierOfNewKeys,
} from '../../language/issued-keys.ts';

export const createdKeyFormat = rule({
  id: 'admin.created-key-format',
  clause: clauses.issuedKeyFormat,
  needs: ['admin.create'],
  without: everything,
  async *ask(ask) {
    yield* aKey(ask);
  },
  given: ({ created }) => [showsKey(created)],
  about: ({ subject }): { readonly at?: string } => ({ at: subject.admin?.keyAt ?? '/key' }),
  // What begins so elsewhere in the answer is not what the client takes for the key.
  judge({ created: { answer, name } }, { at }) {
    const body = jsonOf(answer);
    // Runs of other times do not say where it stands.
    const isShown = (key: string): boolean =>
      at === undefined ? answerText(answer).includes(key) : body.ok && atPointer(body.value, at) === key;
    return ['vk_live_', 'vk_test_'].some((prefix) => isShown(`${prefix}«${name}»`))
      ? []
      : [violation(answer, 'a key that begins with vk_live_ or vk_test_', 'a key with another prefix')];
  },
  fix: 'Issue production keys as vk_live_… and test keys as vk_test_….',
});

const furtherKeys = 5;

/** What a new key is to be; live and test keys may be kept in two places. */
interface Sort extends Case {
  readonly wanted: Wanted;
}

const sortsOfKeys = (admin: AdminSubject | undefined): readonly Sort[] => [
  { name: 'a key as the profile makes it', wanted: {} },
  ...environmentsOf(admin)
    .filter((environment) => environment === 'test')
    .map((environment) => ({ name: 'a test key', wanted: { environment } })),
];

export const createdKeyWorks = rule({
  id: 'admin.created-key-works',
  clause: clauses.managedKeysWork,
  needs: ['admin.create'],
  without: everything,
  cases: (subject): readonly Sort[] => [
    ...sortsOfKeys(subject.admin),
    ...knownTiers(subject).map((tier) => ({ name: `a key of the tier ${tier}`, wanted: { tier } })),
    // What is wrong with each third key shows by enough of them.
    ...Array.from({ length: furtherKeys }, (_, at) => ({ name: `another key like the first (${at + 2})`, wanted: {} })),
  ],
  // Whether test keys have a tier of their own is not said.
  about: ({ subject, case: { wanted } }) => ({
    tier: wanted.environment === undefined ? (wanted.tier ?? tierOfNewKeys(subject)) : null,
  }),
  async *ask(ask) {
    const { verify, run, subject } = ask;
    const { wanted } = ask.case;
    const { key } = yield* aKey(ask, wanted);
    const [actor] = subject.actors.clean;
    yield { verified: await verify({ key }) };
    // A key of another tier or sort may lack access to the actor.
    yield { ran: Object.keys(wanted).length === 0 && actor !== undefined ? await run({ key, actor }) : null };
  },
  given: ({ created, ran }) => [showsKey(created), tellsOfKey(ran)],
  judge: ({ created, verified, ran }, { tier }) => [
    ...expectVerifiedWithTier(verified, requestedTier(created, tier)),
    ...(ran === null ? [] : expectStatus(ran, '2xx')),
  ],
  fix: 'Accept a created key at once: it verifies with the requested tier, and runs actors.',
});

export const shownOnce = rule({
  id: 'admin.shown-once',
  clause: clauses.plaintextShownOnce,
  needs: ['admin.create'],
  without: everything,
  async *ask(ask) {
    const { admin, verify, subject } = ask;
    const { issued, key } = yield* aKey(ask);
    const operations = subject.admin?.operations ?? [];
    const later = [await verify({ key }), ...(await recordsOf(ask, issued))];
    if (issued.id !== undefined) {
      // What is changed or revoked is shown again, and by other code than what is listed.
      if (operations.includes('change')) later.push(await admin.change(issued));
      if (operations.includes('revoke')) later.push(await admin.revoke(issued), ...(await recordsOf(ask, issued)));
    }
    yield { later };
  },
  given: ({ created }) => [showsKey(created)],
  judge: ({ created: { name }, later }) =>
    later
      .filter((exchange) => showsPlaintext(answerText(exchange), `${name}`))
      .map((exchange) => violation(exchange, 'no later answer to show the key', `«${name}» in it`)),
  fix: 'Keep only the hash, so that there is nothing to show; a preview of a few characters is enough.',
});

export const revokedKey = rule({
  id: 'admin.revoked-key',
  clause: clauses.revokedKeyIsInvalid,
  needs: ['admin.create', 'admin.revoke'],
  without: everything,
  cases: ({ admin }) => sortsOfKeys(admin),
  async *ask(ask) {
    const { admin, verify, read, run, line, subject } = ask;
    const { issued, key } = yield* aKey(ask, ask.case.wanted);
    const [actor] = subject.actors.clean;
    const other = subject.actors.sources.find(({ name }) => name !== actor?.name);
    // An earlier success must not be cached: not for a connection, nor for a key in each route.
    const on = line();
    yield { valid: await verify({ key, on }) };
    if (actor !== undefined) {
      await read({ key, actor, on });
      await run({ key, actor, on });
    }
    // The key may lack access to another actor, or its sources be out of reach.
    const ranOther = other !== undefined && succeeded(await run({ key, actor: other }));
    yield { revoked: await admin.revoke(issued) };
    const settle = settling(ask);
    const lastOf = (call: () => Promise<Exchange>): Promise<Exchange> => settle(call, (answer) => !isLetIn(answer));
    const verified = await lastOf(() => verify({ key }));
    const kept = await lastOf(() => verify({ key, on }));
    const others: Exchange[] = [];
    if (actor !== undefined)
      others.push(await lastOf(() => read({ key, actor })), await lastOf(() => run({ key, actor })));
    if (ranOther) others.push(await lastOf(() => run({ key, actor: other })));
    yield { verified, kept, others };
  },
  given: ({ created, valid, revoked }) => [
    showsKey(created),
    showsIdentifier(created),
    succeeds(valid, 'verifying a new key'),
    succeeds(revoked, 'revoking it'),
  ],
  judge: ({ verified, kept, others }) => [
    ...expectNoValidKey(verified),
    ...expectNoValidKey(kept),
    ...others.flatMap((exchange) => expectStatus(exchange, 401)),
  ],
  fix: 'Read the record on every request, or drop cached data of a key when it is revoked.',
});
