/** From what undici and the socket said to one of the ways in which an exchange can fail. Pure. */
import type { Failure, FailureKind } from '../model/exchange.ts';

/** How far the exchange had come. */
export type Phase = 'connecting' | 'waiting' | 'body';

export interface Facts {
  readonly phase: Phase;
  /** The peer had said that it sends no more. */
  readonly ended: boolean;
  /** Below TLS, the connection stood. */
  readonly reached: boolean;
  readonly secure: boolean;
  /** Bytes of an unfinished head. */
  readonly unfinished: number;
  /** The socket's own error, if undici only reports an error of its own. */
  readonly socketError?: unknown;
}

const refused = new Set(['ECONNREFUSED']);
const unresolved = new Set(['ENOTFOUND', 'EAI_AGAIN', 'EAI_FAIL', 'EAI_NODATA', 'EAI_NONAME', 'ENODATA']);
const unreachable = new Set([
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EHOSTDOWN',
  'ENETDOWN',
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
]);
const reset = new Set(['ECONNRESET', 'EPIPE', 'ECONNABORTED', 'ENOTCONN']);
/** The trouble is on this side: no port, no file descriptor, no such address, no permission; or undici would not send it. */
const ours = new Set([
  'EADDRNOTAVAIL',
  'EADDRINUSE',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
  'ENOMEM',
  'EACCES',
  'EPERM',
  'EINVAL',
  'EAFNOSUPPORT',
  'ERR_SOCKET_BAD_PORT',
  'ERR_INVALID_ARG_VALUE',
  'ERR_INVALID_ARG_TYPE',
  'ERR_INVALID_URL',
  'UND_ERR_INVALID_ARG',
  'UND_ERR_NOT_SUPPORTED',
  'UND_ERR_REQ_CONTENT_LENGTH_MISMATCH',
  'UND_ERR_DESTROYED',
  'UND_ERR_CLOSED',
]);
const certificate = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_CRL',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'PATH_LENGTH_EXCEEDED',
  'EPROTO',
]);

const ofTls = (code: string): boolean =>
  certificate.has(code) ||
  /^(CERT_|CRL_|ERR_TLS_|ERR_SSL_|ERROR_IN_C)/.test(code) ||
  code.startsWith('UNABLE_TO_DECODE');

/** Every code that an error carries: its own, its cause's, and those of the attempts it stands for (one for each address). */
export function codesOf(error: unknown, depth = 0): string[] {
  if (typeof error !== 'object' || error === null || depth > 4) return [];
  const { code, errors, cause } = error as { code?: unknown; errors?: unknown; cause?: unknown };
  return [
    ...(typeof code === 'string' ? [code] : []),
    ...(Array.isArray(errors) ? errors.flatMap((each) => codesOf(each, depth + 1)) : []),
    ...codesOf(cause, depth + 1),
  ];
}

/** undici 8 leaves `code` of its HTTPParserError undefined, so only the name identifies it. */
function parserSays(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = codesOf(error).find((each) => each.startsWith('HPE_'));
  if (error.name !== 'HTTPParserError' && code === undefined) return undefined;
  return /\(([^)]*)\)\s*$/.exec(error.message)?.[1] ?? code ?? 'no reason given';
}

const fail = (kind: FailureKind, says: string): Failure => ({ kind, says });

export function failureOf(error: unknown, facts: Facts): Failure {
  const socketCodes = codesOf(facts.socketError);
  const codes = [...codesOf(error), ...socketCodes];
  const first = (set: ReadonlySet<string>): string | undefined => codes.find((each) => set.has(each));
  const tls = codes.find(ofTls);

  if (first(ours)) return fail('not-sent', `it could not be sent: ${reasonOf(error)}`);
  if (first(refused)) return fail('refused', 'nobody listens at this address: the connection was refused');
  const name = first(unresolved);
  if (name) return fail('name-not-resolved', `the host name could not be resolved (${name})`);
  if (tls) return fail('tls', `TLS failed: ${reasonOf(facts.socketError ?? error)} (${tls})`);
  const away = first(unreachable);
  if (away) return fail('unreachable', `the host could not be reached (${away})`);
  if (codes.includes('UND_ERR_HEADERS_OVERFLOW')) {
    return fail('head-too-large', 'the header or trailer fields are larger than Touchstone accepts');
  }
  const cut = socketCodes.find((each) => reset.has(each)) ?? first(reset);
  if (facts.phase === 'connecting') return whileConnecting(facts, cut);
  return facts.phase === 'waiting' ? beforeHead(error, facts, cut, codes) : inBody(error, facts, cut, codes);
}

function whileConnecting(facts: Facts, cut: string | undefined): Failure {
  if (facts.secure && facts.reached) return fail('tls', 'the connection was ended during the TLS handshake');
  if (cut) return fail('reset-before-head', `the connection was reset while it was being opened (${cut})`);
  return fail('unreachable', 'the connection could not be opened');
}

function beforeHead(error: unknown, facts: Facts, cut: string | undefined, codes: readonly string[]): Failure {
  const came = facts.unfinished > 0 ? `after ${facts.unfinished} bytes of a head` : 'before any answer';
  if (cut) return fail('reset-before-head', `the connection was reset ${came} (${cut})`);
  const parser = parserSays(error);
  if (parser && !/EOF/i.test(parser)) return fail('not-http', `the answer is not HTTP/1.x: ${parser}`);
  // undici says this instead of the parser's reason once it has read a Content-Length.
  if (codes.includes('UND_ERR_RES_CONTENT_LENGTH_MISMATCH')) {
    return fail('not-http', 'the answer is not HTTP/1.x: its head does not parse');
  }
  if (isBadResponse(error)) return fail('not-http', 'the answer is not HTTP/1.x: it answers no request');
  return fail('closed-before-head', `the connection was closed ${came}`);
}

function inBody(error: unknown, facts: Facts, cut: string | undefined, codes: readonly string[]): Failure {
  if (cut) return fail('reset-in-body', `the connection was reset before the body was complete (${cut})`);
  const parser = parserSays(error);
  if (parser && !/EOF/i.test(parser)) return fail('not-http', `the body breaks HTTP/1.1: ${parser}`);
  if (!facts.ended && codes.includes('UND_ERR_RES_CONTENT_LENGTH_MISMATCH')) {
    return fail('not-http', 'the body breaks HTTP/1.1: its length is not what Content-Length says');
  }
  return fail('closed-in-body', 'the connection was closed before the body was complete');
}

const isBadResponse = (error: unknown): boolean =>
  error instanceof Error && (error.message === 'bad response' || error.message === 'bad upgrade');

const reasonOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : (codesOf(error)[0] ?? 'for an unknown reason');

export const tooSlow = (timeoutMs: number, phase: Phase): Failure => {
  const stuck = {
    connecting: 'there was no connection',
    waiting: 'no answer had started',
    body: 'the body was not complete',
  };
  return fail('too-slow', `after ${timeoutMs} ms ${stuck[phase]}`);
};

export const interrupted = (why: string): Failure => fail('interrupted', why);

export const headTooLarge = (says: string): Failure => fail('head-too-large', says);

export const notHttp = (says: string): Failure => fail('not-http', says);
