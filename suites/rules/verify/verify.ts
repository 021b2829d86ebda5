import {
  type Case,
  expectJsonObject,
  expectMember,
  expectStatus,
  expectText,
  isObject,
  jsonOf,
  type Key,
  kindOf,
  member,
  observation,
  rule,
  succeeded,
  sweep,
  unless,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { pathOf } from '../../language/answers.ts';
import { everything } from '../../language/asking.ts';
import { asNew, type Dress, dresses } from '../../language/dresses.ts';
import { expectInvalidKey, expectTier, expectVerified, isSameTier } from '../../language/expectations.ts';
import { inconclusiveIf, succeeds } from '../../language/gates.ts';
import { keyNearMisses } from '../../language/near-misses.ts';
import { plainVerify } from '../../language/twins.ts';

export const validKey = rule({
  id: 'verify.valid-key',
  clause: clauses.verifyReports,
  needs: ['key'],
  question: 'verify',
  ask: ({ verify }) => verify(),
  judge: expectVerified,
  fix: 'Answer GET /v1/auth/verify with a JSON object in which `valid` is true and `tier` is the name of the tier.',
});

/** Each of them, also the third on a connection and those that other rules ask in passing. */
export const everyAnswer = sweep({
  id: 'verify.every-answer',
  clause: clauses.verifyReports,
  needs: ['key'],
  provoke: null,
  includes: (exchange) =>
    exchange.request.method === 'GET' && /\/v1\/auth\/verify$/.test(pathOf(exchange)) && succeeded(exchange),
  judge: (exchange) =>
    unless(expectJsonObject(exchange), () => {
      const valid = member(exchange, 'valid');
      // A success for an invalid key is another rule's concern; it has no tier.
      if (valid === false) return [];
      return [...expectMember(exchange, 'valid', true), ...expectText(exchange, 'tier')];
    }),
  fix: 'Make every answer of GET /v1/auth/verify in one place, with `valid` and `tier`.',
});

export const howeverAsked = rule({
  id: 'verify.however-asked',
  clause: clauses.keyHasTier,
  needs: ['key'],
  without: everything,
  // What others ask at the same time is for other rules.
  alone: true,
  cases: (): readonly (Case & Dress)[] => dresses,
  async *ask({ verify, random, case: { how } }) {
    yield { plain: await verify() };
    yield { exchange: await verify(asNew(how, random)) };
  },
  given: ({ plain }) => [
    succeeds(plain, 'verifying the key, asked plainly'),
    inconclusiveIf(
      !!plain && typeof member(plain, 'tier') !== 'string',
      'asked plainly, it shows no tier: other rules report that',
    ),
  ],
  // A form may be refused, or a page be given to who asks for one: other rules look at that.
  judge: ({ plain, exchange }) => {
    const [known, shown] = [member(plain, 'tier'), member(exchange, 'tier')];
    // One that is not there is missed in every answer.
    return succeeded(exchange) && typeof known === 'string' && typeof shown === 'string'
      ? expectTier(exchange, known)
      : [];
  },
  fix: 'Report the tier of the key, whatever else a request says.',
});

export const missingKey = rule({
  id: 'verify.missing-key',
  clause: clauses.keyOnEveryDataRequest,
  needs: ['key'],
  twin: plainVerify,
  ask: ({ verify }) => verify({ key: null }),
  judge: (exchange) => expectStatus(exchange, 401),
  fix: 'Answer a verification without a key with 401, like any other request without a key.',
});

export const invalidKey = rule({
  id: 'verify.invalid-key',
  clause: clauses.invalidKeyIs401,
  needs: ['key'],
  cases: () => keyNearMisses,
  twin: plainVerify,
  ask: ({ verify, key, case: nearMiss }) => verify({ key: nearMiss.of(key.secret) }),
  judge: expectInvalidKey,
  fix: 'Look up the whole key by its hash, unchanged, and answer 401 if it is unknown.',
});

const declaring = (keys: readonly Key[]): (Key & { readonly tier: string })[] =>
  keys.flatMap((key) => (key.tier === undefined || key.kind === 'issued' ? [] : [{ ...key, tier: key.tier }]));

export const tierAsDeclared = rule({
  id: 'verify.tier-as-declared',
  clause: clauses.keyHasTier,
  needs: ['declared-tier'],
  without: ['key'],
  cases: ({ keys }) => declaring(keys).map((key) => ({ name: `the key ${key.name}`, key })),
  about: ({ case: { key } }) => ({ tier: key.tier }),
  ask: async ({ verify }) => ({ exchange: await verify() }),
  given: ({ exchange }) => [succeeds(exchange, 'verifying the key')],
  judge: ({ exchange }, { tier }) => expectTier(exchange, tier, true),
  fix: "Report the tier of the presented key's own record; if that is right, correct the profile.",
});

export const tiersDiffer = rule({
  id: 'verify.tiers-differ',
  clause: clauses.keyHasTier,
  needs: ['two-tiers'],
  without: ['key'],
  cases({ keys }) {
    const first = [...new Map(declaring(keys).map((key) => [key.tier, key])).values()];
    return first.flatMap((one, at) =>
      first.slice(at + 1).map((other) => ({ name: `${one.tier} and ${other.tier}`, one, other })),
    );
  },
  about: ({ case: { one, other } }) => ({ names: [one.name, other.name] }),
  ask: async ({ verify, case: { one, other } }) => ({
    one: await verify({ key: one }),
    other: await verify({ key: other }),
  }),
  given: ({ one, other }, { names }) => [
    succeeds(one, `verifying the key ${names[0]}`),
    succeeds(other, `verifying the key ${names[1]}`),
  ],
  judge({ one, other }) {
    const [tier, another] = [member(one, 'tier'), member(other, 'tier')];
    return isSameTier(tier, another) || tier === another
      ? [violation(other, 'a different `tier` for a key of a different tier', `${kindOf(tier)} for both`)]
      : [];
  },
  fix: 'Report the tier from the record of the presented key, not one for the whole service.',
});

export const verifyFurtherFields = observation({
  id: 'verify.further-fields',
  clause: clauses.verifyFieldsNotShown,
  needs: ['key'],
  question: 'verify',
  ask: ({ verify }) => verify(),
  observe(exchange) {
    const body = jsonOf(exchange);
    const names = body.ok && isObject(body.value) ? Object.keys(body.value) : [];
    const further = names.filter((name) => name !== 'valid' && name !== 'tier');
    return [further.length === 0 ? 'verify returns no further members' : `verify also returns ${further.join(', ')}`];
  },
  fix: 'Nothing to fix: the specification leaves open what verify returns besides `valid` and `tier`.',
});
