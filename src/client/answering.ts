/** Puts an answer of the script on the wire, and says what was put there. */
import { type IncomingMessage, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Answer, Compression } from '../model/client.ts';
import type { Failure, Header, RecordedResponse } from '../model/exchange.ts';

export interface Given {
  readonly response?: RecordedResponse;
  readonly failure?: Failure;
}

const brokenAsPlanned: Failure = {
  kind: 'reset-before-head',
  says: 'the counterpart broke the connection, as this situation demands',
};
const cutAsPlanned: Failure = {
  kind: 'closed-in-body',
  says: 'the counterpart closed the connection in the middle of its answer, as this situation demands',
};
/** How much of a large body is enough to recognise it. */
const kept = 4096;

const compress: Readonly<Record<Compression, (plain: Buffer) => Buffer>> = { gzip: gzipSync, br: brotliCompressSync };

/** `*` is taken for gzip only: who writes it has hardly thought of every coding. */
const named: Readonly<Record<Compression, string>> = { gzip: 'gzip|\\*', br: 'br' };

const accepts = (asked: string, coding: Compression): boolean =>
  new RegExp(`(?:^|[\\s,])(?:${named[coding]})(?![\\w-])(?!\\s*;\\s*q=0(?:\\.0*)?(?:\\D|$))`, 'i').test(asked);

export function give(
  response: ServerResponse,
  message: IncomingMessage,
  answer: Answer,
  { keep, acceptsCoding }: { readonly keep: boolean; readonly acceptsCoding: string },
): Given {
  const { socket } = message;
  if (answer.breaks === 'after-request' || answer.breaks === 'before-request') {
    reset(socket);
    return { failure: brokenAsPlanned };
  }
  const coding = answer.compressed?.find((each) => accepts(acceptsCoding, each));
  const plain = typeof answer.body === 'string' ? Buffer.from(answer.body) : answer.body;
  const bytes = coding === undefined ? plain : compress[coding](plain);
  const type = answer.type === undefined ? 'application/json' : answer.type;
  const headers: Header[] = [
    ...(type === null ? [] : [['Content-Type', type] as const]),
    ...(answer.headers ?? []),
    ...(coding === undefined ? [] : [['Content-Encoding', coding] as const, ['Vary', 'Accept-Encoding'] as const]),
    ...(answer.chunked
      ? [['Transfer-Encoding', 'chunked'] as const]
      : [['Content-Length', String(bytes.length)] as const]),
    ['Connection', keep ? 'keep-alive' : 'close'],
  ];
  response.shouldKeepAlive = keep;
  response.writeHead(answer.status, headers.flat());
  const text = plain.subarray(0, kept).toString('utf8');
  const recorded: RecordedResponse = {
    status: answer.status,
    head: [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`,
      ...headers.map(([name, value]) => `${name}: ${value}`),
      '',
      '',
    ].join('\r\n'),
    headers,
    body: {
      text,
      bytes: bytes.length,
      ...(plain.length > kept ? { truncated: true as const } : {}),
      ...(coding === undefined ? {} : { coding }),
    },
  };
  if (answer.breaks === 'in-body') {
    const half = bytes.subarray(0, Math.floor(bytes.length / 2));
    response.write(half, () => socket.destroy());
    return {
      response: { ...recorded, body: { text: half.toString('utf8'), bytes: half.length } },
      failure: cutAsPlanned,
    };
  }
  if (answer.chunked) {
    for (let at = 0; at < bytes.length; at += 37) response.write(bytes.subarray(at, at + 37));
    response.end();
  } else response.end(bytes);
  return { response: recorded };
}

function reset(socket: Socket): void {
  // A connection under TLS has no reset of its own.
  if (typeof socket.resetAndDestroy === 'function' && !('encrypted' in socket)) socket.resetAndDestroy();
  else socket.destroy();
}
