/**
 * A text as whoever undoes its escapes will read it, with the way back: percent signs of URLs and backslashes of JSON, also where
 * one stands in another. A secret is in a text when it is in any of these readings.
 */

export interface Reading {
  readonly text: string;
  /** Where each character of the reading begins in the original, and one more: where it ends. */
  readonly from: Uint32Array;
}

const escapes = /%([0-9a-f]{2})|\\(?:u00([0-9a-f]{2})|(["\\/]))/gi;
const anyEscape = /%[0-9a-f]{2}|\\(?:u00[0-9a-f]{2}|["\\/])/i;

/** JSON in JSON, URLs in URLs: deeper nobody packs. */
const deepest = 3;

/** Each reading that differs from the one before it. None, for most texts. */
export function* readingsOf(text: string): Generator<Reading> {
  let before: Reading | undefined;
  for (let depth = 0; depth < deepest; depth += 1) {
    const now = before?.text ?? text;
    // Looking for single characters costs next to nothing, and most texts have neither.
    if (!(now.includes('%') || now.includes('\\')) || !anyEscape.test(now)) return;
    before = decoded(now, before?.from);
    yield before;
  }
}

function decoded(text: string, before: Uint32Array | undefined): Reading {
  const pieces: string[] = [];
  const from = new Uint32Array(text.length + 1);
  let length = 0;
  let copied = 0;
  const copy = (until: number): void => {
    for (let at = copied; at < until; at += 1) from[length++] = before?.[at] ?? at;
    pieces.push(text.slice(copied, until));
  };
  for (const match of text.matchAll(escapes)) {
    copy(match.index);
    const [whole, percent, unicode, bare] = match;
    from[length++] = before?.[match.index] ?? match.index;
    pieces.push(bare ?? String.fromCharCode(Number.parseInt((percent ?? unicode)!, 16)));
    copied = match.index + whole.length;
  }
  copy(text.length);
  from[length] = before?.[text.length] ?? text.length;
  return { text: pieces.join(''), from };
}
