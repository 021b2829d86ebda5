/** The input of an actor that reads sources, with other lists of them. Templates such as `{{source.ok3}}` stand for addresses. */
import { isObject, type Json } from '../model/json.ts';
import type { Actor, SourceLists } from '../model/subject.ts';
import { filledIn, violationsOf } from '../profile/inputs/index.ts';

const both = ['{{source.ok}}', '{{source.ok2}}'];
const further = Array.from({ length: 10 }, (_, at) => `{{source.ok${at + 3}}}`);

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
  const filled = schema === undefined || withMore(plain, [], both) === undefined ? undefined : filledIn(schema, plain);
  const lists: { [Name in keyof SourceLists]: Json | undefined } = {
    pair: listed([], both) ?? listed(['{{source.ok2}}'], ['{{source.ok}}']),
    three: listed(further.slice(0, 1)),
    twice: listed(['{{source.ok2}}']),
    most: many === undefined ? undefined : upTo(4, further.length),
    filled,
  };
  const found = Object.entries(lists).filter(([, list]) => list !== undefined);
  return {
    ...(many === undefined ? {} : { manySources: many }),
    ...(found.length === 0 ? {} : { sourceLists: Object.fromEntries(found) as SourceLists }),
  };
}

/** The same with further entries in the list that holds all of these sources; undefined if no list does. */
function withMore(value: Json, added: readonly string[], beside: readonly string[]): Json | undefined {
  if (Array.isArray(value)) {
    const list = value as readonly Json[];
    return beside.every((source) => list.includes(source)) ? [...list, ...added] : undefined;
  }
  if (!isObject(value)) return undefined;
  for (const [name, each] of Object.entries(value)) {
    const longer = withMore(each, added, beside);
    if (longer !== undefined) return { ...value, [name]: longer };
  }
  return undefined;
}
