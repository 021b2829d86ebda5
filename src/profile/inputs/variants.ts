/**
 * Inputs that are as valid as one that is known to be, and differ from it in every free leaf: whose answer it is shows by
 * each of them. What may change how an actor behaves, a truth value or a word of a list, is left as it is.
 */
import { isObject, type Json } from '../../model/json.ts';
import { type Random, word } from '../../random.ts';
import { fillPlausibly, mapStrings } from '../templates.ts';
import { places, type Steps, withValue } from './places.ts';
import { prepare } from './prepare.ts';

type IsValid = (input: Json) => boolean;

const tries = 8;
const mostLeaves = 12;

/**
 * Two sets: in the first everything free differs; in the second, what has a form of its own (a pattern, a format) stays, for a
 * service may know which of those exist.
 */
export function variantsOf(schema: Json, valid: Json, count: number, random: Random): readonly (readonly Json[])[] {
  const prepared = prepare(schema);
  if (!prepared.usable) return [];
  const { root, validate } = prepared;
  const isValid: IsValid = (input) => validate(fillPlausibly(input))?.length === 0;
  if (!isValid(valid)) return [];
  const leaves = [...places(root, valid)]
    .filter(({ value, schemas }) => isFree(value) && !schemas.some((each) => 'enum' in each || 'const' in each))
    .slice(0, mostLeaves);
  const formless = leaves.filter(
    ({ value, schemas }) => typeof value === 'string' && !schemas.some((each) => 'pattern' in each || 'format' in each),
  );
  const sets = formless.length === leaves.length ? [leaves] : [leaves, formless];
  return sets
    .filter((set) => set.length > 0)
    .map((set) =>
      distinct(count, () => {
        let input = valid;
        for (const { path, value } of set) input = changedAt(input, path, value!, isValid, random);
        return input;
      }),
    );
}

/** Each another one, as far as some tries find it: few values of a small range are easily drawn twice. */
function distinct(count: number, draw: () => Json): readonly Json[] {
  const made: Json[] = [];
  const seen = new Set<string>();
  while (made.length < count) {
    let next = draw();
    for (let turn = 0; turn < tries && seen.has(JSON.stringify(next)); turn += 1) next = draw();
    seen.add(JSON.stringify(next));
    made.push(next);
  }
  return made;
}

const isFree = (value: Json | undefined): boolean =>
  (typeof value === 'string' && !value.includes('{{') && value !== '') || typeof value === 'number';

function changedAt(input: Json, path: Steps, value: Json, isValid: IsValid, random: Random): Json {
  for (let turn = 0; turn < tries; turn += 1) {
    const candidate = withValue(input, path, another(value, turn, random));
    if (isValid(candidate)) return candidate;
  }
  return input;
}

const between = (from: number, to: number, random: Random): number => from + Math.floor(random() * (to - from + 1));

/** A word of its own first; then what looks like the value, for patterns and formats. */
function another(value: Json, turn: number, random: Random): Json {
  if (typeof value === 'number') {
    const apart = between(1, 10 ** (1 + (tries - turn) / 3), random);
    return turn % 2 === 0 ? value + apart : value - apart;
  }
  const text = String(value);
  return turn === 0 ? word(random, 10) : alike(text, random);
}

const alphabets = ['abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', '0123456789'];

const alike = (text: string, random: Random): string =>
  [...text]
    .map((each) => {
      const alphabet = alphabets.find((letters) => letters.includes(each));
      return alphabet === undefined ? each : alphabet[between(0, alphabet.length - 1, random)]!;
    })
    .join('');

export interface InputWithText {
  readonly name: string;
  readonly text: string;
  readonly input: Json;
}

/** What a careless reader of bytes spoils. Each has letters around it, so that it is found again. */
const texts: Readonly<Record<string, string>> = {
  'a letter with two dots': 'Grün und Überfluß',
  'Chinese characters': 'from 東京 to 大阪',
  'an emoji': 'so 😀 and 👩‍👧 here',
  'a line separator': 'one\u2028two\u2029three',
  'quotes and backslashes': 'a "quoted" \\path\\ and \'more\'',
  // What is handed to a function that formats texts.
  'signs of formats': 'at 100% of %s and %d, {0} and {name}',
  'signs of templates': 'see ${name}, {{name}}, #{name}, <%= name %>, %n and \\u0041',
  // What is decoded once too often, or stands for something in a replacement.
  'signs of addresses': 'a+b=c&d%20e%2Bf;g/%41?h#i',
  'signs of replacements': 'for $$5, \\n or \\t and \\\\ as well',
  'names of an environment': 'under $HOME, ${PATH} or %PATH% then',
  'line breaks of two characters': 'one\r\ntwo\r\nthree',
  'letters from right to left': 'begin שלום عربي end',
  'control characters': 'one\u0001two\u001fthree',
  'line breaks and a tab': 'one\ntwo\tthree\nfour',
  'characters that nobody sees': 'soft\u00adly, non\u200djoining, \u200eleft to\u2060gether',
  'a null character': 'this is before\u0000 and this behind',
  'signs of line breaks': 'a folder \\new\\table as it is written',
  'combining marks': 'cafe\u0301 and n\u0303andu',
  // Five bytes each, so that four limits of a kilobyte fall on four places of them, at any offset of the text.
  'emoji across four kilobytes': 'a😀'.repeat(980),
  'emoji across each limit of bytes': 'a😀'.repeat(280),
  'emoji across each limit of bytes, shifted': `aaa${'😀a'.repeat(280)}`,
};

/** The input with such a text behind its `{{nonce}}`, where the schema, if there is one, admits it. */
export function withTexts(schema: Json | undefined, input: Json): readonly InputWithText[] {
  if (!isObject(input)) return [];
  const prepared = schema === undefined ? undefined : prepare(schema);
  const isValid: IsValid = (candidate) =>
    prepared === undefined || (prepared.usable && prepared.validate(fillPlausibly(candidate))?.length === 0);
  return Object.entries(texts).flatMap(([name, text]) => {
    const longer = mapStrings(input, (each) => (each.includes('{{nonce}}') ? `${each} ${text}` : each));
    return isValid(longer) ? [{ name, text, input: longer }] : [];
  });
}
