/** Bodies that only just are JSON, or hold what some language takes for something else. */
import { type Case, isObject, type Json, type RequestOptions, type Subject } from '../../../src/vocabulary.ts';
import { nameless } from '../../language/asking.ts';
import { namesSource } from '../../language/wrong-inputs.ts';

const encoder = new TextEncoder();

/** A further member, as text, before those of a valid input; the input is omitted where it would send for a source. */
function besides(memberText: string, input: Json | undefined): string {
  const rest = isObject(input) && !namesSource(input) ? JSON.stringify(input).slice(1) : '}';
  return `{${memberText}${rest === '}' || memberText === '' ? '' : ','}${rest}`;
}

const around = (before: string, bytes: readonly number[], after: string): Uint8Array =>
  Uint8Array.from([...encoder.encode(before), ...bytes, ...encoder.encode(after)]);

export interface Extreme extends Case {
  readonly of: (input: Json | undefined, random: () => number) => string | Uint8Array;
  readonly headers?: RequestOptions['headers'];
  /** Of an actor that nobody has. */
  readonly elsewhere?: true;
  /** So long that a service may hang up instead of reading it to its end. */
  readonly long?: true;
}
/** Deeper than the usual bounds of parsers, the highest of which is 10,000. */
const deep = 12_000;

/** Who hands members on as arguments, or as members of an object of the language, meets its own there. */
const ofObjects = ['self', 'cls', 'args', 'kwargs', 'class', 'this', 'toString', 'valueOf', 'hasOwnProperty', 'toJSON'];

export const extremes: readonly Extreme[] = [
  { name: 'a key twice', of: (input) => besides('"unlisted":1,"unlisted":2', input) },
  {
    name: 'arrays nested 12,000 deep',
    of: (input) => besides(`"unlisted":${'['.repeat(deep)}${']'.repeat(deep)}`, input),
  },
  {
    name: 'objects nested 5,000 deep',
    of: (input) => besides(`"unlisted":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`, input),
  },
  { name: 'a string of 1 MB', of: (input) => besides(`"unlisted":"${'x'.repeat(1_000_000)}"`, input), long: true },
  {
    name: 'bytes that are not UTF-8',
    of: (input) => around('{"unlisted":"', [0xff, 0xfe, 0xc0, 0x80], `",${besides('"more":1', input).slice(1)}`),
  },
  { name: 'a member __proto__', of: (input) => besides('"__proto__":{"unlisted":true}', input) },
  {
    name: 'a member constructor',
    of: (input) => besides('"constructor":{"prototype":{"unlisted":true}}', input),
  },
  { name: 'a member without a name', of: (input) => besides('"":1', input) },
  {
    name: 'members whose names mean something elsewhere',
    of: (input) => besides('"$where":1,"a.b":1,"a[0]":1', input),
  },
  {
    name: 'members named as objects and calls have them',
    of: (input) => besides(ofObjects.map((name) => `${JSON.stringify(name)}:1`).join(','), input),
  },
  { name: 'a NUL in a text', of: (input) => besides('"unlisted":"\\u0000"', input) },
  { name: 'numbers beyond what doubles hold', of: (input) => besides('"unlisted":[1e999,-1e99999]', input) },
  { name: 'a number of 400 digits', of: (input) => besides(`"unlisted":${'9'.repeat(400)}`, input) },
  // More digits than some languages turn into a number at all.
  { name: 'a number of 5,000 digits', of: (input) => besides(`"unlisted":${'7'.repeat(5_000)}`, input) },
  { name: 'half of a surrogate pair', of: (input) => besides('"unlisted":"\\ud800"', input) },
  {
    name: 'JSON that a header calls compressed',
    of: (input) => besides('', input),
    headers: [['Content-Encoding', 'gzip']],
  },
  // JSON is UTF-8; who reads the others too may.
  { name: 'UTF-16 with its mark', of: (input) => Buffer.from(`\ufeff${besides('', input)}`, 'utf16le') },
  { name: 'a byte order mark before it', of: (input) => `\ufeff${besides('', input)}` },
  { name: 'no JSON, for an actor that is not there', of: () => '{"', elsewhere: true },
];

const spellings: readonly (readonly [string, string])[] = [
  ['with points', '.0'],
  ['with exponents', 'e0'],
];

/** Whether these are whole numbers is read in two ways; neither is a failure. Only an actor that has some is asked. */
export const wholeNumbers = ({ actors }: Subject): readonly Extreme[] =>
  [...new Map([...actors.clean, ...actors.echo].map((actor) => [actor.name, actor])).values()].flatMap((actor) => {
    const valid = besides('', actor.input);
    const respelt = (by: string): string => valid.replaceAll(/(?<=":)[1-9]\d*(?=[,}])/g, `$&${by}`);
    return spellings
      .filter(([, by]) => respelt(by) !== valid)
      .map(([how, by]) => ({
        name: `${actor.name}: whole numbers ${how}`,
        actor,
        of: (_, random) => respelt(by).replaceAll('{{nonce}}', nameless(random)),
      }));
  });

const halves: readonly (readonly [string, string])[] = [
  ['half of a surrogate pair', '\\ud800'],
  ['a NUL', '\\u0000'],
];

/** The same where it comes back: what refuses it may, and what does not must be able to write it. */
export const oddTexts = ({ actors }: Subject): readonly Extreme[] =>
  [...new Map(actors.echo.map((actor) => [actor.name, actor])).values()]
    .filter(({ input }) => !namesSource(input) && besides('', input).includes('{{nonce}}'))
    .flatMap((actor) =>
      halves.map(([what, spelled]) => ({
        name: `${actor.name}: ${what} in a text of its own`,
        actor,
        of: (_, random) => besides('', actor.input).replaceAll('{{nonce}}', `${nameless(random)}${spelled}`),
      })),
    );
