/** How words are put: nothing that a service said may move the cursor, change a colour or turn the reading direction. */

/** Controls, formats (bidi, zero width), lone surrogates, and the two separators that some terminals break lines at. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;
const invisibleButNewline = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu;

const short: Readonly<Record<string, string>> = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` };

const spelt = (character: string): string => {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16);
  return short[character] ?? (code < 256 ? String.raw`\x${hex.padStart(2, '0')}` : String.raw`\u{${hex}}`);
};

/** One line, every invisible character spelt out. */
export const visible = (text: string): string => text.replaceAll(invisible, spelt);

/** The same, but lines stay lines. */
export const visibleLines = (text: string): string[] =>
  text.replaceAll(/\r\n?/g, '\n').replaceAll(invisibleButNewline, spelt).split('\n');

/** At most so many characters, cut between whole ones; says how many are missing. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const end = /[\ud800-\udbff]/.test(text[most - 1] ?? '') ? most - 1 : most;
  return `${text.slice(0, end)}… (${text.length - end} more)`;
}

export const inline = (text: string, most = 240): string => cut(visible(text), most);

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${thousands(count)} ${count === 1 ? one : many}`;

export const thousands = (count: number): string => String(count).replaceAll(/\B(?=(\d{3})+$)/g, ',');

export const list = (words: readonly string[], last = 'and'): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`;

/** `340 ms`, `4.2 s`, `3 min 20 s`. */
export function lasting(ms: number): string {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  const seconds = Math.round(ms / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}

/** Broken into lines between words. Words longer than a line stay whole: they are meant to be copied. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line);
      line = word;
    } else line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}

/** JSON may hold what moves a cursor or turns the reading direction; people look at it in terminals too. */
export const calmJson = (json: string): string =>
  json.replaceAll(/(?!\n)[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from({ length: character.length }, (_, at) => String.raw`\u${unit(character, at)}`).join(''),
  );

const unit = (character: string, at: number): string => character.charCodeAt(at).toString(16).padStart(4, '0');
