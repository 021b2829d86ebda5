import { decimalOf, ExactNumber } from './json-text.ts';

export type Json = null | boolean | number | ExactNumber | string | readonly Json[] | { readonly [key: string]: Json };

/** Undefined stands for a member that is absent: written runs drop it, so judges must not tell the two apart. */
export type Data = null | undefined | boolean | number | string | readonly Data[] | { readonly [key: string]: Data };

export const isObject = (value: unknown): value is { readonly [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber);

/** RFC 6901. An absent member is undefined; the pointer '' is the whole. */
export function atPointer(value: Json | undefined, pointer: string): Json | undefined {
  let here = value;
  for (const raw of pointer.split('/').slice(1)) {
    const token = raw.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = /^(0|[1-9]\d*)$/.test(token) ? here[Number(token)] : undefined;
    else if (isObject(here) && Object.hasOwn(here, token)) here = here[token];
    else return undefined;
  }
  return here;
}

/** The same for the same JSON, whatever the order of its members: to tell schemas apart without keeping them. */
export function fingerprintOf(value: Json): string {
  const text = canonical(value);
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at += 1) {
    one = Math.imul(one ^ text.charCodeAt(at), 0x01000193);
    other = Math.imul(other ^ text.charCodeAt(at), 0x5bd1e995);
  }
  return `${(one >>> 0).toString(36)}-${(other >>> 0).toString(36)}-${text.length}`;
}

function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  // One number has many spellings.
  if (value instanceof ExactNumber) return decimalOf(value.digits);
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, each]) => `${JSON.stringify(name)}:${canonical(each)}`).join()}}`;
}
