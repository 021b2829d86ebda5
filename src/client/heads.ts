/** Pure: the head of a request as it was sent, as far as Node's reader keeps it. */
import type { IncomingMessage } from 'node:http';
import type { Header, RecordedRequest } from '../model/exchange.ts';

export const pairs = (raw: readonly string[]): Header[] =>
  raw.flatMap((name, at): Header[] => (at % 2 === 0 ? [[name, raw[at + 1] ?? '']] : []));

export const headOf = ({ method, url, httpVersion, rawHeaders }: IncomingMessage): string =>
  [
    `${method} ${url} HTTP/${httpVersion}`,
    ...pairs(rawHeaders).map(([name, value]) => `${name}: ${value}`),
    '',
    '',
  ].join('\r\n');

/** What no reader of HTTP takes, read as far as it goes: a path with a bare space, say. */
export function badRequestOf(raw: string): RecordedRequest {
  const [head = '', ...rest] = raw.split('\r\n\r\n');
  const [line = '', ...fields] = head.split('\r\n');
  const words = line.split(' ');
  const last = words.length > 2 && /^HTTP\//.test(words.at(-1) ?? '') ? -1 : undefined;
  const body = rest.join('\r\n\r\n');
  return {
    method: words[0] ?? '',
    target: words.slice(1, last).join(' '),
    head: `${head}\r\n\r\n`,
    headers: fields.flatMap((field): Header[] => {
      const at = field.indexOf(':');
      return at <= 0 ? [] : [[field.slice(0, at), field.slice(at + 1).trim()]];
    }),
    ...(body === '' ? {} : { body: { text: body, bytes: Buffer.byteLength(body) } }),
  };
}
