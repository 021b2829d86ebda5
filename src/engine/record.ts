/** Pure pieces of the record: how heads, bodies and times are written down. */
import { isUtf8 } from 'node:buffer';
import { isTooMuch } from '../http/appetite.ts';
import type { Decoded } from '../http/decode.ts';
import type { WireOutcome, WireResponse } from '../http/transport.ts';
import type { Body, Exchange, RecordedRequest, RecordedResponse } from '../model/exchange.ts';
import { headersOf, lean } from '../model/headers.ts';

/** Request bodies longer than this are cut in the record; nobody judges them. */
const requestBodyKept = 32_768;

/** Of an answer that was cut off a beginning is enough to see what it was: nobody judges it. */
const cutOffKept = 4096;

const longestSecret = 4096;

type Redact = (text: string) => string;

export function recordRequest(
  method: string,
  head: string,
  body: Uint8Array | undefined,
  redact: Redact,
): RecordedRequest {
  const shown = readable(redact(head));
  return {
    method,
    target: shown.slice(method.length + 1, shown.lastIndexOf(' HTTP/1.', shown.indexOf('\r\n'))),
    head: shown,
    headers: headersOf(shown),
    ...(body === undefined ? {} : { body: recordBody(body, body.length, false, redact, undefined, requestBodyKept) }),
  };
}

export function recordResponse(wire: WireResponse, decoded: Decoded, redact: Redact): RecordedResponse {
  const head = readable(redact(wire.head));
  const cut = wire.truncated || decoded.truncated || isTooMuch(decoded.bytes);
  const keep = cut ? cutOffKept : Number.POSITIVE_INFINITY;
  return lean({
    status: wire.status,
    head,
    headers: headersOf(head),
    body: recordBody(decoded.bytes, wire.body.length, cut, redact, decoded.coding, keep),
    ...(wire.early === undefined ? {} : { early: readable(redact(wire.early)) }),
    ...(wire.surplus === undefined ? {} : { surplus: wire.surplus }),
  });
}

/** Whole seconds as the specification says; whatever else stands there counts as absent, which means 2 seconds. */
export function pauseAskedFor(exchange: Exchange): number {
  const value = exchange.response?.headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1];
  const [, digits] = /^0*([0-9]{1,9})$/.exec(value ?? '') ?? [];
  return digits === undefined ? 2000 : Math.max(Number(digits) * 1000, 50);
}

export const lostOnKept = (exchange: Exchange): boolean =>
  exchange.connection.use > 1 &&
  (exchange.response === undefined
    ? exchange.failure?.kind === 'reset-before-head' || exchange.failure?.kind === 'closed-before-head'
    : saidIdle(exchange));

/**
 * Sent before the request had come: the service had waited for one long enough (RFC 9110, section 15.5.9). Not every server says that
 * it closes. One that means this request says so on a new connection too.
 */
const saidIdle = ({ response }: Exchange): boolean => response?.status === 408;

/** Names of secrets are in the latin1 text as UTF-8 bytes; people read UTF-8. */
export const readable = (text: string): string => {
  const bytes = Buffer.from(text, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : text;
};

function recordBody(
  bytes: Uint8Array,
  wireBytes: number,
  truncated: boolean,
  redact: Redact,
  coding?: string,
  keep = Number.POSITIVE_INFINITY,
): Body {
  // Beyond what is kept only as much is looked at as a secret that begins before the cut may be long.
  const looked = Math.min(bytes.length, keep + longestSecret);
  const whole = redact(Buffer.from(bytes.buffer, bytes.byteOffset, looked).toString('latin1'));
  const redacted = Buffer.from(whole.length > keep ? whole.slice(0, keep) : whole, 'latin1');
  return {
    ...(isUtf8(redacted) ? { text: redacted.toString('utf8') } : { base64: redacted.toString('base64') }),
    bytes: wireBytes,
    ...(truncated || whole.length > keep ? { truncated: true as const } : {}),
    ...(coding === undefined ? {} : { coding }),
  };
}

const toMicros = (ms: number): number => Math.round(ms * 1000) / 1000;

export const sinceBegin = (at: WireOutcome['at'], began: number): Exchange['at'] => ({
  sent: toMicros(at.sent - began),
  ...(at.connected === undefined ? {} : { connected: toMicros(at.connected - began) }),
  ...(at.head === undefined ? {} : { head: toMicros(at.head - began) }),
  end: toMicros(at.end - began),
});
