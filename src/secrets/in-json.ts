/** Names in the place of secrets, so that what was JSON still is: a secret may lie over several of its texts and numbers. */
import type { Hit } from './detector.ts';

const shown = (name: string): string => Buffer.from(`\u00ab${name}\u00bb`, 'utf8').toString('latin1');

export function withNames(text: string, hits: readonly Hit[]): string {
  const isJson = /^\s*(?:\u00ef\u00bb\u00bf)?\s*[[{"]/.test(text) && parses(text);
  const careful = isJson && hits.length <= mostCareful ? put(text, hits, inPieces(text)) : undefined;
  return careful !== undefined && parses(careful)
    ? careful
    : put(text, hits, (_, { begin, end, name }) => ({ from: begin, said: shown(name), until: end }));
}

/** Each walks through the text once more. Beyond so many it is no text for people any more. */
const mostCareful = 100;

interface Piece {
  readonly from: number;
  readonly said: string;
  readonly until: number;
}

function put(text: string, hits: readonly Hit[], piece: (text: string, hit: Hit) => Piece): string {
  let result = '';
  let copied = 0;
  for (const hit of hits) {
    const { from, said, until } = piece(text, hit);
    if (from < copied) continue;
    result += text.slice(copied, from) + said;
    copied = until;
  }
  return result + text.slice(copied);
}

function parses(text: string): boolean {
  try {
    JSON.parse(text.replace(/^\u00ef\u00bb\u00bf/, ''));
    return true;
  } catch {
    return false;
  }
}

/** Tokens of JSON: texts, and what stands outside of them. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|\w+|[^\w"]/gs;

/** The texts and numbers in a stretch go, what holds them together stays. The first says the name. Hits come in order. */
function inPieces(text: string): (text: string, hit: Hit) => Piece {
  const all = [...text.matchAll(tokens)].map(({ 0: token, index }) => ({ token, index, last: index + token.length }));
  let first = 0;
  return (_, hit) => {
    while (first < all.length && all[first]!.last <= hit.begin) first += 1;
    return pieceOf(text, hit, all, first);
  };
}

interface Token {
  readonly token: string;
  readonly index: number;
  readonly last: number;
}

function pieceOf(text: string, { begin, end, name }: Hit, all: readonly Token[], first: number): Piece {
  let from = begin - (isEscaped(text, begin) ? 1 : 0);
  let until = end;
  let said = '';
  let isSaid = false;
  const say = (): string => {
    const now = isSaid ? '' : shown(name);
    isSaid = true;
    return now;
  };
  for (let at = first; at < all.length && all[at]!.index < end; at += 1) {
    const { token, index, last } = all[at]!;
    if (token.startsWith('"')) {
      if (begin <= index) said += '"';
      if (Math.max(begin, index + 1) < Math.min(end, last - 1)) said += say();
      if (end >= last) said += '"';
    } else if (/^-?\d/.test(token)) {
      // A number goes as a whole, and what stands for it is a text.
      from = Math.min(from, index);
      until = Math.max(until, last);
      said += isSaid ? '0' : `"${say()}"`;
    } else said += token;
  }
  return { from, said, until };
}

/** The letter of an escape goes with its backslash. */
function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (text[at - 1 - count] === '\\') count += 1;
  return count % 2 === 1;
}
