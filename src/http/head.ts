/** The text of heads: what a request's would be, which lines a response's has, where one ends. Pure. */
import { connectionSaid } from './ordered-head.ts';
import type { WireRequest } from './transport.ts';

/** More than this of a head is no head. undici would take a status line without end. */
export const headLimit = 64 * 1024;

const emptyLine = Buffer.from('\r\n\r\n', 'latin1');

/** The index behind the empty line, or -1. undici's parser takes no bare line feeds, so neither is looked for here. */
export function endOfHead(bytes: Buffer, from = 0): number {
  const at = bytes.indexOf(emptyLine, from);
  return at < 0 ? -1 : at + emptyLine.length;
}

/** A head as evidence has it: without the empty line that ends it. */
export const withoutEmptyLine = (head: string): string => (head.endsWith('\r\n\r\n') ? head.slice(0, -4) : head);

/** Methods for which undici says `Content-Length: 0` where there is no body. */
const meantToCarryBody = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

/** What undici would have sent, for a request that never reached a connection. */
export function intendedHead(request: WireRequest, origin: string, kept: boolean): string {
  const own = (name: string): string | undefined => request.headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const length = request.body?.byteLength ?? 0;
  const lines = [
    `${request.method} ${request.target} HTTP/${request.version ?? '1.1'}`,
    `host: ${request.host ?? own('host') ?? authorityOf(origin)}`,
    `connection: ${connectionSaid(request.headers) ?? (kept ? 'keep-alive' : 'close')}`,
  ];
  for (const [name, value] of request.headers) {
    if (!ownedByTransport.has(name.toLowerCase())) lines.push(`${name}: ${value}`);
  }
  if (length > 0 || meantToCarryBody.has(request.method)) lines.push(`content-length: ${length}`);
  return lines.join('\r\n');
}

const ownedByTransport = new Set(['host', 'connection', 'content-length']);

function authorityOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : origin;
}
