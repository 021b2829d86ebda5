/** One request and its answer, or how it failed, as the recorder wrote it down: secrets are names already. */
import type { Json } from './json.ts';
import { readJson } from './json-text.ts';

export type Header = readonly [name: string, value: string];

export interface Body {
  /** Present when the bytes are UTF-8; after undoing the content coding, where there was one. */
  readonly text?: string;
  readonly base64?: string;
  /** What was received, before anything was cut or decoded. */
  readonly bytes: number;
  readonly truncated?: true;
  /** The content coding that was undone: gzip, deflate or br. */
  readonly coding?: string;
}

/** Every way in which an exchange can fail has a name. */
export const failureKinds = [
  'refused',
  'name-not-resolved',
  'unreachable',
  'tls',
  'reset-before-head',
  'reset-in-body',
  'closed-before-head',
  'closed-in-body',
  'too-slow',
  'not-http',
  'head-too-large',
  'bad-coding',
  'unread-coding',
  'interrupted',
  'not-sent',
] as const;

export type FailureKind = (typeof failureKinds)[number];

export interface Failure {
  readonly kind: FailureKind;
  /** One sentence for a person, without secrets. */
  readonly says: string;
}

export interface RecordedRequest {
  readonly method: string;
  readonly target: string;
  /** The bytes of the head as sent (latin1), order and case kept. */
  readonly head: string;
  readonly headers: readonly Header[];
  readonly body?: Body;
}

export interface RecordedResponse {
  readonly status: number;
  readonly head: string;
  readonly headers: readonly Header[];
  readonly body: Body;
  /** The heads of informational answers (1xx) before it. */
  readonly early?: string;
  /** Bytes that came behind its end, before anything else was asked on the connection. */
  readonly surplus?: number;
}

/** Why it was sent. Rules that look at all of a run's exchanges (sweeps) look at every purpose but `setup`'s waits. */
export type Purpose = 'ask' | 'twin' | 'prelude' | 'company' | 'probe' | 'setup' | 'cleanup';

export interface Planted {
  readonly nonce?: string;
  readonly sources: readonly { readonly slot: string; readonly token: string; readonly behaviour: string }[];
}

export interface Exchange {
  readonly id: number;
  readonly purpose: Purpose;
  /** Which instance answered: `main`, or `disabled` for the one without an admin token. */
  readonly instance: 'main' | 'disabled';
  readonly request: RecordedRequest;
  readonly response?: RecordedResponse;
  readonly failure?: Failure;
  /** Milliseconds since the run began, by the monotonic clock. */
  readonly at: { readonly sent: number; readonly connected?: number; readonly head?: number; readonly end: number };
  readonly connection: { readonly number: number; readonly use: number; readonly localAddress?: string };
  /** What the request's body planted: the nonce and the source addresses that belong to this exchange alone. */
  readonly planted?: Planted;
  /** Earlier attempts at the same exchange (answered 429, or lost on a connection that the target had closed). */
  readonly earlier?: readonly number[];
  /** What Touchstone, which stood between, did to it: the name of a situation, or why it answered by itself. Nothing of it is the service's. */
  readonly injected?: string;
  /** How long Touchstone waited before this attempt because of a Retry-After. */
  readonly waitedMs?: number;
}

export const isExchange = (value: unknown): value is Exchange =>
  typeof value === 'object' && value !== null && 'request' in value && 'purpose' in value && 'at' in value;

export const asksWith = ({ request }: Exchange, header: string): boolean =>
  request.headers.some(([name]) => name.toLowerCase() === header);

/** The key that a request presents, as the record names it; empty for none. */
export const presentedKey = ({ request }: Exchange): string =>
  request.headers.find(([name]) => name.toLowerCase() === 'x-api-key')?.[1] ?? '';

/** All values of a header, in order, by a name in any case. */
export function headerValues(exchange: Exchange, name: string): string[] {
  const wanted = name.toLowerCase();
  return (exchange.response?.headers ?? []).filter(([key]) => key.toLowerCase() === wanted).map(([, value]) => value);
}

export const statusOf = (exchange: Exchange): number | undefined => exchange.response?.status;

export const succeeded = (exchange: Exchange): boolean => {
  const status = statusOf(exchange);
  return status !== undefined && status >= 200 && status < 300;
};

export type Parsed = { readonly ok: true; readonly value: Json } | { readonly ok: false; readonly why: string };

const parsed = new WeakMap<Exchange, Parsed>();
const keptParsed = 16 * 1024;

/** The response body as JSON. A byte order mark is passed over, as RFC 8259 §8.1 allows a reader to do. */
export function jsonOf(exchange: Exchange): Parsed {
  let result = parsed.get(exchange);
  if (result === undefined) {
    result = parse(exchange);
    // What is large is parsed again: kept, it would fill several times the memory of its text.
    if ((exchange.response?.body.text?.length ?? 0) <= keptParsed) parsed.set(exchange, result);
  }
  return result;
}

function parse(exchange: Exchange): Parsed {
  const body = exchange.response?.body;
  if (body === undefined) return { ok: false, why: 'there was no answer' };
  if (exchange.failure?.kind === 'bad-coding' || exchange.failure?.kind === 'unread-coding')
    return { ok: false, why: exchange.failure.says };
  if (body.truncated) return { ok: false, why: `Touchstone cut off the body after ${body.bytes} bytes` };
  if (body.text === undefined) return { ok: false, why: 'the body is not UTF-8' };
  if (body.text.trim() === '') return { ok: false, why: 'the body is empty' };
  try {
    return { ok: true, value: readJson(body.text.charCodeAt(0) === 0xfeff ? body.text.slice(1) : body.text) };
  } catch (error) {
    return { ok: false, why: error instanceof Error ? error.message : 'it does not parse' };
  }
}

/** A member of the body when that is a JSON object; undefined otherwise. */
export function member(exchange: Exchange, name: string): Json | undefined {
  const body = jsonOf(exchange);
  if (!body.ok || typeof body.value !== 'object' || body.value === null || Array.isArray(body.value)) return undefined;
  const object = body.value as { readonly [key: string]: Json };
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Sent in HTTP/1.0, which no specification demands of anybody. */
export const isOfOldVersion = ({ request: { head } }: Exchange): boolean => /^[^\r\n]* HTTP\/1\.0(?:\r\n|$)/.test(head);
