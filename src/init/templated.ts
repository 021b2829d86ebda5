/**
 * Inputs with `{{nonce}}` or `{{source.ok}}` in the places that take them, as far as the schema allows. Pure, but for ajv:
 * import it only where a schema was found.
 */
import { isObject, type Json } from '../model/json.ts';
import { violationsOf } from '../profile/inputs/index.ts';

type Path = readonly (string | number)[];

const mostPlaces = 20;

const kinds = 'ur[il]|link|href|feed|source|website|endpoint';
const separate = new RegExp(`(?:^|[_-])(?:${kinds})s?$`, 'i');
const joined = new RegExp(`[a-z](?:${kinds})s?$`, 'i');

/** `feed_urls`, `feedUrl`, `feedURL`; not `curl`. */
const soundsLikeAddress = (name: string): boolean =>
  separate.test(name) || (joined.test(name) && /[a-z][A-Z]+[a-z]*$/.test(name));

const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

/** Every string of an input, with its place. */
function* stringsIn(value: Json, path: Path = []): Generator<{ readonly path: Path; readonly text: string }> {
  if (typeof value === 'string') yield { path, text: value };
  else if (Array.isArray(value)) for (const [index, each] of value.entries()) yield* stringsIn(each, [...path, index]);
  else if (isObject(value)) for (const [name, each] of Object.entries(value)) yield* stringsIn(each, [...path, name]);
}

function replaced(value: Json, path: Path, put: Json): Json {
  const [step, ...rest] = path;
  if (step === undefined) return put;
  if (Array.isArray(value))
    return value.map((each: Json, index) => (index === step ? replaced(each, rest, put) : each));
  if (!isObject(value)) return value;
  // `__proto__` is a name like any other here.
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === step ? replaced(each, rest, put) : each]),
  );
}

const nameAt = (path: Path): string => String(path.findLast((step) => typeof step === 'string') ?? '');

const isAddressPlace = ({ path, text }: { readonly path: Path; readonly text: string }): boolean =>
  isAddress(text) || soundsLikeAddress(nameAt(path));

const allowed = (schema: Json, input: Json): boolean => violationsOf(schema, input)?.length === 0;

/** Optional members of the schema's top that no input needs: an address may be one of them. */
function optionalStrings(schema: Json, input: Json): readonly [name: string, isList: boolean][] {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(input)) return [];
  return Object.entries(schema.properties).flatMap(([name, each]): [string, boolean][] => {
    if (Object.hasOwn(input, name) || !isObject(each)) return [];
    if (each.type === 'string') return [[name, false]];
    return each.type === 'array' && isObject(each.items) && each.items.type === 'string' ? [[name, true]] : [];
  });
}

/** With a nonce in every text that may be any text; undefined if there is no such text. */
export function withNonce(schema: Json, input: Json): Json | undefined {
  let result = input;
  let found = false;
  const places = [...stringsIn(input)].filter((place) => !isAddressPlace(place)).slice(0, mostPlaces);
  for (const { path } of places) {
    const candidate = replaced(result, path, '{{nonce}}');
    if (!allowed(schema, candidate)) continue;
    result = candidate;
    found = true;
  }
  for (const [name, isList] of optionalStrings(schema, result)) {
    if (found || isList || soundsLikeAddress(name)) continue;
    const candidate = { ...(result as object), [name]: '{{nonce}}' };
    if (!allowed(schema, candidate)) continue;
    result = candidate;
    found = true;
  }
  return found ? result : undefined;
}

const two: Json = ['{{source.ok}}', '{{source.ok2}}'];
const one: Json = ['{{source.ok}}'];

/** With source addresses where addresses go, at most this many; undefined if no place looks like that. */
export function withSources(schema: Json, input: Json, most: 1 | 2 = 2): Json | undefined {
  let result = input;
  let found = 0;
  const lists = most === 2 ? [two, one] : [one];
  const put = (path: Path, candidates: readonly Json[]): void => {
    const fitting = candidates.map((each) => replaced(result, path, each)).find((each) => allowed(schema, each));
    if (fitting === undefined) return;
    result = fitting;
    found += 1;
  };
  const done = new Set<string>();
  for (const place of [...stringsIn(input)].filter(isAddressPlace).slice(0, mostPlaces)) {
    const { path } = place;
    const list = typeof path.at(-1) === 'number' ? path.slice(0, -1) : undefined;
    const name = JSON.stringify(list ?? path);
    if (found >= most || done.has(name)) continue;
    done.add(name);
    put(list ?? path, list === undefined ? [found === 0 ? '{{source.ok}}' : '{{source.ok2}}'] : lists);
  }
  for (const [name, isList] of optionalStrings(schema, result)) {
    if (found > 0 || !soundsLikeAddress(name)) continue;
    for (const value of isList ? lists : ['{{source.ok}}']) {
      const candidate = { ...(result as object), [name]: value };
      if (found > 0 || !allowed(schema, candidate)) continue;
      result = candidate;
      found += 1;
    }
  }
  return found === 0 ? undefined : result;
}
