/**
 * The one reader of what a service says in JSON. Nothing is lost: a number that a double would change keeps its digits as
 * they came, and is written again with them.
 */
import type { Json } from './json.ts';

/** A number as it stands in the text, where a double is another one. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  /** A whole number without point and exponent, as an identifier stands in a path; any other as it came. */
  toString(): string {
    const [, sign = '', significant = '', exponent = ''] = /^(-?)(\d+)e(\d{1,3})$/.exec(decimalOf(this.digits)) ?? [];
    return significant === '' ? this.digits : `${sign}${significant}${'0'.repeat(Number(exponent))}`;
  }

  toJSON(): unknown {
    return rawJSON(this.digits);
  }
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Every Node that runs this has both; the compiler's library does not know them yet. */
const { rawJSON, parse } = JSON as unknown as {
  rawJSON(text: string): unknown;
  parse(text: string, reviver?: Reviver): Json;
};

/** No number of fewer digits, without an exponent, is changed by a double. Texts may look alike: they are read carefully too. */
const perhapsExact = /\d[\d.]{15}|\d[eE]/;

/** Throws where the text is no JSON. */
export const readJson = (text: string): Json => (perhapsExact.test(text) ? parse(text, exactly) : parse(text));

const exactly: Reviver = (_, value, { source }) =>
  typeof value === 'number' && source !== undefined && !isHeldBy(value, source) ? new ExactNumber(source) : value;

const isHeldBy = (value: number, source: string): boolean =>
  String(value) === source || (Number.isFinite(value) && decimalOf(String(value)) === decimalOf(source));

/** The same for every spelling of one number: sign, digits without zeros around them, and where the point stands. */
export function decimalOf(text: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/.exec(text) ?? [];
  const digits = `${whole}${fraction}`.replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  if (significant === '') return '0';
  const point = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length);
  return `${sign}${significant}e${point}`;
}

/** The same value with doubles for all numbers: for readers that know no others, such as validators of schemas. */
export function withDoubles(value: Json): Json {
  if (value instanceof ExactNumber)
    return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, Number(value.digits)));
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withDoubles(each as Json)]));
}
