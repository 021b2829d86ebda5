/** What key management makes of a payload that is none. */
import { hasStatus, Inapplicable, isObject, type Json, rule, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { aKey, recordsIn } from '../../language/issued-keys.ts';
import { everything } from '../../language/sure.ts';

/** The payload with another type wherever it says the tier; undefined where it says none. */
export function withWrongTier(body: string, tier: string): string | undefined {
  const payload = parsed(body);
  const spoilt = (value: Json): Json => {
    if (value === tier) return { unlisted: 42 };
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
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

const badPayloadBodies = [
  { name: 'malformed JSON', body: '{"cut": ' },
  { name: 'an array', body: '[]' },
  { name: 'a string', body: '"text"' },
  { name: 'a number', body: '42' },
  { name: 'a tier that is no string', body: undefined },
];

export const badPayloads = rule({
  id: 'admin.bad-payloads',
  clause: clauses.adminBadPayloads,
  needs: ['admin.create'],
  without: everything,
  cases: () => badPayloadBodies,
  alone: true,
  async ask(ask) {
    const { admin, subject } = ask;
    const { key, answer } = await aKey(ask);
    const sent = answer.request.body?.text;
    if (sent === undefined) throw new Inapplicable('a key is created without any payload');
    const body = ask.case.body ?? (key.tier === undefined ? undefined : withWrongTier(sent, key.tier));
    if (body === undefined) throw new Inapplicable('the payload says no tier');
    const lists = subject.admin?.operations.includes('list') === true;
    const before = lists ? await admin.list() : null;
    const { exchange } = await admin.create({ body });
    return { exchange, before, after: lists ? await admin.list() : null };
  },
  judge({ exchange, before, after }) {
    const refused = hasStatus(exchange, '4xx');
    if (refused.length > 0 || before === null || after === null) return refused;
    const [had, has] = [recordsIn(before), recordsIn(after)];
    return had === undefined || has === undefined || has <= had
      ? []
      : [violation(after, `${had} records in the list, as before`, String(has))];
  },
  mend: 'Validate the payload before anything is stored, and answer 400 or 422.',
});
