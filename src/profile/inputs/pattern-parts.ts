/** A small reader of regular expressions: only what is needed to see how far one may backtrack. */

/** ASCII by bit; bit 128 stands for everything else. */
export type CharSet = bigint;

export const everything: CharSet = (1n << 129n) - 1n;

export type Part =
  | { readonly kind: 'set'; readonly set: CharSet; readonly min: number; readonly max: number }
  | {
      readonly kind: 'group';
      readonly choices: readonly (readonly Part[])[];
      readonly min: number;
      readonly max: number;
    }
  | { readonly kind: 'look'; readonly choices: readonly (readonly Part[])[] };

const range = (from: number, to: number): CharSet => ((1n << BigInt(to - from + 1)) - 1n) << BigInt(from);
const one = (char: string): CharSet => 1n << BigInt(Math.min(char.codePointAt(0) ?? 128, 128));
const digits = range(48, 57);
const words = digits | range(65, 90) | range(97, 122) | one('_');
const spaces = range(9, 13) | one(' ') | (1n << 128n);
const classes: Readonly<Record<string, CharSet>> = { d: digits, w: words, s: spaces };
const controls: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', f: '\f', v: '\v', '0': '\0' };

/** Undefined for whatever this reader does not know, which nobody should trust then. */
export function readPattern(source: string): readonly (readonly Part[])[] | undefined {
  const chars = [...source];
  let at = 0;
  class Unknown extends Error {}

  const choices = (): Part[][] => {
    const all: Part[][] = [[]];
    while (at < chars.length && chars[at] !== ')') {
      if (chars[at] === '|') {
        at++;
        all.push([]);
      } else {
        const part = quantified();
        if (part !== undefined) all.at(-1)?.push(part);
      }
    }
    return all;
  };

  const quantified = (): Part | undefined => {
    const part = single();
    const found = /^(?:([*+?])|\{(\d+)(,?)(\d*)\})\??/.exec(chars.slice(at, at + 24).join(''));
    if (found === null) return part;
    at += found[0].length;
    const [, sign, from, comma, to] = found;
    const min = sign === undefined ? Number(from) : sign === '+' ? 1 : 0;
    const max =
      sign === '?'
        ? 1
        : sign !== undefined || (comma === ',' && to === '')
          ? Number.POSITIVE_INFINITY
          : Number(to === '' ? from : to);
    if (part === undefined || part.kind === 'look') throw new Unknown();
    return { ...part, min, max };
  };

  const single = (): Part | undefined => {
    const char = chars[at++] ?? '';
    if (char === '^' || char === '$') return undefined;
    if (char === '.') return set(everything & ~one('\n') & ~one('\r'));
    if (char === '[') return set(bracket());
    if (char === '(') return group();
    if (char !== '\\') return set(one(char));
    if (chars[at] === 'b' || chars[at] === 'B') {
      at++;
      return undefined;
    }
    return set(escaped());
  };

  const set = (value: CharSet): Part => ({ kind: 'set', set: value, min: 1, max: 1 });

  const group = (): Part => {
    const head = /^\?(?::|<?[=!]|<[A-Za-z_$][\w$]*>)/.exec(chars.slice(at, at + 80).join(''))?.[0] ?? '';
    if (chars[at] === '?' && head === '') throw new Unknown();
    at += head.length;
    const inner = choices();
    if (chars[at++] !== ')') throw new Unknown();
    return /[=!]$/.test(head) ? { kind: 'look', choices: inner } : { kind: 'group', choices: inner, min: 1, max: 1 };
  };

  const escaped = (): CharSet => {
    const char = chars[at++] ?? '';
    const lower = classes[char.toLowerCase()];
    if (lower !== undefined) return char === char.toLowerCase() ? lower : everything & ~lower;
    if (/[pP]/.test(char)) {
      at += /^\{[^}]*\}/.exec(chars.slice(at, at + 80).join(''))?.[0].length ?? 0;
      return everything;
    }
    const code = /^(?:x([0-9a-f]{2})|u([0-9a-f]{4})|u\{([0-9a-f]+)\})/i.exec(char + chars.slice(at, at + 10).join(''));
    if (code !== null) {
      at += code[0].length - 1;
      return 1n << BigInt(Math.min(Number.parseInt(code[1] ?? code[2] ?? code[3] ?? '80', 16), 128));
    }
    // A backreference, or something that only another dialect knows.
    if (/[1-9kcAzZG]/.test(char) || char === '') throw new Unknown();
    return one(controls[char] ?? char);
  };

  const bracket = (): CharSet => {
    const negated = chars[at] === '^';
    if (negated) at++;
    let result: CharSet = 0n;
    let last: number | undefined;
    while (at < chars.length && chars[at] !== ']') {
      const isRange = chars[at] === '-' && last !== undefined && chars[at + 1] !== ']';
      if (isRange) at++;
      const before = last;
      const char = chars[at++] ?? '';
      const next = char === '\\' ? escaped() : one(char);
      const code = [...Array(129).keys()].find((bit) => next === 1n << BigInt(bit));
      result |= isRange && before !== undefined && code !== undefined && code >= before ? range(before, code) : next;
      last = isRange ? undefined : code;
    }
    if (chars[at++] !== ']') throw new Unknown();
    return negated ? everything & ~result : result;
  };

  try {
    const all = choices();
    return at === chars.length ? all : undefined;
  } catch (error) {
    if (error instanceof Unknown || error instanceof RangeError) return undefined;
    throw error;
  }
}
