/** A secret byte for byte, in its most common spellings: the first search. */
import { createHash } from 'node:crypto';
import { plainly, telling } from './spellings.ts';
import { isCommonPart } from './vocabulary.ts';

export interface Form {
  readonly needle: string;
  readonly name: string;
  /** As much of this as stands behind it belongs to it. */
  readonly more?: string;
}

/** Shorter ones would be found in innocent text. */
export const shortestPlain = 8;
const shortestForm = 12;
/** Different characters without which a part of a secret is nothing of its own. */
const fewest = 6;

export const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const bodyOf = (value: string): string => value.replace(/^vk_(?:live|test)_/, '');

/** The part of a text's base64 that is the same whatever stands before and after it, for each of the three alignments. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = padded.slice(first, last);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

/** Twelve characters in a row that are fewer letters and digits, by which alone a detector goes: a UUID has such, and many a token. */
function windowsOf(plain: string): { readonly part: string; readonly more: string }[] {
  return Array.from({ length: Math.max(0, plain.length - telling + 1) }, (_, at) => ({
    part: plain.slice(at, at + telling),
    more: plain.slice(at + telling),
  })).filter(
    ({ part }) => plainly(part).length < telling && new Set(part).size >= fewest && !isCommonPart(plainly(part)),
  );
}

export function formsOf(name: string, value: string): Form[] {
  const bytes = Buffer.from(value, 'utf8');
  const hash = createHash('sha256').update(bytes).digest();
  const body = bodyOf(value);
  const whole = body.length < shortestPlain;
  const plain = whole ? value : body;
  const shown = whole ? value.slice(0, value.length - body.length) : '';
  const escaped = JSON.stringify(plain).slice(1, -1);
  const forms: [string, string][] = [
    [latin1(plain), name],
    [latin1(escaped), name],
    [latin1(encodeURIComponent(plain)), `url:${name}`],
    [[...plain].reverse().join(''), `reversed:${name}`],
    ...base64Forms(Buffer.from(plain, 'utf8')).map((form): [string, string] => [form, `base64:${name}`]),
    [Buffer.from(plain, 'utf8').toString('hex'), `hex:${name}`],
    [Buffer.from(plain, 'utf8').toString('hex').toUpperCase(), `hex:${name}`],
    [hash.toString('hex'), `sha256:${name}`],
    [hash.toString('hex').toUpperCase(), `sha256:${name}`],
    [hash.toString('base64').replaceAll('=', ''), `sha256-base64:${name}`],
    [hash.toString('base64url'), `sha256-base64:${name}`],
    [hash.toString('latin1'), `sha256-raw:${name}`],
  ];
  const wanted = new Map<string, string>();
  for (const [needle, form] of forms) {
    if (needle.length >= (form === name ? shortestPlain : shortestForm) && !wanted.has(needle))
      wanted.set(needle, form);
  }
  const all = [...wanted].map(([needle, form]) => ({
    needle,
    name: latin1(`${form === name ? shown : ''}«${form}»`),
  }));
  const parts = [plain, plain.toLowerCase(), plain.toUpperCase()].flatMap(windowsOf).flatMap(({ part, more }) => {
    const needle = latin1(part);
    if (wanted.has(needle)) return [];
    wanted.set(needle, '');
    return [{ needle, name: latin1(`«part:${name}»`), more: latin1(more) }];
  });
  return [...all, ...parts];
}
