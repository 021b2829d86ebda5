/** As much XML as a report needs. No text of others can end an element, or be what XML 1.0 forbids. */
import { visibleLines } from './text.ts';

/** What may be in XML 1.0 at all. */
const forbidden = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

const escaped = (value: string): string =>
  value.replaceAll(forbidden, '\u{fffd}').replaceAll(/[&<>"]/g, (character) => escapes[character] ?? '');

/** Jenkins and GitLab attach the file that `[[ATTACHMENT|path]]` names, anywhere in a case's output. */
const harmless = (value: string): string => value.replaceAll(/\[\[(?=ATTACHMENT)/gi, '[ [');

/** Content of an element: lines stay, what is invisible is spelt out. */
export const text = (value: string): string => escaped(harmless(visibleLines(value).join('\n')));

const attribute = (value: string): string => escaped(harmless(visibleLines(value).join(' ')));

export function element(name: string, attributes: Readonly<Record<string, string>>, content = ''): string {
  const written = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${attribute(value)}"`)
    .join('');
  return content === '' ? `<${name}${written}/>` : `<${name}${written}>${content}</${name}>`;
}

/** With a point, three digits after it, and never empty. */
export const seconds = (ms: number): string => (Number.isFinite(ms) && ms > 0 ? ms / 1000 : 0).toFixed(3);
