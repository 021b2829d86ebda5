/** What becomes of a key that the admin interface made: it works, it is shown once, it can be revoked. */
import {
  answerText,
  type Exchange,
  hasStatus,
  Inconclusive,
  rule,
  succeeded,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { formsOf, isPlaintextForm, showsPlaintext } from '../../language/echoes.ts';
import { isNoValidKey, verifies, verifiesWithTier } from '../../language/expectations.ts';
import { aKey, isLetIn, requestedTier, settling } from '../../language/issued-keys.ts';
import { everything, mustSucceed, mustTellOfKey } from '../../language/sure.ts';

export const createdKeyFormat = rule({
  id: 'admin.created-key-format',
  clause: clauses.issuedKeyFormat,
  needs: ['admin.create'],
  without: everything,
  async ask(ask) {
    const { answer, name } = await aKey(ask);
    return { answer, name };
  },
  judge({ answer, name }) {
    const shown = answerText(answer);
    return ['vk_live_', 'vk_test_'].some((prefix) => shown.includes(`${prefix}«${name}»`))
      ? []
      : [violation(answer, 'a key that begins with vk_live_ or vk_test_', 'a key that begins otherwise')];
  },
  mend: 'Issue production keys as vk_live_… and test keys as vk_test_….',
});

export const createdKeyWorks = rule({
  id: 'admin.created-key-works',
  clause: clauses.managedKeysWork,
  needs: ['admin.create'],
  without: everything,
  cases({ keys, tierOrder }) {
    const tiers = new Set([...tierOrder, ...keys.flatMap(({ tier }) => tier ?? [])]);
    return [
      { name: 'a key as the profile makes it', tier: undefined },
      ...[...tiers].map((tier) => ({ name: `a key of the tier ${tier}`, tier })),
    ];
  },
  async ask(ask) {
    const { verify, run, subject } = ask;
    const made = await aKey(ask, ask.case.tier);
    const { key } = made;
    const [actor] = subject.actors.clean;
    // A key of another tier may lack access to the actor.
    const runs = ask.case.tier === undefined && actor !== undefined;
    return {
      verified: await verify({ key }),
      tier: requestedTier(made),
      ran: runs ? mustTellOfKey(await run({ key, actor })) : null,
    };
  },
  judge: ({ verified, tier, ran }) => [
    ...verifiesWithTier(verified, tier),
    ...(ran === null ? [] : hasStatus(ran, '2xx')),
  ],
  mend: 'A created key is a key at once: it verifies with the tier that was asked for, and runs actors.',
});

export const shownOnce = rule({
  id: 'admin.shown-once',
  clause: clauses.plaintextShownOnce,
  needs: ['admin.create'],
  without: everything,
  async ask(ask) {
    const { admin, verify, subject } = ask;
    const { issued, key, name } = await aKey(ask);
    const operations = subject.admin?.operations ?? [];
    const later = [await verify({ key })];
    const look = async (): Promise<void> => {
      if (operations.includes('list')) later.push(await admin.list());
      if (operations.includes('read') && issued.id !== undefined) later.push(await admin.read(issued));
    };
    await look();
    if (issued.id === undefined) return { name, later };
    // What is changed or revoked is shown again, and by other code than what is listed.
    if (operations.includes('change')) later.push(await admin.change(issued));
    if (operations.includes('revoke')) {
      later.push(await admin.revoke(issued));
      await look();
    }
    return { name, later };
  },
  judge: ({ name, later }) =>
    later
      .filter((exchange) => showsPlaintext(answerText(exchange), name))
      .map((exchange) => violation(exchange, 'no answer after the first to show the key', `«${name}» in it`)),
  mend: 'Keep the hash alone, so that there is nothing left to show; a preview of a few characters is enough.',
});

export const hashIsSha256 = rule({
  id: 'admin.hash-is-sha-256',
  clause: clauses.onlyHashIsStored,
  needs: ['admin.create', 'admin.hash'],
  without: everything,
  async ask(ask) {
    const { admin, subject } = ask;
    const { issued, answer, name } = await aKey(ask);
    const shown: Exchange[] = [answer];
    const operations = subject.admin?.operations ?? [];
    if (operations.includes('list')) shown.push(await admin.list());
    if (operations.includes('read') && issued.id !== undefined) shown.push(await admin.read(issued));
    return { name, shown };
  },
  judge({ name, shown }) {
    const forms = shown.flatMap((exchange) => formsOf(answerText(exchange), name));
    return forms.some((form) => form.startsWith('sha256'))
      ? []
      : [violation(shown[0], 'the SHA-256 of the key in its record', 'another value, or none')];
  },
  mend: 'Store the SHA-256 of the whole key, prefix and all, in hexadecimal or base64.',
});

export const revokedKey = rule({
  id: 'admin.revoked-key',
  clause: clauses.revokedKeyIsInvalid,
  needs: ['admin.create', 'admin.revoke'],
  without: everything,
  async ask(ask) {
    const { admin, verify, read, run, line, subject } = ask;
    const { issued, key } = await aKey(ask);
    const [actor] = subject.actors.clean;
    const other = subject.actors.sources.find(({ name }) => name !== actor?.name);
    // What was let in once must not go on being let in: a connection, or a key that each route remembers by itself.
    const on = line();
    mustSucceed(await verify({ key, on }), 'verifying a new key');
    if (actor !== undefined) {
      await read({ key, actor, on });
      await run({ key, actor, on });
    }
    // The key may lack access to another actor, or its sources be out of reach.
    const ranOther = other !== undefined && succeeded(await run({ key, actor: other }));
    mustSucceed(await admin.revoke(issued), 'revoking it');
    const settle = settling(ask);
    const lastOf = (call: () => Promise<Exchange>): Promise<Exchange> => settle(call, (answer) => !isLetIn(answer));
    const verified = await lastOf(() => verify({ key }));
    const kept = await lastOf(() => verify({ key, on }));
    const others: Exchange[] = [];
    if (actor !== undefined)
      others.push(await lastOf(() => read({ key, actor })), await lastOf(() => run({ key, actor })));
    if (ranOther) others.push(await lastOf(() => run({ key, actor: other })));
    return { verified, kept, others };
  },
  judge: ({ verified, kept, others }) => [
    ...isNoValidKey(verified),
    ...isNoValidKey(kept),
    ...others.flatMap((exchange) => hasStatus(exchange, 401)),
  ],
  mend: 'Look at the record on every request, or drop what was remembered of a key when it is revoked.',
});

export const survivesRestart = rule({
  id: 'admin.survives-restart',
  clause: clauses.keysSurviveRestart,
  needs: ['admin.create', 'admin.restart'],
  without: everything,
  alone: true,
  async ask(ask) {
    const { key } = await aKey(ask);
    const before = mustSucceed(await ask.verify({ key }), 'verifying a new key');
    if (verifies(before).length > 0) throw new Inconclusive('a new key does not verify before the restart either');
    await ask.restart();
    return ask.verify({ key });
  },
  judge: verifies,
  mend: 'Store what the admin interface makes outside the process.',
});

export const storeHoldsNoPlaintext = rule({
  id: 'admin.store-holds-no-plaintext',
  clause: clauses.onlyHashIsStored,
  needs: ['admin.create', 'admin.dump'],
  without: everything,
  // A large store takes a while to look through, in which nobody else could be timed.
  alone: true,
  async ask(ask) {
    const { answer, name, key } = await aKey(ask);
    // A log of who called what is written where keys are used.
    await ask.verify({ key });
    const [actor] = ask.subject.actors.clean;
    if (actor !== undefined) await ask.run({ key, actor });
    return { answer, forms: formsOf(await ask.dump(), name) };
  },
  judge: ({ answer, forms }) => [
    ...(forms.some((form) => form.startsWith('sha256'))
      ? []
      : [violation(answer, 'the SHA-256 of the new key in the store', 'none of its forms')]),
    ...forms
      .filter(isPlaintextForm)
      .map((form) =>
        violation(answer, 'no plaintext of the new key in the store', form === '' ? 'the key' : `its ${form}`),
      ),
  ],
  mend: 'Store the SHA-256 of a key and nothing from which the key can be read, also in logs and backups of the store.',
});
