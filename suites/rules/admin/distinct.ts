/** Keys that are made alike, and keys that are there again after a restart. */
import { answerText, type Created, member, rule, showsPlaintext, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectTier } from '../../language/expectations.ts';
import { inconclusiveIf, showsKey, succeeds } from '../../language/gates.ts';
import { aKey, ofTier, recordsOf } from '../../language/issued-keys.ts';

const nameOf = ({ name }: Created): string => name ?? '';

export const keysAreDistinct = rule({
  id: 'admin.keys-are-distinct',
  clause: clauses.plaintextShownOnce,
  needs: ['admin.create'],
  without: everything,
  async *ask(ask) {
    const { admin, verify } = ask;
    const { key } = yield* aKey(ask);
    const again = await admin.create();
    yield { again: again.created };
    yield { later: [again.exchange, ...(await recordsOf(ask, again))] };
    yield { first: await verify({ key }) };
  },
  given: ({ created, again }) => [showsKey(created), succeeds(again?.answer, 'creating a second key')],
  judge: ({ created, later }) =>
    later
      .filter((exchange) => showsPlaintext(answerText(exchange), nameOf(created)))
      .map((exchange) => violation(exchange, 'nothing of the key created before', `«${nameOf(created)}» in it`)),
  fix: 'Create a new key each time, even for the same request: the first key is never shown again.',
});

export const tierSurvivesRestart = rule({
  id: 'admin.tier-survives-restart',
  clause: clauses.keyHasTier,
  needs: ['admin.create', 'admin.restart'],
  without: everything,
  alone: true,
  cases: ({ keys, tierOrder }) =>
    [...new Set([...tierOrder, ...keys.flatMap(({ tier }) => tier ?? [])])].map((tier) => ({
      name: `a key of the tier ${tier}`,
      tier,
    })),
  async *ask(ask) {
    const { key } = yield* aKey(ask, ofTier(ask.case.tier));
    yield { before: await ask.verify({ key }) };
    await ask.restart();
    yield { after: await ask.verify({ key }) };
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
  judge: ({ before, after }) => expectTier(after, String(member(before, 'tier'))),
  fix: 'Store the tier with each key, and read it again when the service starts.',
});
