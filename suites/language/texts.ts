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

/** A JSON escape that was not undone, in small letters or in capitals. */
const escapes =
  (before: string, isLarge = false) =>
  (text: string): string =>
    text.replaceAll(/[^\0-\x7f]/g, (unit) => {
      const code = unit.charCodeAt(0).toString(16).padStart(4, '0');
      return before + (isLarge ? code.toUpperCase() : code);
    });

/** An item may be a text of JSON or of a programming language, whose literals have escapes of their own. */
const isLiteral = (around: string): boolean => /["'`]/.test(around);

/** An escape of a whole code point, of which JSON reads the first four digits. */
const cutEscapes = (text: string): string =>
  text.replaceAll(beyondPlane, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return String.fromCharCode(Number.parseInt(code.slice(0, 4), 16)) + code.slice(4);
  });

const spoilings: readonly Spoiling[] = [
  ['its escapes left in it', escapes('\\u'), isLiteral],
  ['its escapes left in it', escapes('\\u', true), isLiteral],
  ['the letters of escapes in it', escapes('u')],
  ['other characters for those beyond the basic plane', cutEscapes],
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

/** What different libraries make of quotes besides. */
const quotings: readonly Readonly<Record<string, string>>[] = [
  {},
  { '"': '&quot;' },
  { '"': '&#34;', "'": '&#39;' },
  ...['&#39;', '&#039;', '&#x27;', '&apos;'].map((single) => ({ '"': '&quot;', "'": single })),
];

const forPages =
  (quotes: Readonly<Record<string, string>>) =>
  (text: string): string =>
    text.replaceAll(/[&<>"']/g, (sign) => quotes[sign] ?? ofPages[sign] ?? sign);

const ofPages: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };

/** An item may be a piece of HTML or XML. */
const isPage = (around: string): boolean => /[<>]/.test(around);

const verbs = /%\s?[a-z]/g;

/** What a text becomes that is taken for a format, an address, a replacement or a literal: its reader may want that, but hardly. */
const expansions: readonly Spoiling[] = [
  ['its signs of formats replaced', (text) => text.replaceAll('%s', '').replaceAll('%d', '')],
  ['its signs of formats replaced', (text) => text.replaceAll('%s', '')],
  ['its signs of formats replaced', (text) => text.replaceAll('%s', 'undefined').replaceAll('%d', 'NaN')],
  ['its signs of formats replaced', (text) => text.replaceAll(verbs, (verb) => `%!${verb.at(-1)}(MISSING)`)],
  ['its signs of formats replaced', (text) => text.replaceAll(/%[sd]/g, (verb) => `%!${verb.at(-1)}(MISSING)`)],
  ['blanks for its plus signs', (text) => text.replaceAll('+', ' ')],
  ['its signs decoded as those of an address', percentDecoded],
  ['its signs decoded as those of an address', (text) => percentDecoded(text.replaceAll('+', ' '))],
  ['other line breaks', (text) => text.replaceAll('\r\n', '\n')],
  ['other line breaks', (text) => text.replaceAll(/\r?\n/g, '\r\n')],
  ['other line breaks', (text) => text.replaceAll('\r\n', '\r\r\n')],
  ['its signs taken for a replacement', (text) => text.replaceAll('$$', '$')],
  ['its backslashes removed', (text) => text.replaceAll(/\\(.)/g, '$1'), isLiteral],
  ['its backslashes taken for escapes', unescaped, isLiteral],
  ['its backslashes taken for escapes', (text) => text.replaceAll('\\n', '\n').replaceAll('\\t', '\t'), isLiteral],
  ['its escapes decoded', (text) => text.replaceAll('\\u0041', 'A'), isLiteral],
  ...quotings.map((quotes): Spoiling => ['its signs escaped for a page', forPages(quotes), isPage]),
  ['its letters and their marks composed', (text) => text.normalize('NFC')],
  ['nothing for its characters beyond the basic plane', ofPlane('')],
  ['nothing for its characters that nobody sees', (text) => text.replaceAll(/\p{Cf}/gu, '')],
  ['nothing behind its null character', (text) => text.replace(/\0.*/s, ''), (around) => /behind/.test(around)],
];

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

const meant: Readonly<Record<string, string>> = { n: '\n', t: '\t' };

function unescaped(text: string): string {
  return text.replaceAll(/\\(.)/g, (_, letter: string) => meant[letter] ?? letter);
}

/** How a text was expanded; undefined if it is there, or where nothing of the kind is. */
export function expandedIn(texts: readonly string[], sent: string): string | undefined {
  if (texts.some((text) => text.includes(sent))) return undefined;
  return (
    foundAmong(expansions, texts, sent) ??
    (texts.some((text) => hasOtherValues(text, sent)) ? 'other values for the names of an environment' : undefined)
  );
}

const variables = /\$(?:HOME|\{PATH\})|%PATH%/g;
const names = /HOME|PATH/gi;

/** All that stands around the names of an environment, but not each of these: who leaves out signs keeps the names. */
function hasOtherValues(text: string, sent: string): boolean {
  const [first = '', ...around] = sent.split(variables);
  let at = around.length === 0 ? -1 : text.indexOf(first);
  const begin = at;
  for (const each of around) at = at < 0 ? at : text.indexOf(each, at + 1);
  const countIn = (where: string): number => where.match(names)?.length ?? 0;
  return at >= 0 && countIn(text.slice(begin)) < countIn(sent);
}

/** How a text was spoiled; undefined if it is there, or where nothing of the kind is. */
export function garbledIn(texts: readonly string[], sent: string): string | undefined {
  const forms = [sent, sent.normalize('NFC'), sent.normalize('NFD')];
  if (texts.some((text) => forms.some((form) => text.includes(form)))) return undefined;
  const found = foundAmong(spoilings, texts, sent);
  if (found !== undefined) return found;
  // A character that was cut in two leaves its mark next to all that is right.
  const begin = sent.slice(0, 2);
  return texts.some((text) => text.includes('\uFFFD') && text.includes(begin))
    ? 'replacement characters in it'
    : undefined;
}

function foundAmong(ways: readonly Spoiling[], texts: readonly string[], sent: string): string | undefined {
  return ways.find(([, spoil, isLawful]) => {
    const spoiled = spoil(sent);
    if (spoiled === sent) return false;
    return texts.some((text) => text.includes(spoiled) && !isLawful?.(text.replaceAll(spoiled, '')));
  })?.[0];
}
