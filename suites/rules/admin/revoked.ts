/** A revoked key is refused: whatever kind of key it is, whatever was done with it before, at every actor, and from then on. */
import {
  type Exchange,
  expectStatus,
  otherActors,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  type Wanted,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything, patience } from '../../language/asking.ts';
import { expectNoValidKey, expectNoWork } from '../../language/expectations.ts';
import { inapplicableIf, showsIdentifier, showsKey, succeeds } from '../../language/gates.ts';
import {
  aKey,
  anotherTier,
  duringARun,
  isLetIn,
  type Kind,
  kindsOfKeys,
  knownTiers,
  ofTier,
  settling,
  sortsOfKeys,
  tierOfNewKeys,
  verifyingUntilRefused,
} from '../../language/issued-keys.ts';

interface Revoking extends Kind {
  /** How often it is verified before. */
  readonly uses?: number;
  readonly twice?: true;
  /** And its record is changed after that. */
  readonly changedThen?: string;
  readonly byHead?: true;
  /** It has sent an input that is refused. */
  readonly wasWrong?: true;
  /** While a run waits for a source that is too slow. */
  readonly whileItRuns?: true;
  /** Whether a run of it reaches a source is asked. */
  readonly works?: true;
  readonly everyActor?: true;
  /** A service may have reasons not to make such a key. */
  readonly refusable?: true;
}

/** A cache that counts, or keeps what is used often, has something to keep. */
const manyUses = 8;

function casesOf(subject: Subject): readonly Revoking[] {
  const changedThen = anotherTier(subject);
  const sorts = sortsOfKeys(subject.admin).length;
  return [
    ...kindsOfKeys(subject).map(
      (kind, at): Revoking => ({ ...kind, ...(at === 0 && { byHead: true }), ...(at < sorts && { works: true }) }),
    ),
    { name: 'a key that was used often', wanted: {}, uses: manyUses },
    { name: 'a key that is revoked twice', wanted: {}, twice: true },
    { name: 'a key that sent a wrong input', wanted: {}, wasWrong: true },
    ...(changedThen === undefined ? [] : [{ name: 'a revoked key that is changed', wanted: {}, changedThen }]),
    ...(subject.actors.sources.length === 0
      ? []
      : [{ name: 'a key that is revoked while it runs', wanted: {}, whileItRuns: true as const }]),
    ...withEveryFeature(subject),
    ...(otherActors(subject).length > 0
      ? [{ name: 'a key that may run every actor', wanted: forEveryActor(subject), everyActor: true as const }]
      : []),
  ];
}

/** Features may be kept in a table of their own, with a row for each. */
function withEveryFeature({ admin, keys, actors }: Subject): readonly Revoking[] {
  const needed = actors.restricted.flatMap((actor) => actor.needs ?? []).flatMap((each) => each.features);
  const features = [...new Set([...keys.flatMap((key) => key.features ?? []), ...needed])];
  return features.length > 1 && admin?.chooses.create.includes('features')
    ? [{ name: 'a key with every feature', wanted: { features }, refusable: true }]
    : [];
}

/** The tier and the features that every actor of the profile asks for, as far as a request can choose them. */
function forEveryActor(subject: Subject): Wanted {
  const { chooses, features = [] } = subject.admin ?? {};
  const needs = subject.actors.restricted.flatMap((actor) => actor.needs ?? []);
  const tier = [tierOfNewKeys(subject), ...knownTiers(subject)].find(
    (each) => each !== null && needs.every(({ tiers }) => tiers?.enough.includes(each) ?? true),
  );
  return {
    ...(chooses?.create.includes('tier') ? ofTier(tier ?? undefined) : {}),
    ...(chooses?.create.includes('features')
      ? { features: [...new Set([...features, ...needs.flatMap((each) => each.features)])] }
      : {}),
  };
}

export const revokedKey = rule({
  id: 'admin.revoked-key',
  clause: clauses.revokedKeyIsInvalid,
  needs: ['admin.create', 'admin.revoke'],
  without: everything,
  cases: casesOf,
  deadlineMs: (subject) => 2 * patience(subject),
  about: ({
    case: { everyActor, refusable = everyActor, whileItRuns },
  }): { readonly refusable?: boolean; readonly whileItRuns?: boolean } => ({
    refusable: refusable === true,
    whileItRuns: whileItRuns === true,
  }),
  async *ask(ask) {
    const { admin, verify, read, run, send, line, subject } = ask;
    const {
      wanted,
      changedTo,
      uses = 1,
      twice,
      changedThen,
      byHead,
      works,
      wasWrong,
      whileItRuns,
      everyActor,
    } = ask.case;
    const { issued, key } = yield* aKey(ask, wanted);
    const [actor, ...cleanOnes] = subject.actors.clean;
    const other = subject.actors.sources.find(({ name }) => name !== actor?.name);
    // An earlier success must not be cached: not for a connection, nor for a key in each route.
    const on = line();
    yield { valid: await verify({ key, on }) };
    if (changedTo !== undefined) yield { changed: await admin.change(issued, { tier: changedTo }) };
    if (actor !== undefined) {
      await read({ key, actor, on });
      await run({ key, actor, on });
    }
    for (let use = 1; use < uses; use += 1) await verify({ key, on });
    const wrong = actor?.mutants[0]?.input;
    if (wasWrong && actor !== undefined && wrong !== undefined) await run({ key, actor, input: wrong });
    for (const each of everyActor ? [...cleanOnes, ...otherActors(subject)] : []) await run({ key, actor: each, on });
    // The key may lack access to another actor, or its sources be out of reach.
    const ranOther = other !== undefined && succeeded(await run({ key, actor: other }));
    const source = works ? subject.actors.sources[0] : undefined;
    const worked = source && (await run({ key, actor: source }));
    const reachedBefore = worked && succeeded(worked) ? await ask.reached(worked) : null;
    const revoke = () => admin.revoke(issued);
    yield { revoked: await (whileItRuns ? duringARun(ask, key, revoke) : revoke()) };
    const settle = settling(ask);
    const lastOf = (call: () => Promise<Exchange>): Promise<Exchange> => settle(call, (answer) => !isLetIn(answer));
    const verified = await lastOf(() => verify({ key }));
    const kept = await lastOf(() => verify({ key, on }));
    const others: Exchange[] = [];
    if (actor !== undefined)
      others.push(await lastOf(() => read({ key, actor })), await lastOf(() => run({ key, actor })));
    if (ranOther) others.push(await lastOf(() => run({ key, actor: other })));
    yield { verified, kept, others };
    if (source !== undefined && reachedBefore !== null && reachedBefore.times > 0) {
      const refused = await lastOf(() => run({ key, actor: source }));
      yield { work: { refused, reached: await ask.reached(refused) } };
    }

    const late: Exchange[] = [];
    // Whether either succeeds is not said. What is done now takes its time like the first revocation.
    if (twice) {
      await admin.revoke(issued);
      late.push(await verifyingUntilRefused(ask)(key));
    }
    if (changedThen !== undefined) {
      await admin.change(issued, ofTier(changedThen));
      late.push(await verifyingUntilRefused(ask)(key));
    }
    const elsewhere: Exchange[] = [];
    for (const each of everyActor ? [...cleanOnes, ...otherActors(subject)] : [])
      elsewhere.push(
        await settle(
          () => run({ key, actor: each }),
          (answer) => statusFits(answer, '4xx'),
        ),
      );
    const byAnotherMethod: { readonly keyless: Exchange; readonly revoked: Exchange }[] = [];
    // What verify says of an invalid key may stand in a body, which HEAD does not show.
    const verifying = statusFits(verified, '4xx') ? ['/v1/auth/verify'] : [];
    const shown = actor === undefined ? [] : [`/v1/actors/${encodeURIComponent(actor.name)}`];
    for (const target of byHead ? [...verifying, ...shown] : [])
      byAnotherMethod.push({
        keyless: await send({ method: 'HEAD', target, key: null }),
        revoked: await lastOf(() => send({ method: 'HEAD', target, key })),
      });
    yield { late, elsewhere, byAnotherMethod };
  },
  given: ({ created, valid, changed, revoked }, { refusable = false, whileItRuns = false }) => [
    inapplicableIf(
      refusable && created !== undefined && statusFits(created.answer, [400, 403, 409, 422]),
      'the service makes no keys with all that its actors ask for',
    ),
    showsKey(created),
    showsIdentifier(created),
    succeeds(valid, 'verifying a new key'),
    succeeds(changed, 'changing its tier'),
    inapplicableIf(
      whileItRuns && revoked !== undefined && statusFits(revoked, '4xx'),
      'the service revokes no key that has a run under way',
    ),
    succeeds(revoked, 'revoking it'),
  ],
  // Runs of other times looked at less.
  judge: ({ verified, kept, others, work, late = [], elsewhere = [], byAnotherMethod = [] }) => [
    ...[verified, kept, ...late].flatMap(expectNoValidKey),
    ...others.flatMap((exchange) => expectStatus(exchange, 401)),
    ...(work === undefined || succeeded(work.refused) ? [] : expectNoWork(work)),
    // Which refusal comes first is not said for a key that may lack access too.
    ...elsewhere.flatMap((exchange) => expectStatus(exchange, '4xx')),
    // A method that is answered to everybody says nothing about keys.
    ...byAnotherMethod.flatMap(({ keyless, revoked }) =>
      succeeded(revoked) && !succeeded(keyless)
        ? [violation(revoked, 'a refusal, as without any key', whatCame(revoked))]
        : [],
    ),
  ],
  fix: 'Read the record on every request, or drop cached data of a key when it is revoked.',
});
