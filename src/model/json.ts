import { ExactNumber } from './json-text.ts';

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
