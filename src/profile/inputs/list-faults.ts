/** What can be wrong with a list: how many entries it has, which of them are alike, and what stands far behind. */
import type { Json } from '../../model/json.ts';
import { holdsTemplate } from '../templates.ts';
import { list, mapping, type Proposal } from './faults.ts';
import { lengthened } from './lists.ts';
import type { Place, Steps } from './places.ts';

const mostItems = 1_000;
/** As many are looked at one by one, if any are. */
const many = 5;

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
      yield fault(
        Array.from({ length: maxItems + 1 }, (_, index) => items?.[index] ?? first),
        'maxItems',
        0,
      );
    if (uniqueItems !== true) continue;
    yield fault([first, first], 'uniqueItems', 1);
    // Who compares neighbours alone does not see it.
    const second = items?.[1];
    if (second !== undefined) yield fault([first, second, first], 'uniqueItems', 1);
    if (!holdsTemplate(first)) yield fault([...lengthened([first], many, true), first], 'uniqueItems', 2);
  }
  yield* lateFaults(path, schemas, items);
  // The first item is wrong in its own place: here it is a later one, behind what is right.
  if (items !== undefined && items.length > 0)
    for (const put of [mapping, list])
      yield { fault: 'items', path: [...path, Math.max(1, items.length - 1)], put, keywords: [], rank: 2 };
}

/** Who looks at the first few entries alone does not see what is wrong with the last of many. */
function* lateFaults(path: Steps, schemas: Place['schemas'], items: readonly Json[] | undefined): Generator<Proposal> {
  if (items === undefined || items.length === 0 || items.length > many || items.some(holdsTemplate)) return;
  const isUnique = schemas.some(({ uniqueItems }) => uniqueItems === true);
  const put = [...lengthened(items, many, isUnique), mapping];
  yield { fault: 'items', path: [...path, many], put: mapping, keywords: [], rank: 2, also: { path, put } };
}
