/** Names that are none, and other spellings of a known one, as they stand in a path. */
import type { Case, Subject } from '../../../src/vocabulary.ts';

interface Named extends Case {
  readonly segment: string;
  /** Of a run; if omitted, an empty object. */
  readonly body?: string;
}

/** Names as they are in a path: percent-encoded already, or wrongly so. */
const hostile: readonly Named[] = [
  { name: 'an encoded slash', segment: 'a%2Fb' },
  { name: 'encoded dots and slashes', segment: '..%2F..%2F..%2Fetc%2Fpasswd' },
  { name: 'a way to another route', segment: '%2e%2e%2Fauth%2Fverify' },
  { name: 'an encoded backslash', segment: '..%5C..%5Cwindows' },
  { name: 'a NUL', segment: 'a%00b' },
  { name: 'a line break', segment: 'a%0D%0Ab' },
  { name: '2 kB', segment: 'n'.repeat(2048) },
  { name: 'an emoji', segment: '%F0%9F%98%80' },
  { name: 'bytes that are not UTF-8', segment: '%FF%FE' },
  { name: 'a broken escape', segment: '%zz' },
  { name: 'a space', segment: '%20' },
  { name: 'a quote that ends a string', segment: '%27%20OR%20%271%27%3D%271' },
  { name: 'double quotes', segment: '%22quoted%22' },
  {
    name: 'a plain name that is long',
    // Some routers take no more than a hundred.
    segment: 'a.plain.name.that.is.longer.than.the.names.of.most.actors.and.than.what.many.keep.of.a.name',
  },
  { name: '__proto__', segment: '__proto__' },
  { name: 'constructor', segment: 'constructor' },
  { name: 'toString', segment: 'toString' },
];

/** A known name and what a careless look-up takes off it. */
function respelled({ actors }: Subject): readonly Named[] {
  const actor = actors.clean.find(({ sources }) => sources === 0) ?? actors.clean[0];
  if (actor === undefined) return [];
  const known = encodeURIComponent(actor.name);
  const twice = `%25${actor.name.charCodeAt(0).toString(16)}${encodeURIComponent(actor.name.slice(1))}`;
  const body = JSON.stringify(actor.input ?? {});
  const withoutEnd = encodeURIComponent([...actor.name].slice(0, -1).join(''));
  const accented = encodeURIComponent(actor.name.replace(/[aeiou]/, (vowel) => `${vowel}\u0301`.normalize('NFC')));
  return [
    { name: 'a known name behind a space', segment: `%20${known}` },
    { name: 'a known name before a space', segment: `${known}%20` },
    { name: 'a known name before a NUL', segment: `${known}%00x` },
    { name: 'a known name in a folder', segment: `no-such-folder%2F${known}` },
    { name: 'a known name with a wildcard for its end', segment: `${withoutEnd}%25` },
    // Tables compare letters as dictionaries order them.
    ...(accented === known ? [] : [{ name: 'a known name with an accent', segment: accented }]),
    ...(/^[\x21-\x7e]/.test(actor.name) ? [{ name: 'a known name encoded twice', segment: twice }] : []),
  ].map((each) => ({ ...each, body }));
}

export const oddNames = (subject: Subject): readonly Named[] => [...hostile, ...respelled(subject)];
