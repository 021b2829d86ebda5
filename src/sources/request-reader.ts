/** Just enough of HTTP/1.x to find the requested source. Pure and bounded. */

export interface SourceRequest {
  readonly method: string;
  readonly target: string;
  /** The connection may carry another request after this one. */
  readonly keepsAlive: boolean;
  /** Its sender reads bodies in chunks. */
  readonly readsChunks: boolean;
}

export type Read =
  /** `line`: the request line is here, if the rest of the head is not. */
  | { readonly kind: 'more'; readonly line?: Pick<SourceRequest, 'method' | 'target'> }
  | { readonly kind: 'request'; readonly request: SourceRequest; readonly rest: string }
  | { readonly kind: 'nonsense' };

export const mostHead = 32 * 1024;

const requestLine = /^([A-Za-z]+) (\S+) HTTP\/1\.([01])$/;

/** `text`: what arrived on the connection since the last request, as latin1. */
export function readRequest(text: string): Read {
  // Tolerant where it costs nothing: empty lines before the request, bare line feeds.
  const from = /^[\r\n]*/.exec(text)?.[0].length ?? 0;
  const lineEnd = text.indexOf('\n', from);
  if (lineEnd < 0) return text.length > mostHead ? { kind: 'nonsense' } : { kind: 'more' };
  const line = requestLine.exec(text.slice(from, lineEnd).replace(/\r$/, ''));
  if (line === null) return { kind: 'nonsense' };
  const [, method = '', target = '', minor = ''] = line;
  const end = /\n\r?\n/.exec(text.slice(lineEnd));
  if (end === null) return text.length > mostHead ? { kind: 'nonsense' } : { kind: 'more', line: { method, target } };
  const headEnd = lineEnd + end.index + end[0].length;
  const head = text.slice(lineEnd, headEnd).toLowerCase();
  // A body would have to be read before the next request. Nobody sends one to a source in earnest: close instead.
  const hasBody = /\ncontent-length:[ \t]*[1-9]|\ntransfer-encoding:/.test(head);
  const closes = /\nconnection:[^\n]*\bclose\b/.test(head);
  const keepsAlive = minor === '1' && !hasBody && !closes;
  return {
    kind: 'request',
    request: { method, target, keepsAlive, readsChunks: minor === '1' },
    rest: text.slice(headEnd),
  };
}
