/** The input of an actor that reads sources, with other lists of them. Templates such as `{{source.ok3}}` stand for addresses. */

import { workingSlots } from '../model/ask.ts';
import { isObject, type Json } from '../model/json.ts';
import type { Actor, SourceLists } from '../model/subject.ts';
import { chosenIn, filledIn, violationsOf } from '../profile/inputs/index.ts';

const both = ['{{source.ok}}', '{{source.ok2}}'];
const further = workingSlots.slice(both.length).map((slot) => `{{source.${slot}}}`);
/** More than five of them, and no more than a score, is a long list; more than a score are a crowd, if possible more than 32. */
const longList = { least: 4, most: 18 };
const leastOfCrowd = 19;

/** As many sources as the schema admits; without one, the run shows whether they are taken. */
export function sourcesOf(
  input: Json | undefined,
  schema: Json | undefined,
): Pick<Actor, 'manySources' | 'sourceLists'> {
  const plain = input ?? null;
  const admits = (longer: Json): boolean => schema === undefined || violationsOf(schema, longer)?.length === 0;
  const listed = (added: readonly string[], beside: readonly string[] = both): Json | undefined => {
    const longer = withMore(plain, added, beside);
    return longer !== undefined && admits(longer) ? longer : undefined;
  };
  const upTo = (least: number, most: number): Json | undefined => {
    for (let count = most; count >= least; count -= 1) {
      const longer = listed(further.slice(0, count));
      if (longer !== undefined) return longer;
    }
    return undefined;
  };
  const many = upTo(1, 3);
  const onlyFirst = withList(plain, both, (list) => list.filter((each) => each !== both[1]));
  const ofTwo = schema !== undefined && withMore(plain, [], both) !== undefined;
  const filled = ofTwo ? filledIn(schema, plain) : undefined;
  const chosen = ofTwo ? chosenIn(schema, filled ?? plain) : [];
  const lists: { [Name in keyof SourceLists]: SourceLists[Name] | undefined } = {
    one: onlyFirst === undefined || !admits(onlyFirst) ? undefined : onlyFirst,
    pair: listed([], both) ?? listed(['{{source.ok2}}'], ['{{source.ok}}']),
    three: listed(further.slice(0, 1)),
    twice: listed(['{{source.ok2}}']),
    most: many === undefined ? undefined : upTo(longList.least, longList.most),
    crowd: many === undefined ? undefined : upTo(leastOfCrowd, further.length),
    filled,
    chosen: chosen.length === 0 ? undefined : chosen,
  };
  const found = Object.entries(lists).filter(([, list]) => list !== undefined);
  return {
    ...(many === undefined ? {} : { manySources: many }),
    ...(found.length === 0 ? {} : { sourceLists: Object.fromEntries(found) as SourceLists }),
  };
}

/** The same with further entries in the list that holds all of these sources; undefined if no list does. */
const withMore = (value: Json, added: readonly string[], beside: readonly string[]): Json | undefined =>
  withList(value, beside, (list) => [...list, ...added]);

/** The same with another list for the one that holds all of these sources. */
function withList(
  value: Json,
  sources: readonly string[],
  change: (list: readonly Json[]) => readonly Json[],
): Json | undefined {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return sources.every((source) => list.includes(source)) ? [...change(list)] : undefined;
  }
  if (!isObject(value)) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const changed = withList(each, sources, change);
    if (changed !== undefined) return { ...value, [name]: changed };
  }
  return undefined;
}
