/** How long a text may be, asked in several alphabets. Only proposals: ajv confirms them. */
import type { Proposal } from './admitted.ts';
import type { Schema } from './keywords.ts';

/** What is longer may be refused for the size of its body. */
export const longestText = 4_000;
/** Beyond what many buffer. */
const longerText = 20_000;
const beyondAscii = [
  ['as long as it may be, in letters beyond ASCII', 'ü', 2],
  ['as long as it may be, in emoji', '😀', 4],
] as const;

/** A text that holds a nonce may have to be another each time: whether the one beside it is taken twice tells. */
export function* onceMore(proposals: Iterable<Proposal>): Generator<Proposal> {
  for (const each of proposals) yield { ...each, ...(each.inside === undefined ? {} : { further: [each.inside] }) };
}

export const long = (text: string, length: number): string => text.slice(0, length).padEnd(length, 'x');

/** The bounds of a text. */
export function* lengths({ minLength, maxLength }: Schema, value: string): Generator<Proposal> {
  if (typeof maxLength === 'number' && maxLength > 1 && maxLength <= longerText)
    yield { change: 'as long as it may be', put: long(value, maxLength), inside: long(value, maxLength - 1) };
  // A length counts characters. Half as many of them fit where bytes or halves of pairs are counted instead.
  if (typeof maxLength === 'number' && maxLength > 3 && maxLength <= longestText)
    for (const [change, letter, bytes] of beyondAscii)
      yield { change, put: letter.repeat(maxLength), inside: letter.repeat(Math.floor(maxLength / bytes)) };
  if (typeof maxLength === 'number' && maxLength > longestText)
    yield { change: 'of 4,000 characters', put: long(value, longestText), inside: long(value, longestText / 2) };
  if (typeof minLength === 'number' && minLength > 0 && minLength < value.length)
    yield {
      change: 'as short as it may be',
      put: value.slice(0, minLength),
      inside: value.slice(0, minLength + 1),
    };
}
