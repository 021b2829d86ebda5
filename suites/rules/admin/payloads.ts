/** What key management does with an invalid payload. */
import {
  type Case,
  type Exchange,
  expectNoServerError,
  expectStatus,
  isObject,
  type Json,
  readJson,
  rule,
  statusFits,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectVerified } from '../../language/expectations.ts';
import { inapplicableIf, showsKey } from '../../language/gates.ts';
import { aKey, recordsIn, tierOfNewKeys } from '../../language/issued-keys.ts';

/** The payload with every mention of the tier replaced; undefined if it mentions none. */
export const withWrongTier = (body: string, tier: string, put: Json = { unlisted: 42 }): string | undefined =>
  withWrong(body, (value) => value === tier, put);

/** The same with the list of features. */
const withWrongFeatures = (body: string, features: readonly string[], put: Json): string | undefined =>
  withWrong(body, (value) => Array.isArray(value) && value.join() === features.join(), put);

function withWrong(body: string, isMeant: (value: Json) => boolean, put: Json): string | undefined {
  const payload = parsed(body);
  const spoilt = (value: Json): Json => {
    if (isMeant(value)) return put;
    if (Array.isArray(value)) return value.map(spoilt);
    return isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [name, spoilt(each)]))
      : value;
  };
  if (!isObject(payload)) return undefined;
  const wrong = JSON.stringify(spoilt(payload));
  return wrong === JSON.stringify(payload) ? undefined : wrong;
}

export function parsed(text: string): Json | undefined {
  try {
    return readJson(text);
  } catch {
    return undefined;
  }
}

const sentIn = ({ request }: Exchange): string | undefined => request.body?.text;

interface BadPayload extends Case {
  readonly body?: string;
  /** Stands for the tier of a payload that is right otherwise. */
  readonly tier?: Json;
  /** Stands for the list of features, in the same way. */
  readonly features?: Json;
  /** The right one, in a list. */
  readonly listed?: true;
  /** Who creates a key of nothing may: only a failure of the service says more. */
  readonly harmless?: true;
}

const badPayloadBodies: readonly BadPayload[] = [
  { name: 'malformed JSON', body: '{"cut": ' },
  { name: 'an array', body: '[]' },
  { name: 'a string', body: '"text"' },
  { name: 'a number', body: '42' },
  { name: 'null', body: 'null' },
  {
    name: 'members with names of their own kind',
    body: '{"__proto__":{"tier":1},"constructor":null,"":[]}',
    harmless: true,
  },
  { name: 'lists nested 5,000 deep', body: `${'['.repeat(5000)}${']'.repeat(5000)}` },
  { name: 'a tier that is no string', tier: { unlisted: 42 } },
  { name: 'a tier that is unknown', tier: 'harbour-unlisted' },
  // What turns into a text easily is taken for one.
  { name: 'a tier in a list', listed: true },
  { name: 'an empty list for a tier', tier: [] },
  { name: 'an empty tier', tier: '' },
  // Who reads them leniently may.
  { name: 'features that are a number', features: 42, harmless: true },
  { name: 'features that are an object', features: { unlisted: 42 }, harmless: true },
  { name: 'features that hold a number and nothing', features: [42, null], harmless: true },
];

export const badPayloads = rule({
  id: 'admin.bad-payloads',
  clause: clauses.adminBadPayloads,
  needs: ['admin.create'],
  without: everything,
  cases: ({ admin }) =>
    badPayloadBodies.filter(({ features }) => features === undefined || admin?.chooses.create.includes('features')),
  alone: true,
  about: ({ subject, case: { body, tier, features, harmless } }) => ({
    tier: body === undefined && features === undefined ? tierOfNewKeys(subject) : null,
    // Names of tiers are not shown: who takes any word for one may.
    open: typeof tier === 'string' || harmless === true,
  }),
  async *ask(ask) {
    const { admin, subject } = ask;
    const { key, issued } = yield* aKey(ask);
    const { listed, tier, features, body: whole } = ask.case;
    const right = sentIn(issued.exchange) ?? '';
    const body =
      whole ??
      (features === undefined
        ? withWrongTier(right, key.tier ?? '', listed ? [key.tier ?? ''] : tier)
        : withWrongFeatures(right, subject.admin?.features ?? [], features)) ??
      '';
    const lists = subject.admin?.operations.includes('list') === true;
    yield { before: lists ? await admin.list() : null };
    const made = await admin.create({ body });
    yield { exchange: made.exchange };
    // Who has a tier for those that ask for none gives a key that one.
    yield { verified: ask.case.tier === '' && made.key !== undefined ? await ask.verify({ key: made.key }) : null };
    yield { after: lists ? await admin.list() : null };
    // Who was in the middle of something when it refused is still there.
    yield { next: (await admin.create()).exchange };
  },
  given: ({ created }, { tier }) => {
    const sent = created && sentIn(created.answer);
    return [
      showsKey(created),
      inapplicableIf(!!created && sent === undefined, 'this service creates keys without a payload'),
      inapplicableIf(
        sent !== undefined && tier !== null && withWrongTier(sent, tier) === undefined,
        'the payload contains no tier',
      ),
    ];
  },
  judge({ exchange, verified = null, before, after, next = null }, { open }) {
    const broken = next === null ? [] : expectNoServerError(next);
    if (broken.length > 0) return broken;
    const untiered = verified === null ? [] : expectVerified(verified);
    if (untiered.length > 0) return untiered;
    if (open && !statusFits(exchange, '4xx')) return expectNoServerError(exchange);
    const refused = expectStatus(exchange, '4xx');
    if (refused.length > 0 || before === null || after === null) return refused;
    const [had, has] = [recordsIn(before), recordsIn(after)];
    return had === undefined || has === undefined || has <= had
      ? []
      : [violation(after, `${had} records in the list, as before`, String(has))];
  },
  fix: 'Validate the payload before you store anything, and answer 400 or 422.',
});
