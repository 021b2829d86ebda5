/** Lists with more entries of the kind that they have. */
import { workingSlots } from '../../model/ask.ts';
import { isObject, type Json } from '../../model/json.ts';

/** The first entry again and again, or, where no two may be alike, others like it. */
export const lengthened = (entries: readonly Json[], length: number, isUnique: boolean): Json[] =>
  Array.from({ length }, (_, at) => entries[at] ?? (isUnique ? likeFirst(entries[0]!, at) : entries[0]!));

const slots = workingSlots.map((slot) => `{{source.${slot}}}`);

/** The same of sources that work, each another one. Undefined if the list holds anything else, or if there are not so many. */
export function withFurtherSources(entries: readonly Json[], length: number): Json[] | undefined {
  if (entries.length === 0 || !entries.every((each) => slots.some((slot) => slot === each))) return undefined;
  const longer = [...entries, ...slots.filter((slot) => !entries.includes(slot))];
  return length > entries.length && length <= longer.length ? longer.slice(0, length) : undefined;
}

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
