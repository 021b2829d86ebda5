/**
 * The input schema in the answer of GET /v1/actors/{name}, whose shape the specification does not show. Careful on purpose:
 * an object that only resembles a schema would make the harness send nonsense.
 */
import { atPointer, isObject, type Json } from '../../model/json.ts';
import { isKeyword, type Schema } from './keywords.ts';

export interface FoundSchema {
  readonly schema: Schema;
  /** A JSON Pointer into the answer; empty for the whole. */
  readonly at: string;
}

const names = ['input_schema', 'inputSchema', 'schema', 'input'];
const wrappers = [
  'data',
  'actor',
  'result',
  'response',
  'payload',
  'item',
  'attributes',
  'definition',
  'schema',
  'input',
];

export function findSchema(readAnswer: Json, at?: string): FoundSchema | undefined {
  if (at !== undefined) {
    const schema = atPointer(readAnswer, at);
    return isObject(schema) ? { schema, at } : undefined;
  }
  const outside = findIn(readAnswer, '');
  if (outside !== undefined || !isObject(readAnswer)) return outside;
  for (const wrapper of wrappers) {
    const inner = findIn(own(readAnswer, wrapper), `/${wrapper}`);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

/** What an answer may show besides: a schema of the items, of an error, an example. */
const ofSomethingElse = /out|result|respon|return|item|example|sample|default|error|fail/i;
/** These may also be what the whole answer is wrapped in: then the schema has a name of its own in it. */
const envelope = /^(?:result|response|item)$/i;
const deepest = 8;
const mostObjects = 5_000;

/**
 * Where the usual places hold none: the one schema anywhere in the answer that admits the input and speaks of its members.
 * Two different ones count as none: nothing shows which it is.
 */
export function searchSchema(
  readAnswer: Json,
  input: Json | undefined,
  admits: (schema: Schema) => boolean,
): FoundSchema | undefined {
  const isPassedOver = (name: string): boolean => ofSomethingElse.test(name);
  return (
    searchOnly(readAnswer, input, admits, isPassedOver) ??
    searchOnly(readAnswer, input, admits, (name) => isPassedOver(name) && !envelope.test(name))
  );
}

function searchOnly(
  readAnswer: Json,
  input: Json | undefined,
  admits: (schema: Schema) => boolean,
  isPassedOver: (name: string) => boolean,
): FoundSchema | undefined {
  const found: FoundSchema[] = [];
  let seen = 0;
  const walk = (value: Json, at: string, depth: number, isEnvelope: boolean): void => {
    seen += 1;
    if (typeof value !== 'object' || value === null || depth > deepest || seen > mostObjects) return;
    const isInput = (schema: Schema): boolean =>
      !isEnvelope && hasStructure(schema) && looksLikeInputSchema(schema) && speaksOf(schema, input);
    if (isObject(value) && isInput(value)) {
      found.push({ schema: value, at });
      return;
    }
    for (const [name, each] of Object.entries(value)) {
      if (isPassedOver(name)) continue;
      walk(each, `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, depth + 1, envelope.test(name));
    }
  };
  walk(readAnswer, '', 0, false);
  const admitting = found.filter(({ schema }) => input === undefined || admits(schema));
  const different = new Set(admitting.map(({ schema }) => JSON.stringify(schema)));
  return different.size === 1 ? admitting[0] : undefined;
}

const hasStructure = (value: Schema): boolean => Object.keys(propertiesOf(value)).length > 0;

const propertiesOf = (value: Schema): Schema => {
  const properties = own(value, 'properties');
  return isObject(properties) ? properties : {};
};

/** A schema that names no member of the input admits nearly everything, and says nothing about it. */
const speaksOf = (schema: Schema, input: Json | undefined): boolean =>
  !isObject(input) || Object.keys(input).some((name) => Object.hasOwn(propertiesOf(schema), name));

/** A named member comes before the object around it: in a schema those names mean nothing. */
function findIn(value: Json | undefined, at: string): FoundSchema | undefined {
  if (!isObject(value)) return undefined;
  for (const name of names) {
    const inner = own(value, name);
    if (looksLikeInputSchema(inner)) return { schema: inner, at: `${at}/${name}` };
  }
  return looksLikeInputSchema(value) ? { schema: value, at } : undefined;
}

const own = (value: Schema, name: string): Json | undefined => (Object.hasOwn(value, name) ? value[name] : undefined);

const typeNames = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'];

const isType = (value: Json | undefined): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.every(isType)
    : typeof value === 'string' && typeNames.includes(value);

/** An input is a JSON object, so a schema of anything else is not the schema of an input. */
function looksLikeInputSchema(value: Json | undefined): value is Schema {
  if (!isObject(value)) return false;
  const type = own(value, 'type');
  const saysObject = type === 'object' || (Array.isArray(type) && isType(type) && type.includes('object'));
  if (type !== undefined && !saysObject) return false;
  const properties = own(value, 'properties');
  if (properties !== undefined) return isObject(properties) && Object.values(properties).every(looksLikeSubschema);
  if (['allOf', 'anyOf', 'oneOf'].some((name) => isListOfSchemas(own(value, name)))) return true;
  const reference = own(value, '$ref');
  if (typeof reference === 'string' && (isObject(own(value, '$defs')) || isObject(own(value, 'definitions'))))
    return true;
  // No structure in it: only an object that is a schema through and through passes.
  return (saysObject || typeof own(value, '$schema') === 'string') && Object.keys(value).every(isKeyword);
}

const isListOfSchemas = (value: Json | undefined): boolean =>
  Array.isArray(value) && value.length > 0 && value.every((each: Json) => isObject(each) && looksLikeSubschema(each));

const looksLikeSubschema = (value: Json): boolean => {
  if (typeof value === 'boolean') return true;
  if (!isObject(value)) return false;
  const type = own(value, 'type');
  if (type !== undefined && !isType(type)) return false;
  const members = Object.keys(value);
  return members.length === 0 || members.some(isKeyword);
};
