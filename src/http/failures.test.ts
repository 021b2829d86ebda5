import { describe, expect, it } from 'vitest';
import type { FailureKind } from '../model/exchange.ts';
import { codesOf, type Facts, failureOf, type Phase, tooSlow } from './failures.ts';

const coded = (code: string, message = 'it broke', name = 'Error'): Error =>
  Object.assign(new Error(message), { code, name });

const facts = (phase: Phase, part: Partial<Facts> = {}): Facts => ({
  phase,
  ended: false,
  reached: phase !== 'connecting',
  secure: false,
  unfinished: 0,
  ...part,
});

const parser = (reason: string): Error =>
  Object.assign(new Error(`Response does not match the HTTP/1.1 protocol (${reason})`), { name: 'HTTPParserError' });

const both = (...errors: Error[]): Error =>
  Object.assign(new AggregateError(errors), { code: (errors[0] as { code?: string }).code });

const table: [FailureKind, Phase, unknown, Partial<Facts>?][] = [
  ['refused', 'connecting', coded('ECONNREFUSED')],
  ['refused', 'connecting', both(coded('ECONNREFUSED'), coded('ECONNREFUSED'))],
  ['refused', 'connecting', both(coded('ENETUNREACH'), coded('ECONNREFUSED'))],
  ['name-not-resolved', 'connecting', coded('ENOTFOUND')],
  ['name-not-resolved', 'connecting', coded('EAI_AGAIN')],
  ['unreachable', 'connecting', coded('EHOSTUNREACH')],
  ['unreachable', 'connecting', coded('ENETUNREACH')],
  ['unreachable', 'connecting', coded('ETIMEDOUT')],
  ['unreachable', 'connecting', coded('UND_ERR_CONNECT_TIMEOUT')],
  ['unreachable', 'waiting', coded('ETIMEDOUT')],
  ['unreachable', 'connecting', new Error('no code')],
  ['not-sent', 'connecting', coded('EADDRNOTAVAIL')],
  ['not-sent', 'connecting', coded('EMFILE')],
  ['not-sent', 'connecting', coded('UND_ERR_INVALID_ARG')],
  ['not-sent', 'waiting', coded('UND_ERR_REQ_CONTENT_LENGTH_MISMATCH')],
  ['tls', 'connecting', coded('DEPTH_ZERO_SELF_SIGNED_CERT')],
  ['tls', 'connecting', coded('SELF_SIGNED_CERT_IN_CHAIN')],
  ['tls', 'connecting', coded('CERT_HAS_EXPIRED')],
  ['tls', 'connecting', coded('ERR_TLS_CERT_ALTNAME_INVALID')],
  ['tls', 'connecting', coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE')],
  ['tls', 'connecting', coded('ERR_SSL_WRONG_VERSION_NUMBER')],
  ['tls', 'connecting', coded('EPROTO')],
  ['tls', 'connecting', coded('ECONNRESET'), { secure: true, reached: true }],
  ['tls', 'waiting', coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), { secure: true }],
  ['reset-before-head', 'connecting', coded('ECONNRESET')],
  ['reset-before-head', 'waiting', coded('ECONNRESET')],
  ['reset-before-head', 'waiting', coded('EPIPE')],
  ['reset-before-head', 'waiting', coded('UND_ERR_SOCKET'), { socketError: coded('ECONNRESET') }],
  ['closed-before-head', 'waiting', coded('UND_ERR_SOCKET', 'other side closed'), { ended: true }],
  ['closed-before-head', 'waiting', parser('Invalid EOF state'), { ended: true, unfinished: 5 }],
  ['closed-before-head', 'waiting', new Error('no code')],
  ['reset-in-body', 'body', coded('ECONNRESET')],
  ['reset-in-body', 'body', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), { socketError: coded('ECONNRESET') }],
  ['closed-in-body', 'body', coded('UND_ERR_SOCKET', 'other side closed'), { ended: true }],
  ['closed-in-body', 'body', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH'), { ended: true }],
  ['closed-in-body', 'body', parser('Invalid EOF state'), { ended: true }],
  ['not-http', 'waiting', parser('Expected HTTP/')],
  ['not-http', 'waiting', coded('HPE_INVALID_CONSTANT', 'Parse Error')],
  ['not-http', 'waiting', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH')],
  ['not-http', 'waiting', coded('UND_ERR_SOCKET', 'bad upgrade')],
  ['not-http', 'waiting', coded('UND_ERR_SOCKET', 'bad response')],
  ['not-http', 'body', parser('Invalid character in chunk size')],
  ['not-http', 'body', coded('UND_ERR_RES_CONTENT_LENGTH_MISMATCH')],
  ['head-too-large', 'waiting', coded('UND_ERR_HEADERS_OVERFLOW')],
  ['head-too-large', 'body', coded('UND_ERR_HEADERS_OVERFLOW')],
];

describe('failureOf', () => {
  it.each(table)('%s while %s: %s', (kind, phase, error, part) => {
    const failure = failureOf(error, facts(phase, part));
    expect(failure.kind).toBe(kind);
    expect(failure.says.length).toBeGreaterThan(10);
    expect(failure.says).not.toMatch(/undefined|\[object|\n/);
  });

  it('takes anything for an error', () => {
    for (const odd of [undefined, null, 'text', 7, {}, { code: 7, errors: 'x' }]) {
      expect(failureOf(odd, facts('waiting')).kind).toBe('closed-before-head');
    }
  });

  it('follows causes, but not in circles', () => {
    const error: Error & { cause?: unknown } = coded('A');
    error.cause = error;
    expect(codesOf(error).length).toBeLessThan(10);
    expect(codesOf(new Error('outer', { cause: coded('ECONNREFUSED') }))).toEqual(['ECONNREFUSED']);
  });

  it('says at which point the time was over', () => {
    const says = (['connecting', 'waiting', 'body'] as const).map((phase) => tooSlow(5, phase).says);
    expect(new Set(says).size).toBe(3);
  });
});
