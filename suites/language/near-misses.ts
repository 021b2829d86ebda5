/**
 * Credentials that are almost right. A comparison that forgets an end, a case or an emptiness lets one of them in, so
 * each is asked by itself.
 */
import { createHash } from 'node:crypto';
import { type Case, type Credential, Inapplicable, keyPrefixes, type Secret } from '../../src/vocabulary.ts';

export interface NearMiss extends Case {
  readonly of: (right: Secret) => Credential;
}

/** The right one with one thing changed. Where the change changes nothing, there is nothing to miss. */
const changed = (name: string, how: string, change: (value: string) => string): NearMiss => ({
  name,
  of: (right) =>
    right.derive(how, (value) => {
      const wrong = change(value);
      if (wrong.trim() === value.trim()) throw new Inapplicable(`${name} is the right one`);
      return wrong;
    }),
});

/** Sent unchanged: it is no secret, unless somebody chose it as one. */
const plain = (name: string, word: string): NearMiss => ({
  name,
  of: (right) => {
    right.derive('compared', (value) => {
      if (value.trim() === word.trim()) throw new Inapplicable(`${name} is the right one`);
      return word;
    });
    return word;
  },
});

const prefixOf = (value: string): string => /^vk_(?:live|test)_/.exec(value)?.[0] ?? '';

const bodyOf = (value: string): string => value.slice(prefixOf(value).length);

const flipped = (character: string): string => (character === 'a' ? 'b' : 'a');

/** The same length, no character of the body as it was, and nothing that an answer may hold by chance. */
function otherBody(body: string): string {
  const other = createHash('sha256').update(body).digest('hex');
  return [...body].map((each, at) => (other[at % other.length] === each ? 'x' : other[at % other.length])).join('');
}

const swapCase = (value: string): string =>
  [...value].map((each) => (each === each.toLowerCase() ? each.toUpperCase() : each.toLowerCase())).join('');

/** Turns the body alone where it has letters: the prefix is checked by other near misses. */
function inOtherCase(value: string): string {
  const turned = prefixOf(value) + swapCase(bodyOf(value));
  return turned === value ? swapCase(value) : turned;
}

function changedInTheMiddle(value: string): string {
  const at = Math.floor((value.length + prefixOf(value).length) / 2);
  return value.slice(0, at) + flipped(value[at] ?? '') + value.slice(at + 1);
}

/** HTTP does not decode fields: a service that does compares another value than the one sent. */
const percentEncoded = (value: string): string =>
  `${value.slice(0, -1)}%${(value.at(-1) ?? '').charCodeAt(0).toString(16).padStart(2, '0')}`;

/** Two that are wrong, with no character of the right one in its place. */
function twoWrong(value: string): string {
  const other = otherBody(bodyOf(value));
  const half = Math.ceil(other.length / 2);
  return `${prefixOf(value)}${other.slice(0, half)},${prefixOf(value)}${other.slice(half)}`;
}

const otherPrefix = (value: string): string =>
  (value.startsWith(keyPrefixes.live) ? keyPrefixes.test : keyPrefixes.live) + bodyOf(value);

export const inTheOtherCase: NearMiss = changed('the other case', 'other-case', inOtherCase);

/** A comparison of as much as is given takes it. */
export const oneLess: NearMiss = changed('one character less', 'truncated', (v) => v.slice(0, -1));

/** A comparison of the beginning alone, or of as much as there is, takes one of these. */
export const wrongAtTheEnd: readonly NearMiss[] = [
  changed('one character changed at the end', 'last-changed', (v) => v.slice(0, -1) + flipped(v.at(-1) ?? '')),
  oneLess,
  changed('one character more', 'extended', (v) => `${v}a`),
];

/** One letter: a comparison may ignore the case of an end alone. */
export const lastInTheOtherCase: NearMiss = changed('its last letter in the other case', 'last-in-other-case', (v) =>
  v.replace(/[A-Za-z](?=[^A-Za-z]*$)/, swapCase),
);

/** What is wrong with any credential, key or token. */
const wrongEverywhere: readonly NearMiss[] = [
  plain('an empty value', ''),
  plain('a blank value', ' '),
  ...wrongAtTheEnd,
  changed('one character changed in the middle', 'middle-changed', changedInTheMiddle),
  changed('the first half alone', 'halved', (v) => v.slice(0, Math.ceil(v.length / 2))),
  changed('the right one twice', 'doubled', (v) => v + v),
  inTheOtherCase,
  changed('a hyphen behind the right one', 'hyphenated', (v) => `${v}-`),
  changed('a full stop behind the right one', 'stopped', (v) => `${v}.`),
  // A parser of lists or of parameters takes what stands in front.
  changed('the right one, a blank and more', 'blank-and-more', (v) => `${v} more`),
  changed('the right one, a semicolon and more', 'semicolon-and-more', (v) => `${v}; more=1`),
  changed('the right one, a question mark and more', 'question-mark-and-more', (v) => `${v}?more`),
  changed('the right one, a hash and more', 'hash-and-more', (v) => `${v}#more`),
  changed('the right one, an ampersand and more', 'ampersand-and-more', (v) => `${v}&more=1`),
  // As Base64 is padded.
  changed('an equals sign behind the right one', 'padded', (v) => `${v}=`),
  changed('a blank inside the right one', 'split', (v) => `${v.slice(0, -4)} ${v.slice(-4)}`),
  changed('the right one with a character percent-encoded', 'percent-encoded', percentEncoded),
  changed('the right one, a colon and more', 'colon-and-more', (v) => `${v}:more`),
  changed('more, a colon and the right one', 'more-and-colon', (v) => `more:${v}`),
  changed('the right one behind the word Bearer', 'bearer', (v) => `Bearer ${v}`),
  // As in the scheme Basic.
  changed('its Base64', 'in-base64', (v) => Buffer.from(v).toString('base64')),
  // A store that was copied must open nothing.
  changed('its SHA-256', 'hashed', (v) => createHash('sha256').update(v).digest('hex')),
  plain('the word undefined', 'undefined'),
  plain('the word null', 'null'),
  // A map that is an object has it without being told.
  plain('a name that every object knows', '__proto__'),
  plain('a quote that ends a string', "' OR '1'='1"),
  plain('a wildcard', '*'),
];

export const withOtherPrefix: NearMiss = changed('the other prefix', 'other-prefix', otherPrefix);

export const keyNearMisses: readonly NearMiss[] = [
  ...wrongEverywhere,
  plain('the live prefix alone', keyPrefixes.live),
  plain('the test prefix alone', keyPrefixes.test),
  changed('the right prefix and another body', 'other-body', (v) => prefixOf(v) + otherBody(bodyOf(v))),
  withOtherPrefix,
  changed('the right one behind the word ApiKey', 'api-key', (v) => `ApiKey ${v}`),
  changed('the right prefix and a wildcard', 'wildcard', (v) => `${prefixOf(v)}*`),
  changed('no prefix', 'no-prefix', bodyOf),
  // Who tidies words up joins signs that are doubled.
  changed('its underscores doubled', 'underscores-doubled', (v) => v.replaceAll('_', '__')),
  changed('a prefix that is not one of the two', 'foreign-prefix', (v) => `vk_prod_${bodyOf(v)}`),
  // Where one of them is valid, which of them counts is left open; a comma and a second field are the same.
  changed('two wrong keys joined by a comma', 'joined', twoWrong),
  changed('the prefix in capitals', 'capital-prefix', (v) => prefixOf(v).toUpperCase() + bodyOf(v)),
  plain('a key of 300 characters', `${keyPrefixes.live}${'k.'.repeat(146)}`),
  plain('a key of 700 characters', `${keyPrefixes.test}${'m.'.repeat(346)}`),
  plain('a pattern of SQL', 'vk_live_%'),
  changed('the live prefix and zeros', 'zeros', (v) => `${keyPrefixes.live}${'0'.repeat(bodyOf(v).length)}`),
];

export const tokenNearMisses: readonly NearMiss[] = [
  ...wrongEverywhere,
  changed('two wrong ones joined by a comma', 'listed', (v) => `no-such-token,${twoWrong(v)}`),
  plain('the word admin', 'admin'),
  plain('the word true', 'true'),
  plain('the word false', 'false'),
];

/** One that is wrong beyond doubt, where a rule needs no family. */
export const wrongInTheMiddle: NearMiss = changed(
  'one character changed in the middle',
  'middle-changed',
  changedInTheMiddle,
);
