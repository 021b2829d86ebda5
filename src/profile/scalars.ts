/** Small values as people write them: durations, sizes, pointers, addresses. Undefined means: not one. */

const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
const longest = 24 * units.h;

/** `250ms`, `2s`, `1m`, `1h`, or a number of seconds. In milliseconds. */
export function duration(value: string | number): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h)?$/.exec(String(value).trim());
  if (match === null) return undefined;
  const ms = Math.round(Number(match[1]) * units[(match[2] ?? 's') as keyof typeof units]);
  return ms <= longest ? ms : undefined;
}

const sizes: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1000,
  mb: 1e6,
  gb: 1e9,
  kib: 1024,
  mib: 2 ** 20,
  gib: 2 ** 30,
};

/** `64kB`, `8MB`, `1MiB`, or a number of bytes. */
export function byteCount(value: string | number, most = 2 ** 30): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*([a-z]+)?$/i.exec(String(value).trim());
  if (match === null) return undefined;
  const unit = sizes[(match[2] ?? 'b').toLowerCase()];
  const bytes = unit === undefined ? Number.NaN : Math.round(Number(match[1]) * unit);
  return bytes >= 1 && bytes <= most ? bytes : undefined;
}

/** `0.1%`, or a number from 0 to 1. */
export function share(value: string | number): number | undefined {
  const match = /^(\d+(?:\.\d+)?)\s*(%)?$/.exec(String(value).trim());
  if (match === null) return undefined;
  const part = Number(match[1]) / (match[2] === undefined ? 1 : 100);
  return part <= 1 ? part : undefined;
}

/** RFC 6901. */
export const isPointer = (text: string): boolean => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text);

/** RFC 9110 §5.6.2. */
export const isToken = (text: string): boolean => /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(text);

/** What may be in a header's value without ending it. */
export const isHeaderValue = (text: string): boolean => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);

export type Address = { readonly origin: string; readonly basePath: string } | { readonly wrong: string };

/** The base address: what stands before `/v1`. */
export function address(text: string): Address {
  let url: URL;
  if (!/^https?:\/\//i.test(text)) return { wrong: 'must begin with http:// or https://' };
  try {
    url = new URL(text);
  } catch {
    return { wrong: 'is not an address' };
  }
  if (url.username !== '' || url.password !== '') return { wrong: 'must not contain credentials' };
  if (text.includes('#')) return { wrong: 'must not have a fragment' };
  if (text.includes('?')) return { wrong: 'must not have a query' };
  const basePath = url.pathname.replace(/\/+$/, '');
  if (/(^|\/)v1$/.test(basePath))
    return { wrong: 'must not end with /v1: every path of the specification begins with it already' };
  return { origin: url.origin, basePath };
}

/** Whether an origin is on this machine, whatever a resolver says. */
export const isLoopback = (origin: string): boolean =>
  /^https?:\/\/(127(\.\d{1,3}){3}|\[::1\]|localhost)(:\d+)?$/.test(origin);
