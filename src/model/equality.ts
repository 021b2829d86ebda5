/**
 * What counts as the same. Every comparison of a sent value with a returned one names one of these; where the
 * specification is silent, by the loosest reading of its words.
 */
import { isObject, type Json } from './json.ts';
import { ExactNumber } from './json-text.ts';

/** One spelling for all: normal forms, full width, capitals of any language. */
export const folded = (text: string): string =>
  text
    .normalize('NFKC')
    .toUpperCase()
    .toLowerCase()
    // What is left of a Turkish capital I with its dot.
    .replaceAll('i\u0307', 'i')
    .normalize('NFC');

export const isEqualButForCase = (one: string, other: string): boolean => folded(one) === folded(other);

/** Composed and decomposed letters are one text. Letters of other width are others. */
export const isEqualButForNormalForm = (one: string, other: string): boolean =>
  one.normalize('NFC') === other.normalize('NFC');

/** With escapes undone; a text with malformed escapes is taken literally. */
export function withoutPercent(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export const isEqualButForPercentEncoding = (one: string, other: string): boolean =>
  withoutPercent(one) === withoutPercent(other);

/** Numbers as decimals, members in any order. */
export function isEqualAsJson(one: Json | undefined, other: Json | undefined): boolean {
  if (one instanceof ExactNumber || other instanceof ExactNumber)
    return one instanceof ExactNumber && other instanceof ExactNumber && one.decimal === other.decimal;
  if (Array.isArray(one) && Array.isArray(other))
    return one.length === other.length && one.every((each: Json, at) => isEqualAsJson(each, other[at] as Json));
  if (!isObject(one) || !isObject(other)) return one === other;
  const names = Object.keys(one);
  return (
    names.length === Object.keys(other).length &&
    names.every((name) => Object.hasOwn(other, name) && isEqualAsJson(one[name], other[name]))
  );
}

/** A name of several words in the way in which another language writes it: `foundedAfter`, `founded_after`, `Founded after`. */
export const wordsOf = (name: string): readonly string[] =>
  name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .split(/[\s_.-]+/)
    .filter((word) => word !== '')
    .map(folded);
