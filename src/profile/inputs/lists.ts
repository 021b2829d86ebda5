/** Lists with more entries of the kind that they have. */
import { isObject, type Json } from '../../model/json.ts';

/** The first entry again and again, or, where no two may be alike, others like it. */
export const lengthened = (entries: readonly Json[], length: number, isUnique: boolean): Json[] =>
  Array.from({ length }, (_, at) => entries[at] ?? (isUnique ? likeFirst(entries[0]!, at) : entries[0]!));

function likeFirst(first: Json, at: number): Json {
  if (typeof first === 'number') return first + at;
  if (typeof first === 'string') return `${first}${at}`;
  if (!isObject(first)) return first;
  // One member that differs is enough. More often than a text, a number may be another.
  const free = ['number', 'string'].flatMap((type) =>
    Object.entries(first).filter(([, value]) => typeof value === type),
  );
  const [member] = free;
  return member === undefined ? first : { ...first, [member[0]]: likeFirst(member[1], at) };
}
