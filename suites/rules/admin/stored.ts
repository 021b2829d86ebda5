/** How the service stores a key that the admin interface made: as its hash, nowhere readable, and outside the process. */
import {
  type Ask,
  answerText,
  type Exchange,
  expectStatus,
  formsOf,
  isPlaintextForm,
  type Key,
  rule,
  type Subject,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectVerified } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, showsKey, succeeds } from '../../language/gates.ts';
import { aKey, aKeyChangedTwice, aTestKey, recordsOf, sortsOfKeys } from '../../language/issued-keys.ts';

export const hashIsSha256 = rule({
  id: 'admin.hash-is-sha-256',
  clause: clauses.onlyHashIsStored,
  needs: ['admin.create', 'admin.hash'],
  without: everything,
  cases: ({ admin }) => sortsOfKeys(admin),
  async *ask(ask) {
    const { issued } = yield* aKey(ask, ask.case.wanted);
    yield { shown: [issued.exchange, ...(await recordsOf(ask, issued))] };
  },
  given: ({ created }) => [showsKey(created)],
  judge({ created: { name }, shown }) {
    const forms = shown.flatMap((exchange) => formsOf(answerText(exchange), `${name}`));
    return forms.some((form) => form.startsWith('sha256'))
      ? []
      : [violation(shown[0], 'the SHA-256 of the key in its record', 'another value, or nothing')];
  },
  fix: 'Store the SHA-256 of the whole key, including its prefix, in hexadecimal or base64.',
});

const few = 4;

const revokes = ({ admin }: Subject): boolean => admin?.operations.includes('revoke') ?? false;

export const survivesRestart = rule({
  id: 'admin.survives-restart',
  clause: clauses.keysSurviveRestart,
  needs: ['admin.create', 'admin.restart'],
  without: everything,
  alone: 'last',
  async *ask(ask) {
    const { key } = yield* aKey(ask);
    yield { before: await ask.verify({ key }) };
    // Who writes a record when it is used first has nothing to read of this one.
    const { key: unused } = await ask.admin.create();
    // Two writers of one file overwrite each other, and nobody sees it before the next start.
    const atOnce = await Promise.all(Array.from({ length: few }, async () => (await ask.admin.create()).key));
    const others = [...atOnce, await aTestKey(ask), await aKeyChangedTwice(ask)].flatMap((each) => each ?? []);
    const before: Exchange[] = [];
    for (const other of others) before.push(await ask.verify({ key: other }));
    await ask.restart();
    yield { exchange: await ask.verify({ key }) };
    const after: Exchange[] = [];
    for (const other of others) after.push(await ask.verify({ key: other }));
    yield { others: { before, after }, unused: unused === undefined ? null : await ask.verify({ key: unused }) };
    const next = await ask.admin.create();
    yield {
      next: {
        made: next.exchange,
        created: next.created,
        revoked: revokes(ask.subject) && next.id !== undefined ? await ask.admin.revoke(next) : null,
        verified: await ask.verify({ key }),
      },
    };
    // What was read from a store may not be written to it again.
    await ask.restart();
    yield { again: [await ask.verify({ key })] };
    // The first of each start: a source of keys that begins anew gives the same.
    yield { anew: (await ask.admin.create()).created };
  },
  given: ({ created, before }) => [
    showsKey(created),
    succeeds(before, 'verifying a new key'),
    inconclusiveIf(
      !!before && expectVerified(before).length > 0,
      'a new key does not verify before the restart either',
    ),
  ],
  // Runs of other times made no key afterwards, and none that nobody used.
  judge: ({ exchange, others = { before: [], after: [] }, unused = null, next = null, again = [], anew = null }) => [
    ...expectVerified(exchange),
    ...(unused === null || expectVerified(exchange).length > 0 ? [] : expectVerified(unused)),
    ...(expectVerified(exchange).length > 0 ? [] : again.flatMap(expectVerified)),
    // Identifiers that are counted anew name two keys.
    ...(next === null || expectVerified(exchange).length > 0
      ? []
      : [...expectStatus(next.made, '2xx'), ...expectVerified(next.verified)]),
    ...(anew !== null && anew.name !== null && anew.name === next?.created?.name
      ? [violation(anew.answer, 'another key than after the first restart', `«${anew.name}»`)]
      : []),
    // Only what was valid before: another rule asks whether it is.
    ...others.after.flatMap((after, at) =>
      expectVerified(others.before[at]!).length > 0 ? [] : expectVerified(after),
    ),
  ],
  fix: 'Store what the admin interface creates outside the process, keep it there at each start, and make each new key from fresh randomness.',
});

/** A log of who called what is written where keys are used, and one of what was refused elsewhere. */
async function use(
  { verify, run, subject }: Pick<Ask<unknown>, 'verify' | 'run' | 'subject'>,
  key: Key,
): Promise<void> {
  await verify({ key });
  const [actor] = subject.actors.clean;
  if (actor === undefined) return;
  await run({ key, actor });
  await run({ key, actor, body: '{' });
}

/** One of each sort and plan. */
const configured = ({ keys }: Subject) => [
  ...new Map(
    keys
      .filter(({ kind }) => kind !== 'issued')
      .map((key) => [`${key.kind} ${key.tier}`, { name: key.name, looked: key }]),
  ).values(),
];

export const storeHoldsNoConfiguredKey = rule({
  id: 'admin.store-holds-no-configured-key',
  clause: clauses.onlyHashIsStored,
  needs: ['key', 'admin.dump'],
  without: everything,
  alone: true,
  cases: configured,
  async *ask(ask) {
    const { verify, stored, subject } = ask;
    const { looked } = ask.case;
    // What is kept of every key is found by a new one.
    const test = looked.kind === 'test' ? await aTestKey(ask) : undefined;
    const made = test ?? (subject.admin?.operations.includes('create') ? (await ask.admin.create()).key : undefined);
    if (made !== undefined) await use(ask, made);
    yield { control: made === undefined ? null : await stored(made) };
    yield { used: await verify({ key: looked }) };
    yield { stored: await stored(looked) };
  },
  given: ({ control, used }) => [
    inapplicableIf(
      control?.forms.some(isPlaintextForm) === true,
      'new keys are stored in plaintext, too: another rule reports that',
    ),
    succeeds(used, 'verifying this key'),
  ],
  judge: ({ used, stored: { forms } }) =>
    forms
      .filter(isPlaintextForm)
      .map((form) => violation(used, 'no plaintext of this key in the store', form === '' ? 'the key' : `its ${form}`)),
  fix: 'Store the SHA-256 of the keys that you are configured with, too, and nothing from which they can be read.',
});

export const storeHoldsNoPlaintext = rule({
  id: 'admin.store-holds-no-plaintext',
  clause: clauses.onlyHashIsStored,
  needs: ['admin.create', 'admin.dump'],
  without: everything,
  // Searching a large store takes a while, and would disturb the timing of other rules.
  alone: true,
  cases: ({ admin }) => sortsOfKeys(admin),
  async *ask(ask) {
    const { key, issued } = yield* aKey(ask, ask.case.wanted);
    // Who waits for the first use before it hashes holds the key until then.
    yield { unused: await ask.stored(key) };
    await use(ask, key);
    yield { stored: await ask.stored(key) };
    // What is kept of a key for whoever asks why it is gone.
    if (issued.id === undefined || !revokes(ask.subject)) return;
    await ask.admin.revoke(issued);
    yield { revoked: await ask.stored(key) };
  },
  given: ({ created }) => [showsKey(created)],
  // Runs of other times looked after its use alone.
  judge: ({ created: { answer }, unused, stored: { forms }, revoked }) => [
    ...(forms.some((form) => form.startsWith('sha256'))
      ? []
      : [violation(answer, 'the SHA-256 of the new key in the store', 'no form of it')]),
    ...[...new Set([...(unused?.forms ?? []), ...forms, ...(revoked?.forms ?? [])])]
      .filter(isPlaintextForm)
      .map((form) =>
        violation(answer, 'no plaintext of the new key in the store', form === '' ? 'the key' : `its ${form}`),
      ),
  ],
  fix: 'Store the SHA-256 of a key and nothing from which the key can be read, in logs and backups too.',
});
