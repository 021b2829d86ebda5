/** Which values of an input come back among the items of its run, and whose values are there. Pure, from what was sent and answered. */
import { type Exchange, isObject, type Json, jsonOf, readJson, withDoubles } from '../../src/vocabulary.ts';

export type Leaf = string | number;

/** Every text and number of a value, by its JSON Pointer. */
export function leavesOf(value: Json | undefined): ReadonlyMap<string, Leaf> {
  const found = new Map<string, Leaf>();
  const walk = (here: Json | undefined, at: string): void => {
    if (typeof here === 'string' || typeof here === 'number') found.set(at, here);
    else if (Array.isArray(here)) for (const [index, each] of here.entries()) walk(each, `${at}/${index}`);
    else if (isObject(here)) for (const [name, each] of Object.entries(here)) walk(each, `${at}/${name}`);
  };
  walk(value, '');
  return found;
}

/** The same with another value at a place. */
export function withLeaf(value: Json, at: string, leaf: Leaf): Json {
  const [, step, ...rest] = at.split('/');
  if (step === undefined) return leaf;
  const below = rest.length === 0 ? '' : `/${rest.join('/')}`;
  if (Array.isArray(value))
    return value.map((each: Json, index) => (String(index) === step ? withLeaf(each, below, leaf) : each));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === step ? withLeaf(each, below, leaf) : each]),
  );
}

/** As it was sent, with its nonce. */
export const sentIn = ({ request }: Exchange): Json => readJson(request.body?.text ?? '{}');

export function inputOf({ request }: Exchange): ReadonlyMap<string, Leaf> {
  try {
    return leavesOf(withDoubles(readJson(request.body?.text ?? 'null')));
  } catch {
    return new Map();
  }
}

export function itemsOf(exchange: Exchange): ReadonlyMap<string, Leaf> {
  const body = jsonOf(exchange);
  return leavesOf(body.ok && isObject(body.value) ? withDoubles(body.value.items ?? null) : null);
}

/** How many items there are, where they are a list. */
export const lengthOf = (exchange: Exchange): number | undefined => {
  const body = jsonOf(exchange);
  const items = body.ok && isObject(body.value) ? body.value.items : undefined;
  return Array.isArray(items) ? items.length : undefined;
};

/** The places of an input whose values stand at the same place of the items in both runs, though they differ. */
export function echoedLeaves(one: Exchange, other: Exchange): readonly string[] {
  const [inputs, items] = [[inputOf(one), inputOf(other)] as const, [itemsOf(one), itemsOf(other)] as const];
  return [...inputs[0]].flatMap(([at, value]) => {
    const second = inputs[1].get(at);
    if (second === undefined || second === value) return [];
    const comesBack = [...items[0]].some(([place, item]) => item === value && items[1].get(place) === second);
    return comesBack ? [at] : [];
  });
}

/** The places of an input whose values stand among the items of the next run instead: seen twice, and never their own. */
export function belatedLeaves([first, second, third]: readonly [Exchange, Exchange, Exchange]): readonly string[] {
  const [before, own] = [inputOf(first), inputOf(second)];
  const [items, later] = [itemsOf(second), itemsOf(third)];
  return [...before].flatMap(([at, value]) => {
    const next = own.get(at);
    const differ = new Set([value, next, inputOf(third).get(at)]).size === 3;
    const isLate =
      next !== undefined && differ && [...items].some(([place, item]) => item === value && later.get(place) === next);
    return isLate ? [at] : [];
  });
}

/** Long enough that nobody has it by chance. */
const longEnough = 8;

/** Texts that only the inputs of others hold. */
export function textsOfOthers(own: Exchange, all: readonly Exchange[]): ReadonlySet<string> {
  const mine = new Set(inputOf(own).values());
  const others = all.filter((each) => each !== own).flatMap((each) => [...inputOf(each).values()]);
  return new Set(
    others.filter(
      (value): value is string => typeof value === 'string' && value.length >= longEnough && !mine.has(value),
    ),
  );
}
