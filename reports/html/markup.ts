/** HTML in which nothing that others said can be more than text: whatever is put into a template is escaped, by type. */
import { inline, visibleLines } from '../text.ts';

export class Markup {
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  toString(): string {
    return this.#text;
  }
}

export type Content = Markup | string | number | undefined | false | readonly Content[];

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Invisible characters are spelt out, so that none can hide, reverse or end anything. */
const escaped = (text: string): string =>
  visibleLines(text)
    .join('\n')
    .replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

const written = (content: Content): string => {
  if (content === undefined || content === false) return '';
  if (content instanceof Markup) return content.toString();
  if (typeof content === 'string') return escaped(content);
  return typeof content === 'number' ? String(content) : content.map(written).join('');
};

/** Attributes are in double quotes in every template. */
export const html = (parts: TemplateStringsArray, ...contents: readonly Content[]): Markup =>
  new Markup(parts.map((part, at) => (at === 0 ? part : written(contents[at - 1]) + part)).join(''));

/** Our own sentences put names and values between backticks. What others said may hold some too, and becomes no more than code. */
export function prose(text: string, most: number): Content {
  const parts = inline(text, most).split('`');
  // Without its partner a backtick is one.
  if (parts.length % 2 === 0) parts.push(`${parts.splice(-2).join('`')}`);
  return parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part));
}
