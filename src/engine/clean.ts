/** Removes a key that an earlier run made, and reports the result: by its identifier, or by the mark in its record. */
import { type Exchange, jsonOf, succeeded } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import { ExactNumber } from '../model/json-text.ts';
import { Secret } from '../model/secret.ts';
import { aLabel } from '../words.ts';
import { adminAsker } from './admin-asker.ts';
import { cleaning } from './requests.ts';
import type { Session } from './session.ts';

export type Cleaned =
  | { readonly is: 'removed' }
  /** Somebody else was faster. */
  | { readonly is: 'gone' }
  | { readonly is: 'stays'; readonly because: string }
  | { readonly is: 'unreachable'; readonly because: string };

/** For one call: each is one more use of a connection, which serves a few. */
export const cleanerOf = (session: Session) =>
  adminAsker(session, cleaning(session), (sending) => session.recorder.send({ ...sending, lasting: true }));

export async function removeById(session: Session, name: string, id: string): Promise<Cleaned> {
  const exchange = await cleanerOf(session).revoke({ id: new Secret(`${name}:id`, id) });
  const { response } = exchange;
  if (response === undefined) return unanswered(exchange);
  if (succeeded(exchange)) return { is: 'removed' };
  if (response.status === 404 || response.status === 410) return { is: 'gone' };
  return { is: 'stays', because: `the service answered ${response.status}` };
}

const unanswered = ({ failure }: Exchange): Cleaned => ({
  is: 'unreachable',
  because: failure?.says ?? 'It did not answer.',
});

/**
 * The run was killed before it learned an identifier. Where the profile puts the mark into the record of each key, a list that shows
 * marks shows whether it exists: a list without any mark may just not show marks.
 */
export async function removeByMark(session: Session, name: string, mark: string): Promise<Cleaned> {
  const { admin } = session.profile;
  const member = admin?.at.id?.split('/').at(-1);
  const isMarked = JSON.stringify(admin?.create?.body ?? '').includes('{mark}');
  if (!isMarked || admin?.list === undefined || member === undefined)
    return {
      is: 'stays',
      because: 'the run ended before it knew the identifier, and the body of admin.create does not contain `{mark}`',
    };
  const exchange = await cleanerOf(session).list();
  if (exchange.response === undefined) return unanswered(exchange);
  const body = jsonOf(exchange);
  if (!succeeded(exchange) || !body.ok) return { is: 'stays', because: `listing keys got ${exchange.response.status}` };
  const found = markedBy(body.value, mark, member);
  if (found.length === 0)
    return aLabel.test(JSON.stringify(body.value))
      ? { is: 'gone' }
      : { is: 'stays', because: 'the list of keys shows no marks, so it is unknown whether it was created' };
  let last: Cleaned = { is: 'gone' };
  for (const id of found) {
    last = await removeById(session, name, id);
    if (last.is === 'stays' || last.is === 'unreachable') return last;
  }
  return last;
}

/** The identifiers of all records, at any depth, that hold the mark themselves. */
export function markedBy(value: Json, mark: string, member: string): string[] {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return [];
  if (Array.isArray(value)) return value.flatMap((each: Json) => markedBy(each, mark, member));
  const own = Object.values(value).some((each) => typeof each === 'string' && each.includes(mark));
  const id = Object.hasOwn(value, member) ? (value as { readonly [name: string]: Json })[member] : undefined;
  if (own && (typeof id === 'string' || typeof id === 'number' || id instanceof ExactNumber)) return [String(id)];
  return Object.values(value).flatMap((each) => markedBy(each as Json, mark, member));
}
