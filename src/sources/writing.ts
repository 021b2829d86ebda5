/** How sources write what they say: its head, and bodies that do not come at once. */
import type { Socket } from 'node:net';
import { systemClock } from '../clock.ts';
import { betweenBitsMs, betweenBlanksMs, bits, blanks, type SourceAnswer } from './registry.ts';
import type { SourceRequest } from './request-reader.ts';

/** The connection ends with it: nothing that was asked meanwhile could be answered in between. */
export function bitByBit(
  socket: Socket,
  { contentType, bitByBit }: Extract<SourceAnswer, { kind: 'page' }>,
  body: Buffer,
  { readsChunks }: SourceRequest,
): void {
  const inChunks = bitByBit === 'in-chunks' && readsChunks;
  const ends = endsOf(body);
  let at = 0;
  const next = (): void => {
    const isFirst = at === 0;
    const bit = body.subarray(at, ends.shift());
    at += bit.length;
    const isLast = ends.length === 0;
    const chunk = Buffer.concat([
      Buffer.from(`${bit.length.toString(16)}\r\n`),
      bit,
      Buffer.from(isLast ? '\r\n0\r\n\r\n' : '\r\n'),
    ]);
    if (isFirst) socket.write(headOf(200, contentType, inChunks ? undefined : body.length, false));
    socket.write(inChunks ? chunk : bit);
    if (isLast) socket.end();
    else systemClock.later(betweenBitsMs, next);
  };
  next();
}

/** Where each bit ends: within letters of several bytes, where there are some, for who reads each bit as a text by itself. */
function endsOf(body: Buffer): number[] {
  const within = [...body.keys()].filter((at) => (body[at]! & 0xc0) === 0x80);
  const size = Math.max(1, Math.ceil(body.length / bits));
  const cuts = within.length < bits - 1 ? [size, 2 * size] : [within[0]!, within.at(-1)!];
  return [...cuts.filter((at) => at < body.length), body.length];
}

export function afterAWhile(socket: Socket, ms: number, bytes: Buffer): void {
  const cancel = systemClock.later(ms, () => socket.off('close', cancel).end(bytes));
  socket.once('close', cancel);
}

/** Until nobody listens any more: who gave it up, or the end of the run, closes the connection. */
export function blankByBlank(socket: Socket): void {
  let left = blanks;
  const next = (): void => {
    if (socket.destroyed || left === 0) return;
    left -= 1;
    if (left === 0) socket.end(' ');
    else socket.write(' ');
    const cancel = systemClock.later(betweenBlanksMs, () => {
      socket.off('close', cancel);
      next();
    });
    socket.once('close', cancel);
  };
  next();
}

const reasons: Readonly<Record<number, string>> = { 200: 'OK', 404: 'Not Found', 500: 'Internal Server Error' };

export const headOf = (
  status: number,
  contentType: string,
  /** If it is not told: in chunks. */
  length: number | undefined,
  keepsAlive: boolean,
  retryAfter?: string,
): Buffer =>
  Buffer.from(
    [
      `HTTP/1.1 ${status} ${reasons[status] ?? 'Status'}`,
      `Content-Type: ${contentType}`,
      length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`,
      'Cache-Control: no-store',
      ...(retryAfter === undefined ? [] : [`Retry-After: ${retryAfter}`]),
      `Connection: ${keepsAlive ? 'keep-alive' : 'close'}`,
      '',
      '',
    ].join('\r\n'),
    'latin1',
  );
