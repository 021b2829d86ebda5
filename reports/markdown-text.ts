/** As much Markdown as a report needs. What others said is in code, in which nothing is read as markup. */
import { inline, visible } from './text.ts';

const longestRun = (text: string): number => Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));

/** One line as code, whatever backticks are in it. */
export function code(text: string, most = 240): string {
  const line = inline(text, most);
  if (line.trim() === '') return '(nothing)';
  const fence = '`'.repeat(longestRun(line) + 1);
  const pad = /^[`\s]|[`\s]$/.test(line) ? ' ' : '';
  return `${fence}${pad}${line}${pad}${fence}`;
}

/** Lines as a block of code. */
export function block(lines: readonly string[], language = ''): string {
  const text = lines.join('\n');
  const fence = '`'.repeat(Math.max(3, longestRun(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

/** Words as words: no markup, no link, nobody mentioned, no issue closed. */
export const words = (text: string, most = 600): string =>
  inline(text, most)
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll(/#(?=\d)/g, '&#35;')
    .replaceAll('@', '&#64;')
    .replaceAll(/:\/\//g, '&#58;//')
    .replaceAll(/\b(www)\./gi, '$1&#46;')
    .replaceAll(/[\\`*_{}[\]~|$]/g, (character) => `\\${character}`)
    .replace(/^([#+-]|\d+[.)])/, (start) => `\\${start}`);

/** In a cell a bar would end it, in code too. */
export const row = (...cells: readonly string[]): string =>
  `| ${cells.map((cell) => cell.replaceAll(/(?<!\\)\|/g, String.raw`\|`)).join(' | ')} |`;

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [row(...head), row(...head.map(() => '---')), ...rows.map((cells) => row(...cells))].join('\n');

/** A part that is folded up until somebody asks for it. */
export const folded = (title: string, content: string): string =>
  `<details><summary>${visible(title).replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</summary>\n\n${content}\n\n</details>`;
