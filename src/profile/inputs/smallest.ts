/** How much a valid value holds at least: a schema that demands a million items is not given to a generator. */
import { isObject, type Json } from '../../model/json.ts';
import { ExactNumber } from '../../model/json-text.ts';
import { follow } from './examine.ts';
import type { Schema } from './keywords.ts';

/** A rough number of members and characters; infinite where a value would contain itself. */
export function smallest(root: Schema): number {
  const known = new Map<Schema, number>();
  const size = (schema: Json | undefined): number => {
    if (!isObject(schema)) return 1;
    const before = known.get(schema);
    if (before !== undefined) return before;
    known.set(schema, Number.POSITIVE_INFINITY);
    const result = measure(schema);
    known.set(schema, result);
    return result;
  };
  const count = (value: Json | undefined): number =>
    value instanceof ExactNumber ? Number(value.digits) : typeof value === 'number' ? value : 0;
  const measure = (schema: Schema): number => {
    let sum = 1 + count(schema.minLength) / 10 + count(schema.minProperties);
    if (schema.$ref !== undefined) sum += size(follow(root, schema.$ref));
    if (count(schema.minItems) > 0) sum += count(schema.minItems) * size(schema.items);
    const properties = isObject(schema.properties) ? schema.properties : {};
    for (const name of Array.isArray(schema.required) ? schema.required : [])
      sum += typeof name === 'string' && Object.hasOwn(properties, name) ? size(properties[name]) : 1;
    for (const each of Array.isArray(schema.allOf) ? schema.allOf : []) sum += size(each);
    for (const list of [schema.anyOf, schema.oneOf])
      if (Array.isArray(list) && list.length > 0) sum += Math.min(...list.map((each: Json) => size(each)));
    return sum;
  };
  try {
    return size(root);
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
