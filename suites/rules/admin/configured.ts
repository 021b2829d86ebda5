/** What the admin interface does to a key that it did not make in this run: one that the profile gives away. */
import {
  answerText,
  type Exchange,
  expectStatus,
  type Key,
  member,
  rule,
  statusFits,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectNoValidKey, expectTier, isSameTier } from '../../language/expectations.ts';
import { inapplicableIf, showsKey, succeeds } from '../../language/gates.ts';
import {
  aKey,
  anotherTierThan,
  environmentsOf,
  isLetIn,
  ofTier,
  settling,
  tiersOfNewKeys,
} from '../../language/issued-keys.ts';

/** Before it is revoked. */
export const configuredKeyIsChanged = rule({
  id: 'admin.configured-key-is-changed',
  clause: clauses.changeIsKnown,
  needs: ['expendable', 'admin.change'],
  without: everything,
  alone: 'last',
  about: ({ subject }) => ({ to: anotherTierThan(subject.admin?.expendable?.key.tier, subject) ?? null }),
  async *ask(ask) {
    const { admin, verify, subject } = ask;
    const spare = subject.admin?.expendable;
    if (spare === undefined) throw new Error('a rule continues without what it needs: no key is expendable');
    const { key, id } = spare;
    const to = anotherTierThan(key.tier, subject);
    const verified = (of: Key): Promise<Exchange> =>
      settling(ask)(
        () => verify({ key: of }),
        (answer) => isSameTier(member(answer, 'tier'), to),
      );
    yield { before: await verify({ key }) };
    // One that was made follows such a change, or it is no matter of configured ones.
    const made = await admin.create();
    const asked = to === undefined || made.id === undefined ? undefined : made.key;
    if (asked !== undefined) await verify({ key: asked });
    if (asked !== undefined) await admin.change(made, ofTier(to));
    yield { control: asked === undefined ? null : await verified(asked) };
    yield { changed: to === undefined ? null : await admin.change({ id }, ofTier(to)) };
    const after = await verified(key);
    yield { after };
    if (subject.control.restart && asked !== undefined && isSameTier(member(after, 'tier'), to)) {
      await ask.restart();
      // What is forgotten of every key, or of every configured one of that tier, is found by other rules.
      const peer = subject.keys.find((each) => each.kind !== 'issued' && each.tier === to);
      const others = [await verify({ key: asked }), ...(peer === undefined ? [] : [await verify({ key: peer })])];
      yield { restarted: { others, own: await verify({ key }) } };
    }
    // As it was: whoever looks at it next expects that.
    yield { back: key.tier === undefined ? null : await admin.change({ id }, ofTier(key.tier)) };
  },
  given: ({ before, control, changed }, { to }) => [
    inapplicableIf(!!before && !isLetIn(before), 'the expendable key is not valid: an earlier run has revoked it'),
    inapplicableIf(to === null, 'the profile knows no other tier'),
    inapplicableIf(
      !!before && typeof member(before, 'tier') !== 'string',
      'its verification shows no tier: another rule reports that',
    ),
    inapplicableIf(
      !!control && !isSameTier(member(control, 'tier'), to ?? undefined),
      'no key that was made follows such a change: another rule reports that',
    ),
    inapplicableIf(
      !!changed && statusFits(changed, '4xx'),
      'the service does not change this key by the identifier that the profile states for it',
    ),
    succeeds(changed, 'changing it'),
  ],
  judge: ({ after, restarted }, { to }) =>
    [
      after,
      ...(restarted?.others.every((each) => isSameTier(member(each, 'tier'), to ?? undefined)) ? [restarted.own] : []),
    ].flatMap((each) => expectTier(each, to ?? '')),
  fix: 'Change every key that has a record, also one that was configured: an answer of success says that it was done, and a restart does not undo it.',
});

export const configuredKeyIsRevoked = rule({
  id: 'admin.configured-key-is-revoked',
  clause: clauses.revokedKeyIsInvalid,
  needs: ['expendable', 'admin.revoke'],
  without: everything,
  alone: 'last',
  async *ask(ask) {
    const { admin, verify, run, read, subject } = ask;
    const spare = subject.admin?.expendable;
    if (spare === undefined) throw new Error('a rule continues without what it needs: no key is expendable');
    const { key, id } = spare;
    const [actor] = subject.actors.clean;
    yield { valid: await verify({ key }) };
    // What is kept of a key, and of what it was shown, is kept from then on.
    if (actor !== undefined) await run({ key, actor });
    if (actor !== undefined) await read({ key, actor });
    yield { revoked: await admin.revoke({ id }) };
    const settle = settling(ask);
    const lastOf = (call: () => Promise<Exchange>): Promise<Exchange> => settle(call, (answer) => !isLetIn(answer));
    const asked = async (): Promise<readonly [Exchange, ...(Exchange | null)[]]> => [
      await lastOf(() => verify({ key })),
      ...(actor === undefined
        ? []
        : [await lastOf(() => run({ key, actor })), await lastOf(() => read({ key, actor }))]),
    ];
    yield { after: await asked() };
    if (subject.control.restart) {
      await ask.restart();
      yield { restarted: await asked() };
      // What a start adds to the store, the next one may find there.
      await ask.restart();
      yield { restartedTwice: await asked() };
    }
  },
  given: ({ valid, revoked }) => [
    inapplicableIf(!!valid && !isLetIn(valid), 'the expendable key is not valid: an earlier run has revoked it'),
    inapplicableIf(
      !!revoked && statusFits(revoked, 404),
      'there is no record by the identifier that the profile states for this key',
    ),
    succeeds(revoked, 'revoking it'),
  ],
  judge: ({ after, restarted, restartedTwice }) =>
    [after, restarted, restartedTwice].flatMap((asked) => {
      const [verified, ...others] = asked ?? [];
      return [
        ...(verified ? expectNoValidKey(verified) : []),
        ...others.flatMap((each) => (each === null ? [] : expectStatus(each, 401))),
      ];
    }),
  fix: 'Make a revoked key invalid at once and forever, even if it was configured and not created by the admin interface.',
});

export const keyOfItsEnvironment = rule({
  id: 'admin.key-of-its-environment',
  clause: clauses.issuedKeyFormat,
  needs: ['admin.create'],
  without: everything,
  cases: (subject) =>
    environmentsOf(subject.admin).length > 0
      ? environmentsOf(subject.admin).flatMap((environment) => [
          { name: `a ${environment} key`, environment, wanted: {} },
          ...(subject.admin?.chooses.create.includes('features')
            ? [{ name: `a ${environment} key without features`, environment, wanted: { features: [] } }]
            : []),
          ...tiersOfNewKeys(subject).map((tier) => ({
            name: `a ${environment} key of the tier ${tier}`,
            environment,
            wanted: { tier },
          })),
        ])
      : 'the profile does not say how to request a live or a test key (`{environment}` in `admin.create`)',
  about: ({ case: { environment, wanted } }): { readonly prefix: string; readonly refusable?: boolean } => ({
    prefix: `vk_${environment}_`,
    refusable: 'tier' in wanted || 'features' in wanted,
  }),
  async *ask(ask) {
    yield* aKey(ask, { ...ask.case.wanted, environment: ask.case.environment });
  },
  given: ({ created }, { refusable = false }) => [
    inapplicableIf(
      refusable && created !== undefined && statusFits(created.answer, '4xx'),
      'the service makes no such keys of this tier, or without features',
    ),
    showsKey(created),
  ],
  judge: ({ created: { answer, name } }, { prefix }) =>
    answerText(answer).includes(`${prefix}«${name}»`)
      ? []
      : [violation(answer, `a key that begins with ${prefix}`, 'a key with another prefix')],
  fix: 'Issue production keys as vk_live_… and test keys as vk_test_…, as the request asks.',
});
