/** Words for a POSIX shell (bash, where a character must be spelt): what a service or a profile said can't break out. */

const plain = /^[\w@%+=:,./-]+$/;
const needsSpelling = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A piece of a word: text as it is, or the name of a variable whose value goes there. */
export type Piece = string | { readonly variable: string };

const single = (text: string): string => `'${text.replaceAll("'", String.raw`'\''`)}'`;

/** `$'…'`: the form in which every byte can be spelt. */
function spelt(text: string): string {
  const inner = [...text].map((character) => {
    if (character === '\\' || character === "'") return `\\${character}`;
    if (!needsSpelling.test(character)) return character;
    if (character === '\n') return String.raw`\n`;
    const bytes = Buffer.from(character, 'utf8');
    return [...bytes].map((byte) => String.raw`\x${byte.toString(16).padStart(2, '0')}`).join('');
  });
  return `$'${inner.join('')}'`;
}

/** Each spelt byte must not run into a hexadecimal digit after it: bash takes two digits at most, so nothing does. */
const quote = (text: string): string => (needsSpelling.test(text) ? spelt(text) : single(text));

/** What may be in double quotes as it is, in any shell and with history expansion. */
const calm = /^[^"$`\\!\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]*$/u;

export function word(pieces: readonly Piece[]): string {
  const texts = pieces.filter((piece) => typeof piece === 'string');
  if (texts.length === pieces.length) {
    const text = texts.join('');
    return text !== '' && plain.test(text) ? text : quote(text);
  }
  const inner = pieces.map((piece) => (typeof piece === 'string' ? piece : variable(piece.variable)));
  if (texts.every((text) => calm.test(text))) {
    // A name goes on where a word character follows it: braces end it.
    const joined = pieces.map((piece, at) => {
      if (typeof piece === 'string') return piece;
      const next = pieces[at + 1];
      return typeof next === 'string' && /^\w/.test(next) ? `\${${piece.variable}}` : inner[at];
    });
    return `"${joined.join('')}"`;
  }
  return pieces
    .map((piece) => (typeof piece === 'string' ? (piece === '' ? '' : quote(piece)) : `"${variable(piece.variable)}"`))
    .join('');
}

const variable = (name: string): string => `$${name}`;
