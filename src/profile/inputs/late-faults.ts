/** What can be wrong far behind in a list: who looks at the first few entries alone does not see it. */
import { isObject, type Json } from '../../model/json.ts';
import { holdsTemplate } from '../templates.ts';
import { faultsAt, list, mapping, type Proposal } from './faults.ts';
import type { Schema } from './keywords.ts';
import { lengthened } from './lists.ts';
import { type Place, placesOfEntry, type Steps, withValue } from './places.ts';
import { sampleOf } from './samples.ts';

/** As many are looked at one by one, if any are. */
export const many = 5;
/** One more than most who stop at a number of entries look at; the list is one of a dozen. */
const dozen = 12;
/** And who stops later stops at a hundred. */
const hundred = 101;
/** What is longer may be refused for the size of its body. */
const mostBytes = 3_500;

/** The same wherever an entry stands; what is about members taken together is tried with the first. */
const kinds: ReadonlySet<string> = new Set([
  ...['items', 'wrong-type', 'nested-missing', 'enum', 'const', 'bound', 'length', 'pattern', 'multipleOf'],
]);
const ofTypes: ReadonlySet<string> = new Set(['items', 'wrong-type']);

export function* lateFaults(root: Schema, place: Place): Generator<Proposal> {
  const { schemas, path } = place;
  const value = place.value ?? ofOne(root, place);
  if (!Array.isArray(value) || value.length === 0 || value.length > many) return;
  const items = value as readonly Json[];
  const isUnique = schemas.some(({ uniqueItems }) => uniqueItems === true);
  const most = Math.min(
    hundred,
    Math.floor(mostBytes / (JSON.stringify(items[0]).length + 3)),
    ...schemas.flatMap(({ maxItems }) => (typeof maxItems === 'number' ? maxItems : [])),
  );
  const late = (length: number, inEntry: Steps, put: Json | undefined, keywords: readonly string[], rank: number) =>
    behind({ path, entries: longer(items, length, isUnique), inEntry, put, keywords, rank });
  if (items.some(holdsTemplate)) {
    // Each address is one of the run's own, and there are no more than a dozen of them.
    if (most >= dozen && areSources(items)) for (const put of [mapping, list]) yield late(dozen - 1, [], put, [], 3);
    return;
  }
  if (place.value !== undefined) yield late(many, [], mapping, [], 2);
  if (most < 2) return;
  const tried = new Set<string>();
  for (const inner of placesOfEntry(root, { ...place, value }))
    for (const { fault, path: where, put, keywords, also, among, rank } of faultsAt(root, inner)) {
      const kind = fault === 'items' && where.length > path.length + 1 ? 'wrong-type' : fault;
      if (!kinds.has(kind) || rank > 1 || also !== undefined || among !== undefined || tried.has(kind)) continue;
      tried.add(kind);
      // What is wrong of its kind is tried in short lists by other proposals.
      if (most <= many + 1 && ofTypes.has(kind)) continue;
      const lengths = ofTypes.has(kind) ? [most, Math.min(most, dozen)] : [Math.min(most, dozen)];
      for (const length of new Set(lengths)) yield late(length - 1, where.slice(path.length + 1), put, keywords, 3);
    }
  if (isUnique && most > many + 1) yield late(Math.min(most, dozen) - 1, [], items[0], ['uniqueItems'], 3);
}

/** For a list that the valid input leaves out. */
function ofOne(root: Schema, { schemas }: Place): Json | undefined {
  const items = schemas.flatMap(({ type, items }) => (type === 'array' && isObject(items) ? [items] : []));
  const sample = items.length === 0 ? undefined : sampleOf(root, items);
  return sample === undefined ? undefined : [sample];
}

const areSources = (items: readonly Json[]): boolean =>
  items.every((item, at) => item === `{{source.ok${at === 0 ? '' : at + 1}}}`);

const longer = (items: readonly Json[], length: number, isUnique: boolean): Json[] =>
  areSources(items)
    ? Array.from({ length }, (_, at) => items[at] ?? `{{source.ok${at + 1}}}`)
    : lengthened(items, length, isUnique);

interface Behind extends Pick<Proposal, 'path' | 'put' | 'keywords' | 'rank'> {
  readonly entries: readonly Json[];
  readonly inEntry: Steps;
}

/** Behind as many entries that are right, one that is wrong. */
function behind({ path, entries, inEntry, put, keywords, rank }: Behind): Proposal {
  const last = entries.length;
  const entry = inEntry.length === 0 ? (put ?? null) : withValue(entries[0], inEntry, put);
  const also = { path, put: [...entries, entry] };
  const isTwice = keywords.includes('uniqueItems');
  return { fault: 'items', path: isTwice ? path : [...path, last, ...inEntry], put, keywords, rank, also };
}
