/**
 * A text as a reader of its escapes will read it, with the way back: percent signs of URLs and backslashes of JSON, also where
 * one is in another. A secret is in a text when it is in any of these readings.
 */

export interface Reading {
  readonly text: string;
  /** Where each character of the reading begins in the original, and one more: where it ends. */
  readonly from: Uint32Array;
}

const escapes = /%([0-9a-f]{2})|\\(?:u([0-9a-f]{4})|(["\\/bfnrt]))/gi;
const anyEscape = /%[0-9a-f]{2}|\\(?:u[0-9a-f]{4}|["\\/bfnrt])/i;

/** Characters outside a single byte are not compared. */
const characterOf = (digits: string): string => {
  const code = Number.parseInt(digits, 16);
  return code < 256 ? String.fromCharCode(code) : '\0';
};

const bareOf = (letter: string): string => (/[bfnrt]/i.test(letter) ? '\n' : letter);

/**
 * Other ways of writing the same characters: the indices of a list that was written as an object (`{"0":118,"1":107}`), letters of
 * full width. Each where it is there.
 */
export function* plainReadingsOf(text: string): Generator<Reading> {
  if (text.includes('"0":')) yield replaced(text, /"\d{1,6}"\s*:/g, () => '');
  if (text.includes('\u00ef\u00bc') || text.includes('\u00ef\u00bd')) yield replaced(text, fullWidth, narrow);
}

/** U+FF01 to U+FF5E, as the bytes of UTF-8. */
const fullWidth = /\u00ef(?:\u00bc[\u0081-\u00bf]|\u00bd[\u0080-\u009e])/g;

const narrow = (wide: string): string =>
  String.fromCharCode(wide.charCodeAt(2) - 0x80 + (wide.charCodeAt(1) === 0xbc ? 0x20 : 0x60));

function replaced(text: string, pattern: RegExp, put: (found: string) => string): Reading {
  const pieces: string[] = [];
  const from = new Uint32Array(text.length + 1);
  let length = 0;
  let copied = 0;
  const copy = (until: number): void => {
    for (let at = copied; at < until; at += 1) from[length++] = at;
    pieces.push(text.slice(copied, until));
  };
  for (const match of text.matchAll(pattern)) {
    copy(match.index);
    const instead = put(match[0]);
    for (let at = 0; at < instead.length; at += 1) from[length++] = match.index;
    pieces.push(instead);
    copied = match.index + match[0].length;
  }
  copy(text.length);
  from[length] = text.length;
  return { text: pieces.join(''), from };
}

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
    pieces.push(bare === undefined ? characterOf((percent ?? unicode)!) : bareOf(bare));
    copied = match.index + whole.length;
  }
  copy(text.length);
  from[length] = before?.[text.length] ?? text.length;
  return { text: pieces.join(''), from };
}
