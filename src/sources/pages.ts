/** What working sources say when they say it otherwise than usual. Pure. */
import { lettersOfSources, manyEntries } from '../model/ask.ts';
import { isObject, type Json } from '../model/json.ts';

/** A source that works and has nothing to say, in the form in which it would say something. */
export const emptinessLike = (body: string): string => (body.startsWith('[') ? '[]' : body.startsWith('{') ? '{}' : '');

/** More than a buffer or a pipe of 64 kB holds, and less than any page that people read has by now. */
const longBy = 70_000;

/** The same in more bytes: white space means nothing in JSON, and nothing behind most other pages. */
export const stretched = (body: string): string =>
  /^[[{]/.test(body) ? `${body[0]}${' '.repeat(longBy)}${body.slice(1)}` : `${body}${' '.repeat(longBy)}`;

const said: Readonly<Record<'with-a-note' | 'with-a-status' | 'with-an-error', Readonly<Record<string, Json>>>> = {
  'with-a-note': { note: 'as it was found' },
  'with-a-status': { status: 'PARTIAL' },
  'with-an-error': { error: null, detail: 'none' },
};

/** In each object of a list, or in the only one; what is no JSON stays as it is. */
export function withMembers(body: string, which: keyof typeof said): string {
  const more = said[which];
  try {
    const value = JSON.parse(body) as Json;
    const filled = (each: Json): Json => (isObject(each) ? { ...each, ...more } : each);
    return JSON.stringify(Array.isArray(value) ? value.map(filled) : filled(value));
  } catch {
    return body;
  }
}

/** Which letters the bytes of a page other than JSON stand for is for its type to say. */
export const lettered = (body: string, token: string): string =>
  body.replaceAll('{{token}}', /^[[{]/.test(body) ? `${token} ${lettersOfSources}` : token);

/** What a list has once stands in it so often; what is no list stays as it is. */
export function multiplied(body: string, token: string): string {
  const of = (text: string): string => body.replaceAll('{{token}}', text);
  if (!body.startsWith('[')) return of(token);
  try {
    const lists = Array.from({ length: manyEntries }, (_, at) => JSON.parse(of(`${token}-${at + 1}`)) as Json[]);
    return JSON.stringify(lists.flat());
  } catch {
    return of(token);
  }
}
