/**
 * The one reader of what a service says in JSON. Nothing is lost: a number that a double would change keeps its digits as
 * they came, and is written again with them.
 */
import type { Json } from './json.ts';

/** The verbatim digits of a number that a double cannot hold. */
export class ExactNumber {
  readonly digits: string;

  constructor(digits: string) {
    this.digits = digits;
  }

  /** A whole number without point and exponent, as an identifier appears in a path; any other verbatim. */
  toString(): string {
    const [, sign = '', significant = '', exponent = ''] = /^(-?)(\d+)e(\d{1,3})$/.exec(decimalOf(this.digits)) ?? [];
    return significant === '' ? this.digits : `${sign}${significant}${'0'.repeat(Number(exponent))}`;
  }

  /** The same for every spelling of it. */
  get decimal(): string {
    return decimalOf(this.digits);
  }

  toJSON(): unknown {
    return rawJSON(this.digits);
  }
}

type Reviver = (name: string, value: unknown, context: { readonly source?: string }) => unknown;

/** Every Node that runs this has both; the compiler's library does not know them yet. */
const { rawJSON, isRawJSON, parse } = JSON as unknown as {
  rawJSON(text: string): unknown;
  isRawJSON(value: unknown): boolean;
  parse(text: string, reviver?: Reviver): Json;
};

/**
 * No number of fewer digits, without an exponent, is changed by a double. It stands behind what holds JSON together; texts may look
 * alike, and are read carefully too. One class and no alternative keep the scan cheap next to the parser.
 */
const perhapsExact = /[:[,\s]-?\d(?:[\d.]{15}|[\d.]*[eE])/;

/** Throws where the text is no JSON. */
export const readJson = (text: string): Json =>
  isNumberAlone(text) || mayHoldExact(text) ? parse(text, exactly) : parse(text);

/** From here on a text is searched between its strings alone, which may be most of it. */
const long = 4096;

const mayHoldExact = (text: string): boolean =>
  text.length < long ? perhapsExact.test(text) : mayHoldExactBetweenStrings(text);

function mayHoldExactBetweenStrings(text: string): boolean {
  let from = 0;
  for (;;) {
    const open = text.indexOf('"', from);
    if (perhapsExact.test(text.slice(from, open < 0 ? text.length : open))) return true;
    if (open < 0) return false;
    let close = text.indexOf('"', open + 1);
    while (close > 0 && isEscaped(text, close)) close = text.indexOf('"', close + 1);
    // No JSON: the parser says so.
    if (close < 0) return false;
    from = close + 1;
  }
}

/** By an odd number of backslashes. */
function isEscaped(text: string, at: number): boolean {
  let before = at - 1;
  while (text[before] === '\\') before -= 1;
  return (at - before) % 2 === 0;
}

/** A document that is one number starts with it: nothing stands before it that the pattern could find. */
const isNumberAlone = (text: string): boolean => text.charCodeAt(0) <= 0x39 && text.charCodeAt(0) >= 0x2d;

const exactly: Reviver = (_, value, { source }) =>
  typeof value === 'number' && source !== undefined ? numberOf(source) : value;

/** A double where one is equal. */
export function numberOf(source: string): number | ExactNumber {
  const double = Number(source);
  return isHeldBy(double, source) ? double : new ExactNumber(source);
}

/** The same with every number as it is written, also where a double is equal: for what is sent on or sent back. */
export const readAsWritten = (text: string): Json => parse(text, asWritten);

const asWritten: Reviver = (_, value, { source }) =>
  typeof value === 'number' && source !== undefined ? numberAsWritten(source) : value;

/** A double where it is written just as its text is. */
export const numberAsWritten = (source: string): number | ExactNumber =>
  String(Number(source)) === source ? Number(source) : new ExactNumber(source);

const isNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Whether a text is a number as JSON writes them. */
export const isJsonNumber = (text: string): boolean => isNumber.test(text);

/** The text of a number that was put into a value raw, as `JSON.rawJSON` does it; undefined for all else. */
export function rawNumberIn(value: unknown): string | undefined {
  if (value instanceof ExactNumber) return value.digits;
  const text = isRawJSON(value) ? String((value as { readonly rawJSON: string }).rawJSON) : '';
  return isJsonNumber(text) ? text : undefined;
}

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

/** Whether one of its numbers is no double, or is written in another way than a double is. */
export function holdsExact(value: Json): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return value instanceof ExactNumber || Object.values(value).some((each) => holdsExact(each as Json));
}

/** The same value with doubles for all numbers: for readers that know no others, such as validators of schemas. */
export function withDoubles(value: Json): Json {
  if (value instanceof ExactNumber) return nearestDouble(value.digits);
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, withDoubles(each as Json)]));
}

/** Never infinite, and never nothing where there is something. */
function nearestDouble(digits: string): number {
  const double = Number(digits);
  if (double === 0 && decimalOf(digits) !== '0') return digits.startsWith('-') ? -Number.MIN_VALUE : Number.MIN_VALUE;
  return Math.max(-Number.MAX_VALUE, Math.min(Number.MAX_VALUE, double));
}
