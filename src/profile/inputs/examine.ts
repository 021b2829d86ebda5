/**
 * Whether a foreign schema may be worked with. A schema comes from the service under test: it may be hostile, and whatever
 * it holds must neither hang the harness nor make it fetch anything.
 */
import { atPointer, isObject, type Json } from '../../model/json.ts';
import { innerSchemas, type Schema } from './keywords.ts';
import { judgePattern } from './patterns.ts';

export type Dialect = '2020-12' | '2019-09' | 'draft-07';

export interface Inspected {
  readonly dialect: Dialect;
  /** Why the harness does not work with it, though it may be a valid schema. */
  readonly unusable: readonly string[];
  /** Faults that no dialect allows. */
  readonly broken: readonly string[];
  /** Strings longer than this are not tried against its patterns. */
  readonly longestString: number;
  readonly unicode: boolean;
}

export const largestSchema = 256 * 1024;
/** Compiled, each takes some 20 kB. */
export const mostSchemas = 4000;
/** Of a text that no pattern looks at. */
const longestOfAll = 100_000;
const longestOfFormats = 10_000;
const deepest = 100;
const mostReasons = 5;
/** How many schemas may look at one value. */
const mostInPlace = 10_000;

export function inspect(schema: Schema, text: string): Inspected {
  const unusable: string[] = [];
  const broken: string[] = [];
  const found: Found = { unusable, broken, longestString: longestOfAll, unicode: true, older: false };
  const dialect = dialectOf(schema.$schema);
  if (dialect === undefined) unusable.push(`Touchstone does not know the dialect ${JSON.stringify(schema.$schema)}`);
  if (text.length > largestSchema) unusable.push(`it is larger than ${largestSchema / 1024} kB`);
  else if (depthOf(text) > deepest) unusable.push('it is nested too deeply');
  else {
    const all = look(schema, found);
    if (all.size > mostSchemas) unusable.push(`it is larger than ${mostSchemas} schemas in one`);
    if (unusable.length === 0 && broken.length === 0) unusable.push(...tangled(schema, all));
  }
  const assumed = schema.$schema === undefined && found.older ? 'draft-07' : (dialect ?? '2020-12');
  const { longestString, unicode } = found;
  return {
    dialect: assumed,
    unusable: unusable.slice(0, mostReasons),
    broken: broken.slice(0, mostReasons),
    longestString,
    unicode,
  };
}

const dialects: readonly (readonly [RegExp, Dialect])[] = [
  [/^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/, '2020-12'],
  [/^https?:\/\/json-schema\.org\/draft\/2019-09\/schema#?$/, '2019-09'],
  // What is worked with means the same from draft 4 to draft 7; what does not is looked for.
  [/^https?:\/\/json-schema\.org\/(draft-0[467]\/)schema#?$/, 'draft-07'],
];

const saysDraft4 = ({ $schema }: Schema): boolean => typeof $schema === 'string' && $schema.includes('/draft-04/');

function dialectOf(name: Json | undefined): Dialect | undefined {
  if (name === undefined) return '2020-12';
  return typeof name === 'string' ? dialects.find(([form]) => form.test(name))?.[1] : undefined;
}

/** By its brackets: without recursion, whatever comes. Brackets in strings only make it stricter. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  for (const char of text) {
    if (char === '{' || char === '[') most = Math.max(most, ++depth);
    else if (char === '}' || char === ']') depth--;
  }
  return most;
}

interface Found {
  readonly unusable: string[];
  readonly broken: string[];
  longestString: number;
  unicode: boolean;
  older: boolean;
}

/** Every schema inside, and everything that is referred to, once. */
function look(root: Schema, found: Found): ReadonlySet<Schema> {
  const seen = new Set<Schema>();
  const waiting: Schema[] = [root];
  for (let schema = waiting.pop(); schema !== undefined; schema = waiting.pop()) {
    if (seen.has(schema)) continue;
    seen.add(schema);
    const patterns = isObject(schema.patternProperties) ? Object.keys(schema.patternProperties) : [];
    if (typeof schema.pattern === 'string') patterns.push(schema.pattern);
    for (const pattern of patterns) {
      const verdict = judgePattern(pattern);
      if (!verdict.fine) found.unusable.push(verdict.why);
      else {
        found.longestString = Math.min(found.longestString, verdict.longest);
        found.unicode &&= verdict.unicode;
      }
    }
    // Formats are expressions as well: ordinary ones, but nobody promises how they take what is long.
    if (schema.format !== undefined) found.longestString = Math.min(found.longestString, longestOfFormats);
    if (typeof schema.exclusiveMinimum === 'boolean' || typeof schema.exclusiveMaximum === 'boolean') {
      if (root.$schema === undefined || saysDraft4(root)) found.unusable.push('it has a flag of draft 4 for a bound');
    }
    if (saysDraft4(root) && typeof schema.id === 'string') found.unusable.push('it has an id in the way of draft 4');
    found.older ||= Array.isArray(schema.items);
    if (schema !== root && typeof schema.$id === 'string')
      found.unusable.push(`it bundles another schema, ${schema.$id}`);
    for (const name of ['$dynamicRef', '$recursiveRef'])
      if (schema[name] !== undefined) found.unusable.push(`Touchstone does not follow ${name}`);
    if (schema.$ref !== undefined) {
      const target = follow(root, schema.$ref);
      if (target === 'elsewhere')
        found.unusable.push(`${JSON.stringify(schema.$ref)} is elsewhere: nothing is fetched`);
      else if (target === undefined) found.broken.push(`${JSON.stringify(schema.$ref)} refers to nothing`);
      else if (isObject(target)) waiting.push(target);
    }
    for (const inner of innerSchemas(schema)) if (isObject(inner.schema)) waiting.push(inner.schema);
  }
  return seen;
}

/** What a reference means; `elsewhere` for anything but a pointer into the same schema. */
export function follow(root: Schema, reference: Json): Json | undefined | 'elsewhere' {
  if (typeof reference !== 'string') return undefined;
  const base = typeof root.$id === 'string' ? root.$id.replace(/#$/, '') : undefined;
  const local =
    base !== undefined && base !== '' && reference.startsWith(`${base}#`) ? reference.slice(base.length) : reference;
  if (!/^#(?:\/|$)/.test(local)) return 'elsewhere';
  try {
    return atPointer(root, decodeURIComponent(local.slice(1)));
  } catch {
    return undefined;
  }
}

/** References that go round without reaching into the value, or that multiply: both would run for ever. */
function tangled(root: Schema, all: ReadonlySet<Schema>): string[] {
  const costs = new Map<Schema, number>();
  const cost = (schema: Json): number => {
    if (!isObject(schema)) return 1;
    const known = costs.get(schema);
    if (known !== undefined) return known;
    // Met again on its own way, it is a circle.
    costs.set(schema, Number.POSITIVE_INFINITY);
    let sum = 1;
    if (schema.$ref !== undefined) sum += cost(follow(root, schema.$ref) ?? true);
    for (const inner of innerSchemas(schema)) if (inner.inPlace) sum += cost(inner.schema);
    costs.set(schema, sum);
    return sum;
  };
  let worst = 0;
  try {
    for (const schema of all) worst = Math.max(worst, cost(schema));
  } catch {
    return ['its references go too deep'];
  }
  if (worst === Number.POSITIVE_INFINITY) return ['it refers to itself without end'];
  return worst > mostInPlace ? ['its references multiply without end'] : [];
}
