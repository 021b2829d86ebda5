/** Lists with more entries of the kind that they have. */
import type { Json } from '../../model/json.ts';

/** The first entry again and again, or, where no two may be alike, others like it. */
export const lengthened = (entries: readonly Json[], length: number, isUnique: boolean): Json[] =>
  Array.from({ length }, (_, at) => entries[at] ?? (isUnique ? likeFirst(entries[0]!, at) : entries[0]!));

const likeFirst = (first: Json, at: number): Json =>
  typeof first === 'number' ? first + at : typeof first === 'string' ? `${first}${at}` : first;
