/** What can be wrong with a list: how many entries it has, and which of them are alike. */
import { isObject, type Json } from '../../model/json.ts';
import { ExactNumber } from '../../model/json-text.ts';
import { holdsTemplate } from '../templates.ts';
import { list, mapping, type Proposal } from './faults.ts';
import { many } from './late-faults.ts';
import { lengthened } from './lists.ts';
import type { Place } from './places.ts';

const mostItems = 1_000;

export function* listFaults({ schemas, path, value }: Place): Generator<Proposal> {
  const items = Array.isArray(value) ? (value as readonly Json[]) : undefined;
  for (const schema of schemas) {
    const { minItems, maxItems, uniqueItems } = schema;
    const fault = (put: Json, keyword: string, rank: number): Proposal => ({
      fault: 'items',
      path,
      put,
      keywords: [keyword],
      rank,
    });
    if (
      typeof minItems === 'number' &&
      minItems > 0 &&
      minItems <= mostItems &&
      (items !== undefined || minItems === 1)
    )
      yield fault((items ?? []).slice(0, minItems - 1), 'minItems', 0);
    const first = items?.[0];
    if (first === undefined) continue;
    if (typeof maxItems === 'number' && maxItems < mostItems)
      yield fault(tooMany(items ?? [first], maxItems + 1, uniqueItems === true), 'maxItems', 0);
    if (uniqueItems !== true) continue;
    yield fault([first, first], 'uniqueItems', 1);
    // Equal is what means the same: whatever comes first in an object, and however a number is written.
    const turned = isObject(first) ? Object.fromEntries(Object.entries(first).toReversed()) : undefined;
    if (turned !== undefined && Object.keys(turned).length > 1) yield fault([first, turned], 'uniqueItems', 2);
    if (typeof first === 'number' && Number.isSafeInteger(first))
      yield { ...fault([first, new ExactNumber(`${first}.0`)], 'uniqueItems', 9), fault: 'lenient' };
    // Who compares neighbours alone does not see it.
    const second = items?.[1];
    if (second !== undefined) yield fault([first, second, first], 'uniqueItems', 1);
    if (!holdsTemplate(first)) yield fault([...lengthened([first], many, true), first], 'uniqueItems', 2);
  }
  // The first item is wrong in its own place: here it is a later one, behind what is right.
  if (items !== undefined && items.length > 0)
    for (const put of [mapping, list])
      yield { fault: 'items', path: [...path, Math.max(1, items.length - 1)], put, keywords: [], rank: 2 };
}

/** Of a list whose entries differ, so do these: one that is refused for entries that are alike says nothing of their number. */
function tooMany(items: readonly Json[], count: number, isUnique: boolean): readonly Json[] {
  const [first] = items;
  if (isUnique && !items.some(holdsTemplate)) return lengthened(items, count, true);
  return Array.from({ length: count }, (_, index) => items[index] ?? first!);
}
