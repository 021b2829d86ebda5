/** Keys that a rule makes for itself through the admin interface. The run revokes them when it ends. */
import {
  type Ask,
  type Exchange,
  Inconclusive,
  type Issued,
  isObject,
  jsonOf,
  type Key,
  member,
  succeeded,
} from '../../src/vocabulary.ts';
import { mustSucceed } from './sure.ts';

type Making = Pick<Ask<unknown>, 'admin'>;

/** A record to work on. */
export async function aRecord({ admin }: Making): Promise<Issued> {
  const issued = await admin.create();
  mustSucceed(issued.exchange, 'creating a key');
  return issued;
}

export interface NewKey {
  readonly issued: Issued;
  readonly key: Key;
  readonly answer: Exchange;
  /** The name under which the key stands in everything that is written down. */
  readonly name: string;
}

/** A record whose key the answer showed. */
export async function aKey({ admin }: Making, tier?: string): Promise<NewKey> {
  const issued = await admin.create(tier === undefined ? {} : { tier });
  const answer = mustSucceed(issued.exchange, 'creating a key');
  if (issued.key === undefined) {
    throw new Inconclusive('the answer of create showed no key where the profile says it stands (`admin.create.key`)');
  }
  return { issued, key: issued.key, answer, name: issued.key.secret.name };
}

/** The tier that the request of a create asked for, where its body or path says one at all. */
export function requestedTier({ key, answer }: NewKey): string | null {
  const { tier } = key;
  if (tier === undefined) return null;
  const { target, body } = answer.request;
  const said = body?.text?.includes(JSON.stringify(tier)) || target.includes(`=${encodeURIComponent(tier)}`);
  return said ? tier : null;
}

/** How many records a list shows: the length of the answer, or of the one array in it. */
export function recordsIn(exchange: Exchange): number | undefined {
  const body = jsonOf(exchange);
  if (!succeeded(exchange) || !body.ok) return undefined;
  if (Array.isArray(body.value)) return body.value.length;
  if (!isObject(body.value)) return undefined;
  const arrays = Object.values(body.value).filter((each) => Array.isArray(each));
  return arrays.length === 1 ? arrays[0]?.length : undefined;
}

/** How long between two looks at what may take a while to be known everywhere. */
const pauseMs = 100;

type Waiting = Pick<Ask<unknown>, 'subject' | 'sleep' | 'now'>;
type Settling = (call: () => Promise<Exchange>, isSettled: (answer: Exchange) => boolean) => Promise<Exchange>;

/** From now on: the same call until its answer is as it should be, or the profile's bound has passed. The last answer. */
export function settling({ subject, sleep, now }: Waiting): Settling {
  const until = now() + subject.bounds.revocationMs;
  return async (call, isSettled) => {
    let last = await call();
    while (!isSettled(last) && now() < until) {
      await sleep(pauseMs);
      last = await call();
    }
    return last;
  };
}

/** Whether the answer takes its key for a valid one. */
export const isLetIn = (exchange: Exchange): boolean => succeeded(exchange) && member(exchange, 'valid') !== false;
