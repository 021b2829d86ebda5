/** The text of heads: what a request's would be, which lines a response's has, where one ends. Pure. */
import type { Header } from '../model/exchange.ts';
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

const flood = 4096;

function headerOf(line: string): Header | undefined {
  const colon = line.indexOf(':');
  return colon > 0 ? [line.slice(0, colon), trimBlanks(line.slice(colon + 1))] : undefined;
}

/** The header lines of a head, in order, names in their case, values without the blanks around them. */
export function headersOf(head: string): Header[] {
  const headers: Header[] = [];
  // A flood of lines mostly says the same again: each is kept once, or it would take many times its bytes.
  const known = head.length > flood ? new Map<string, Header>() : undefined;
  let start = head.indexOf('\r\n');
  while (start >= 0) {
    start += 2;
    const next = head.indexOf('\r\n', start);
    const line = next < 0 ? head.slice(start) : head.slice(start, next);
    const header = known?.get(line) ?? headerOf(line);
    if (header !== undefined) {
      known?.set(line, header);
      headers.push(header);
    }
    start = next;
  }
  return headers;
}

/** Only spaces and tabs are blanks in HTTP: `trim()` would take a latin1 no-break space away, too. */
const trimBlanks = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '');

/** Methods for which undici says `Content-Length: 0` where there is no body. */
const meantToCarryBody = new Set(['POST', 'PUT', 'PATCH', 'QUERY', 'PROPFIND', 'PROPPATCH']);

/** What undici would have sent, for a request that never reached a connection. */
export function intendedHead(request: WireRequest, origin: string, kept: boolean): string {
  const own = (name: string): string | undefined => request.headers.find(([key]) => key.toLowerCase() === name)?.[1];
  const length = request.body?.byteLength ?? 0;
  const lines = [
    `${request.method} ${request.target} HTTP/1.1`,
    `host: ${own('host') ?? authorityOf(origin)}`,
    `connection: ${kept ? 'keep-alive' : 'close'}`,
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
