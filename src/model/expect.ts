/**
 * Expectations: pure, each states what was expected and what was received. Combine them with spread; an empty list is a pass.
 */
import { folded, wordsOf } from './equality.ts';
import { type Exchange, headerValues, jsonOf, member, statusOf } from './exchange.ts';
import { isObject, type Json } from './json.ts';
import { ExactNumber } from './json-text.ts';
import type { Reason } from './verdict.ts';

export const violation = (exchange: Exchange | undefined, expected: string, came: string): Reason => ({
  weight: 'violation',
  expected,
  came,
  ...(exchange === undefined ? {} : { exchange: exchange.id }),
});

export const warning = (exchange: Exchange | undefined, expected: string, came: string): Reason => ({
  ...violation(exchange, expected, came),
  weight: 'warning',
});

export const note = (exchange: Exchange | undefined, expected: string, came: string): Reason => ({
  ...violation(exchange, expected, came),
  weight: 'note',
});

/** The answer in a few words: `404`, or how the exchange failed. */
export function whatCame(exchange: Exchange): string {
  const status = statusOf(exchange);
  if (status !== undefined) return String(status);
  return `no answer (${exchange.failure?.kind ?? 'nothing recorded'})`;
}

type StatusClass = '2xx' | '4xx' | '5xx';

/** A set of statuses in words: `2xx`, `400 or 422`, `4xx`. */
export type StatusSet = number | StatusClass | readonly (number | StatusClass)[];

const fits = (status: number, set: StatusSet): boolean => {
  if (typeof set === 'number') return status === set;
  return typeof set === 'string' ? Math.floor(status / 100) === Number(set[0]) : set.some((each) => fits(status, each));
};

const inWords = (set: StatusSet): string => {
  if (typeof set === 'number' || typeof set === 'string') return String(set);
  return set.length < 2 ? set.join('') : `${set.slice(0, -1).join(', ')} or ${set.at(-1)}`;
};

export const statusFits = (exchange: Exchange, set: StatusSet): boolean => {
  const status = statusOf(exchange);
  return status !== undefined && fits(status, set);
};

export const expectStatus = (exchange: Exchange, set: StatusSet): readonly Reason[] =>
  statusFits(exchange, set) ? [] : [violation(exchange, inWords(set), whatCame(exchange))];

/** An answer of any kind whose status is no 5xx. */
export function expectNoServerError(exchange: Exchange): readonly Reason[] {
  const status = statusOf(exchange);
  return status !== undefined && status < 500 ? [] : [violation(exchange, 'an answer below 500', whatCame(exchange))];
}

export function expectJson(exchange: Exchange): readonly Reason[] {
  const body = jsonOf(exchange);
  return body.ok ? [] : [violation(exchange, 'a body that parses as JSON', body.why)];
}

export function expectJsonObject(exchange: Exchange): readonly Reason[] {
  const body = jsonOf(exchange);
  if (!body.ok) return [violation(exchange, 'a JSON object', body.why)];
  return isObject(body.value) ? [] : [violation(exchange, 'a JSON object', `JSON, but ${kindOf(body.value)}`)];
}

/** `a string`, `an array of 3`, `null`, `nothing`: for reports. */
export function kindOf(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return `an array of ${value.length}`;
  if (value instanceof ExactNumber) return `the number ${shortened(value.digits)}`;
  if (typeof value === 'object') return 'an object';
  if (typeof value === 'string')
    return value === '' ? 'an empty string' : `the string ${shortened(JSON.stringify(value))}`;
  return `the ${typeof value} ${String(value)}`;
}

const shortened = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text);

/** A member of the body that is a string with something in it. */
export function expectText(exchange: Exchange, name: string): readonly Reason[] {
  const value = member(exchange, name);
  return typeof value === 'string' && value.trim() !== ''
    ? []
    : [violation(exchange, `\`${name}\` to be a non-empty string`, kindOf(value))];
}

/** A member that may be absent or null, and is a string otherwise. */
export function expectTextIfAny(exchange: Exchange, name: string): readonly Reason[] {
  const value = member(exchange, name);
  return value === undefined || value === null || typeof value === 'string'
    ? []
    : [violation(exchange, `\`${name}\` to be a string, null or absent`, kindOf(value))];
}

export function expectMember(exchange: Exchange, name: string, wanted: Json): readonly Reason[] {
  const value = member(exchange, name);
  return value === wanted ? [] : [violation(exchange, `\`${name}\` to be ${JSON.stringify(wanted)}`, kindOf(value))];
}

/** The shape of section 7: `error` and `detail`. `error.names-the-actor` judges the name in `actor`. */
export function expectErrorBody(exchange: Exchange): readonly Reason[] {
  const shape = expectJsonObject(exchange);
  return shape.length > 0 ? shape : [...expectText(exchange, 'error'), ...expectText(exchange, 'detail')];
}

/**
 * `detail` names a field: the field's own name is in it as a word, in any case (it may begin a sentence). `limit`
 * is not named by `unlimited`. A nested field is named by its last segment, however the path is spelt: as a JSON Pointer, in
 * brackets, percent-encoded.
 */
export function expectFieldNamed(exchange: Exchange, field: string): readonly Reason[] {
  const detail = member(exchange, 'detail');
  const name = ownName(field);
  if (typeof detail === 'string' && namesField(detail, name)) return [];
  const isAnother = typeof detail === 'string' && isNamedInOtherWords(detail, name);
  return [(isAnother ? warning : violation)(exchange, `\`detail\` to name the field \`${name}\``, kindOf(detail))];
}

/** In any case and normal form. */
export const namesField = (text: string, name: string): boolean =>
  spellings(text).some((each) => mentions(each, folded(name)));

/** `founded_after` for `foundedAfter`: a reader knows which is meant, but it is not its name. */
function isNamedInOtherWords(text: string, name: string): boolean {
  const words = wordsOf(name);
  if (words.length < 2) return false;
  const spaced = spellings(text.replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2'));
  return spaced.some((each) => mentions(each.replaceAll(/[\s_.-]+/g, ' '), words.join(' ')));
}

/** What a terminal would show in colour. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how such sequences begin
const colours = /\u001b\[[0-9;]*m/g;

/** A text verbatim, and read in each notation of paths. */
function spellings(text: string): readonly string[] {
  const plain = folded(text.replaceAll(colours, ' '));
  const decoded = plain.replaceAll(/(?:%[0-9a-f]{2})+/g, (bytes) => {
    try {
      return decodeURIComponent(bytes);
    } catch {
      return bytes;
    }
  });
  return [plain, decoded, plain.replaceAll('~1', '/').replaceAll('~0', '~')];
}

/** The last segment of a path that is a name: `tags.0` is about `tags`. */
export const ownName = (field: string): string =>
  field
    .split('.')
    .filter((segment) => !/^\d+$/.test(segment))
    .at(-1) ?? field;

const latin = /[\p{Script=Latin}\p{N}_]/u;
const letter = /[\p{L}\p{N}_]/u;

/** Whether two neighbouring characters are of one word: where scripts meet, as in `country은`, a word ends. */
const together = (edge: string, beside: string): boolean =>
  letter.test(edge) && (latin.test(edge) ? latin.test(beside) : letter.test(beside) && !latin.test(beside));

/** Whether a text holds a name that is not part of a longer word. */
export function mentions(text: string, name: string): boolean {
  const [first = '', last = ''] = [name.at(0), name.at(-1)];
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (!together(first, text[at - 1] ?? ' ') && !together(last, text[at + name.length] ?? ' ')) return true;
  }
  return false;
}

/** One header whose media type is application/json, or another that is JSON by its suffix; parameters allowed. */
export function expectJsonContentType(exchange: Exchange): readonly Reason[] {
  const values = headerValues(exchange, 'content-type');
  const type =
    (values[0] ?? '')
      .split(';')[0]
      ?.replace(/^[ \t]+|[ \t]+$/g, '')
      .toLowerCase() ?? '';
  return values.length === 1 &&
    (type === 'application/json' || /^[\w!#$%&'*+.^`|~-]+\/[\w!#$%&'*+.^`|~-]+\+json$/.test(type))
    ? []
    : [violation(exchange, 'Content-Type: application/json', values.length === 0 ? 'none' : values.join(' and '))];
}

/** Any text of the answer, head and body, as one: for what must appear nowhere. */
export function answerText({ response }: Exchange): string {
  if (response === undefined) return '';
  const { early = '', head, body } = response;
  // Names of secrets stand also in what is no UTF-8 as a whole.
  const said = body.text ?? (body.base64 === undefined ? '' : Buffer.from(body.base64, 'base64').toString('utf8'));
  return `${early}\n${head}\n${said}`;
}

/** Whether a value anywhere in a JSON tree holds a text, in whichever case an actor gives it back. */
export function holdsText(value: Json | undefined, text: string): boolean {
  if (typeof value === 'string') return folded(value).includes(folded(text));
  if (typeof value !== 'object' || value === null) return false;
  const whole = JSON.stringify(value);
  const wanted = JSON.stringify(text).slice(1, -1);
  return whole.includes(wanted) || folded(whole).includes(folded(wanted));
}

/** Runs the later expectations only where the first ones hold, so that one fault gives one reason. */
export const unless = (first: readonly Reason[], then: () => readonly Reason[]): readonly Reason[] =>
  first.some((reason) => reason.weight === 'violation') ? first : [...first, ...then()];
