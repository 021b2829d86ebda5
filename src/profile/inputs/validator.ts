/** The owner of ajv. */
import { Ajv, type ErrorObject, type Options, str } from 'ajv';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isObject, type Json } from '../../model/json.ts';
import { decimalOf, holdsExact, withDoubles } from '../../model/json-text.ts';
import type { Dialect } from './examine.ts';
import type { Schema } from './keywords.ts';

export type Violation = Pick<
  ErrorObject,
  'instancePath' | 'schemaPath' | 'keyword' | 'params' | 'propertyName' | 'message'
>;
/** Every violation at once; undefined if the validator itself gave up. */
export type Validate = (value: Json) => readonly Violation[] | undefined;

const classes = { '2020-12': Ajv2020, '2019-09': Ajv2019, 'draft-07': Ajv } as const;

const options: Options = {
  strict: false,
  allErrors: true,
  logger: false,
  // A reference that is used a thousand times would be written out a thousand times.
  inlineRefs: false,
  code: { optimize: false },
};

type Kind = `${Dialect} ${'u' | ''} ${'meta' | ''}`;
const instances = new Map<Kind, Ajv>();

function instance(dialect: Dialect, unicode: boolean, meta: boolean): Ajv {
  const kind: Kind = `${dialect} ${unicode ? 'u' : ''} ${meta ? 'meta' : ''}`;
  let ajv = instances.get(kind);
  if (ajv === undefined) {
    // Meta-schemas cost 40 ms: only a check of schemas needs them.
    ajv = new classes[dialect]({
      ...options,
      unicodeRegExp: unicode,
      meta,
      validateSchema: false,
      validateFormats: !meta,
    });
    // Long gone from the standard, and an ordinary member of the answers that schemas stand in.
    ajv.removeKeyword('id');
    // Its own divides doubles: 19.99 would be no multiple of 0.01.
    ajv.removeKeyword('multipleOf');
    ajv.addKeyword({
      keyword: 'multipleOf',
      type: 'number',
      schemaType: 'number',
      error: { message: ({ schemaCode }) => str`must be multiple of ${schemaCode}` },
      validate: (step: number, value: number) => isMultiple(value, step),
      errors: false,
    });
    if (!meta) (addFormats as unknown as (ajv: Ajv) => void)(ajv);
    instances.set(kind, ajv);
  }
  return ajv;
}

/** Throws for what cannot be compiled. Never fetches: `loadSchema` is not given. */
export function compile(schema: Schema, dialect: Dialect, unicode: boolean): Validate {
  const ajv = instance(dialect, unicode, false);
  // Its own name could collide with another's; `$async` would make the validator answer later.
  const { $id: _id, $async: _async, $schema: _schema, ...rest } = schema;
  const root = withDoubles(rest) as Schema;
  const local = typeof _id === 'string' ? localised(root, _id.replace(/#$/, '')) : root;
  try {
    const validate = ajv.compile(local);
    return (value) => {
      try {
        return validate(holdsExact(value) ? withDoubles(value) : value) ? [] : [...(validate.errors ?? [])];
      } catch {
        return undefined;
      }
    };
  } finally {
    ajv.removeSchema(local);
  }
}

/** References through the schema's own name, which has just been taken away. */
function localised(value: Json, base: string): Schema {
  const walk = (here: Json): Json => {
    if (Array.isArray(here)) return here.map(walk);
    if (!isObject(here)) return here;
    return Object.fromEntries(
      Object.entries(here).map(([name, each]) => [
        name,
        name === '$ref' && base !== '' && typeof each === 'string' && each.startsWith(`${base}#`)
          ? each.slice(base.length)
          : walk(each),
      ]),
    );
  };
  return walk(value) as Schema;
}

/** What the meta-schema of its dialect says against a schema. */
export function metaFaults(schema: Json, dialect: Dialect): readonly Violation[] {
  const ajv = instance(dialect, true, true);
  const name =
    dialect === 'draft-07'
      ? 'http://json-schema.org/draft-07/schema'
      : `https://json-schema.org/draft/${dialect}/schema`;
  const validate = ajv.getSchema(name);
  if (validate === undefined) throw new Error(`ajv does not know ${name}`);
  return validate(withDoubles(schema)) ? [] : [...(validate.errors ?? [])];
}

/** As decimals, as they are written. A multiple that only rounding of doubles breaks is not for us to judge. */
export function isMultiple(value: number, step: number): boolean {
  const [one, other] = [scaled(value), scaled(step)];
  const apart = one.exponent - other.exponent;
  if (other.digits === 0n || Math.abs(apart) > 400) return true;
  const dividend = apart > 0 ? one.digits * 10n ** BigInt(apart) : one.digits;
  const divisor = apart < 0 ? other.digits * 10n ** BigInt(-apart) : other.digits;
  return dividend % divisor === 0n;
}

function scaled(value: number): { readonly digits: bigint; readonly exponent: number } {
  const [digits = '0', exponent = '0'] = decimalOf(String(value)).split('e');
  return { digits: BigInt(digits), exponent: Number(exponent) };
}
