/** What becomes of a text whose bytes were read as something else. Pure. */
import type { Exchange } from '../../src/vocabulary.ts';
import { itemsOf } from './leaves.ts';

export const textsIn = (exchange: Exchange): readonly string[] =>
  [...itemsOf(exchange).values()].filter((value) => typeof value === 'string');

type Spoiling = readonly [says: string, spoil: (text: string) => string, isLawful?: (around: string) => boolean];

const beyondAscii = /[^\0-\x7f]/gu;

const each =
  (by: string, times: (character: string) => number = () => 1) =>
  (text: string): string =>
    text.replaceAll(beyondAscii, (character) => by.repeat(times(character)));

const beyondPlane = /[\u{10000}-\u{10ffff}]/gu;

/** What a store or a font of the basic plane alone makes of the rest. */
const ofPlane =
  (by: string) =>
  (text: string): string =>
    text.replaceAll(beyondPlane, by);

const bytesOf = (character: string): number => Buffer.byteLength(character);
const unitsOf = (character: string): number => character.length;

const decoded =
  (encoding: string) =>
  (text: string): string =>
    new TextDecoder(encoding).decode(Buffer.from(text));

/** A JSON escape that was not undone. */
const escapes =
  (before: string) =>
  (text: string): string =>
    text.replaceAll(/[^\0-\x7f]/g, (unit) => `${before}${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** An item may be a text of JSON or of a programming language, whose literals have escapes of their own. */
const isLiteral = (around: string): boolean => /["'`]/.test(around);

const spoilings: readonly Spoiling[] = [
  ['its escapes left in it', escapes('\\u'), isLiteral],
  ['the letters of escapes in it', escapes('u')],
  ['its bytes read as Latin-1', (text) => Buffer.from(text).toString('latin1')],
  ['its bytes read as Windows-1252', decoded('windows-1252')],
  ['question marks in it', each('?')],
  ['question marks in it', each('?', bytesOf)],
  ['question marks in it', each('?', unitsOf)],
  ['replacement characters in it', each('\uFFFD')],
  ['replacement characters in it', each('\uFFFD', bytesOf)],
  ['replacement characters in it', each('\uFFFD', unitsOf)],
  ['question marks in it', ofPlane('?')],
  ['question marks in it', ofPlane('??')],
  ['question marks in it', ofPlane('????')],
  ['replacement characters in it', ofPlane('\uFFFD')],
  ['replacement characters in it', ofPlane('\uFFFD\uFFFD')],
];

/** How a text was spoiled; undefined if it is there, or where nothing of the kind is. */
export function garbledIn(texts: readonly string[], sent: string): string | undefined {
  const forms = [sent, sent.normalize('NFC'), sent.normalize('NFD')];
  if (texts.some((text) => forms.some((form) => text.includes(form)))) return undefined;
  const found = spoilings.find(([, spoil, isLawful]) => {
    const spoiled = spoil(sent);
    if (spoiled === sent) return false;
    return texts.some((text) => text.includes(spoiled) && !isLawful?.(text.replaceAll(spoiled, '')));
  });
  if (found !== undefined) return found[0];
  // A character that was cut in two leaves its mark next to all that is right.
  const begin = sent.slice(0, 2);
  return texts.some((text) => text.includes('\uFFFD') && text.includes(begin))
    ? 'replacement characters in it'
    : undefined;
}
