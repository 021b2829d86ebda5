/** Where JSON Schema keeps schemas inside schemas, and which types they allow. Nothing here validates. */
import { isObject, type Json } from '../../model/json.ts';

export type Schema = { readonly [key: string]: Json };

const singles = [
  'additionalItems',
  'additionalProperties',
  'contains',
  'contentSchema',
  'items',
  'propertyNames',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const singlesInPlace = ['not', 'if', 'then', 'else'];
const listsInPlace = ['allOf', 'anyOf', 'oneOf'];
const maps = ['$defs', 'definitions', 'patternProperties', 'properties'];
const mapsInPlace = ['dependentSchemas', 'dependencies'];

const known = new Set([
  ...[...singles, ...singlesInPlace, ...listsInPlace, ...maps, ...mapsInPlace, 'prefixItems'],
  ...[
    '$schema',
    '$id',
    '$ref',
    '$anchor',
    '$comment',
    '$dynamicRef',
    '$dynamicAnchor',
    '$vocabulary',
    'type',
    'enum',
    'const',
  ],
  ...[
    'multipleOf',
    'maximum',
    'exclusiveMaximum',
    'minimum',
    'exclusiveMinimum',
    'maxLength',
    'minLength',
    'pattern',
    'format',
  ],
  ...[
    'maxItems',
    'minItems',
    'uniqueItems',
    'maxContains',
    'minContains',
    'maxProperties',
    'minProperties',
    'required',
  ],
  ...[
    'dependentRequired',
    'title',
    'description',
    'default',
    'deprecated',
    'readOnly',
    'writeOnly',
    'examples',
    'example',
  ],
  ...['contentEncoding', 'contentMediaType', 'nullable'],
]);

export const isKeyword = (name: string): boolean => known.has(name) || name.startsWith('x-');

export interface Inner {
  readonly schema: Json;
  /** It looks at the same value as the schema around it. */
  readonly inPlace: boolean;
}

export function* innerSchemas(schema: Schema): Generator<Inner> {
  const own = (name: string): Json | undefined => (Object.hasOwn(schema, name) ? schema[name] : undefined);
  for (const name of singles) {
    const inner = own(name);
    if (isObject(inner)) yield { schema: inner, inPlace: false };
  }
  for (const name of ['items', 'prefixItems']) yield* list(own(name), false);
  for (const name of singlesInPlace) {
    const inner = own(name);
    if (isObject(inner)) yield { schema: inner, inPlace: true };
  }
  for (const name of listsInPlace) yield* list(own(name), true);
  for (const name of maps) yield* map(own(name), false);
  for (const name of mapsInPlace) yield* map(own(name), true);
}

function* list(value: Json | undefined, inPlace: boolean): Generator<Inner> {
  if (Array.isArray(value))
    for (const schema of value as readonly Json[]) if (isObject(schema)) yield { schema, inPlace };
}

function* map(value: Json | undefined, inPlace: boolean): Generator<Inner> {
  if (isObject(value)) for (const schema of Object.values(value)) if (isObject(schema)) yield { schema, inPlace };
}

/** The types that all of these schemas allow; none where none of them names any. */
export function typesOf(schemas: readonly Schema[]): readonly string[] {
  const stated = schemas.map(({ type }) =>
    typeof type === 'string' ? [type] : Array.isArray(type) ? type : undefined,
  );
  const found = stated.filter((each) => each !== undefined) as string[][];
  return found.length === 0 ? [] : found.reduce((all, each) => all.filter((type) => each.includes(type)));
}
