/** Configured keys of plans that no context has: what is so for one key is so for all. */
import { type Exchange, type Gate, type Key, type Subject, statusFits, succeeded } from '../../src/vocabulary.ts';
import { inapplicableIf } from './gates.ts';

/** Profiles with hundreds of plans exist. */
const most = 6;

/** One of each sort and plan, but for those that ask everything anyway. */
export function furtherKeys({ keys }: Subject): readonly Key[] {
  const configured = keys.filter(({ kind }) => kind !== 'issued');
  const nameOf = ({ kind, tier }: Key): string => `${kind} ${tier}`;
  const usual = ['live', 'test'].flatMap(
    (sort) => configured.find(({ kind, role }) => kind === sort && role === 'entitled') ?? [],
  );
  const known = new Set(usual.map(nameOf));
  const others = new Map(configured.filter((key) => !known.has(nameOf(key))).map((key) => [nameOf(key), key]));
  return [...others.values()].slice(0, most);
}

/** The one that is asked first in every rule. */
export const usualKey = ({ keys }: Subject): Key | undefined => keys.find(({ role }) => role === 'entitled');

export const noFurtherKey = 'the profile has no key of another plan: add one with its `tier`';

/** Not every actor is open to every plan, and a plan may have fewer sources. */
export const isOpenTo = (clean: Exchange | undefined): Gate =>
  inapplicableIf(
    clean !== undefined && !succeeded(clean) && statusFits(clean, [400, 402, 403, 422]),
    'this actor, with this input, is not open to such a key',
  );
