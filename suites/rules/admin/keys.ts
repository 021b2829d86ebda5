/** What becomes of a key that the admin interface made: it works, and it is shown once. */
import {
  answerText,
  atPointer,
  type Created,
  expectStatus,
  jsonOf,
  rule,
  showsPlaintext,
  statusFits,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectVerifiedWithTier } from '../../language/expectations.ts';
import { inapplicableIf, showsKey, tellsOfKey } from '../../language/gates.ts';
import {
  aKey,
  environmentsOf,
  kindsOfKeys,
  knownTiers,
  recordsOf,
  requestedTier,
  type Sort,
  sortsOfKeys,
  tierOfNewKeys,
  tiersOfNewKeys,
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

const furtherKeys = 12;

interface New extends Sort {
  /** Who has a new key need not verify it first. */
  readonly runsFirst?: true;
}

/** What is wrong with each third key shows by enough of them. */
const further = Array.from({ length: furtherKeys }, (_, at): New => {
  const name = `another key like the first (${at + 2})`;
  return at % 2 === 0 ? { name, wanted: {} } : { name: `${name}, used for a run at once`, wanted: {}, runsFirst: true };
});

/** Runs of other times looked at no tier that an answer shows. */
interface About {
  readonly [name: string]: string | boolean | null | undefined;
  readonly tier: string | null;
  readonly tierAt?: string | null;
  readonly bare: boolean;
  readonly refusable?: boolean;
}

function tierShownIn({ answer }: Created, at: string | null): string | null {
  const body = jsonOf(answer);
  const tier = at !== null && body.ok ? atPointer(body.value, at) : undefined;
  return typeof tier === 'string' && tier !== '' ? tier : null;
}

export const createdKeyWorks = rule({
  id: 'admin.created-key-works',
  clause: clauses.managedKeysWork,
  needs: ['admin.create'],
  without: everything,
  cases: (subject): readonly New[] => [
    ...sortsOfKeys(subject.admin),
    ...knownTiers(subject).map((tier) => ({ name: `a key of the tier ${tier}`, wanted: { tier } })),
    // Whether it has a tier of its own is for the service to say, and it says so when it makes it.
    ...(subject.admin?.tierAt !== undefined && environmentsOf(subject.admin).includes('test')
      ? tiersOfNewKeys(subject).map((tier) => ({
          name: `a test key of the tier ${tier}`,
          wanted: { tier, environment: 'test' as const },
        }))
      : []),
    ...(subject.admin?.chooses.create.includes('features')
      ? [{ name: 'a key without features', wanted: { features: [] } }]
      : []),
    ...further,
  ],
  // Whether test keys have a tier of their own is not said.
  about: ({ subject, case: { wanted } }): About => ({
    tier: wanted.environment === undefined ? (wanted.tier ?? tierOfNewKeys(subject)) : null,
    tierAt: wanted.environment === undefined ? null : (subject.admin?.tierAt ?? null),
    bare: wanted.features !== undefined,
    refusable: wanted.environment !== undefined && wanted.tier !== undefined,
  }),
  async *ask(ask) {
    const { verify, read, run, line, subject } = ask;
    const { wanted, runsFirst } = ask.case;
    const { key } = yield* aKey(ask, wanted);
    const [actor] = subject.actors.clean;
    // As its owner would use it.
    const on = line();
    const first = runsFirst && actor !== undefined ? await run({ key, actor, on }) : null;
    yield { verified: await verify({ key, on }) };
    // Which keys may read is left open, and no key that is valid is unknown there.
    yield { shown: actor === undefined ? null : await read({ key, actor, on }) };
    // A key of another tier or sort may lack access to the actor.
    const isUsual = Object.keys(wanted).length === 0;
    yield { ran: first ?? (isUsual && actor !== undefined ? await run({ key, actor, on }) : null) };
    yield { tried: isUsual || actor === undefined ? null : await run({ key, actor, on }) };
  },
  given: ({ created, ran }, { bare, refusable = false }) => [
    inapplicableIf(
      refusable && created !== undefined && statusFits(created.answer, '4xx'),
      'the service makes no test keys of this tier',
    ),
    inapplicableIf(
      bare && created !== undefined && statusFits(created.answer, '4xx'),
      'the service makes no keys without features',
    ),
    showsKey(created),
    tellsOfKey(ran),
  ],
  // Runs of other times tried no other sort of key.
  judge: ({ created, verified, shown = null, ran, tried = null }, { tier, tierAt = null }) => [
    ...expectVerifiedWithTier(verified, requestedTier(created, tier) ?? tierShownIn(created, tierAt)),
    ...[shown, tried].flatMap((each) =>
      each !== null && statusFits(each, [401, 500])
        ? [violation(each, 'a key that verifies to be known for reads and runs, too', whatCame(each))]
        : [],
    ),
    ...(ran === null ? [] : expectStatus(ran, '2xx')),
  ],
  fix: 'Accept a created key, within the bound for changes at the latest: it verifies with the requested tier, and runs actors.',
});

export const shownOnce = rule({
  id: 'admin.shown-once',
  clause: clauses.plaintextShownOnce,
  needs: ['admin.create'],
  without: everything,
  cases: kindsOfKeys,
  async *ask(ask) {
    const { admin, verify, subject } = ask;
    const { issued, key } = yield* aKey(ask, ask.case.wanted);
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
