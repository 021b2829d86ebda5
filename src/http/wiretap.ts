/**
 * Listens in on one socket: which head was written to it, which was read from it, how it ended. undici 8 offers no such thing (its
 * diagnostics channel leaves the length out and is global to the process), so `write` and `push` of the socket are covered.
 */
import type { Socket } from 'node:net';
import { type HeadListener, HeadReader } from './head-reader.ts';
import { type Manner, mannered } from './ordered-head.ts';

export class Wiretap {
  /** Exchanges that were begun on this connection. */
  uses = 0;
  /** The head of the request that was written last. */
  sent: string | undefined;
  /** The peer has said that it sends no more. */
  ended = false;
  /** What the operating system said, which undici sometimes covers. */
  error: Error | undefined;
  readonly reader = new HeadReader();
  readonly socket: Socket;
  #expectsHead = false;
  #manner: Manner = { headers: [] };

  constructor(socket: Socket) {
    this.socket = socket;
    const { write, push } = socket;
    socket.write = ((chunk: string | Uint8Array, ...rest: []) => {
      // undici writes a head as one string, a body as bytes. The string is kept, not copied.
      if (this.#expectsHead && typeof chunk === 'string') {
        const head = mannered(chunk, this.#manner);
        this.sent = head;
        this.#expectsHead = false;
        return write.call(socket, head, ...rest);
      }
      return write.call(socket, chunk, ...rest);
    }) as Socket['write'];
    socket.push = (chunk: Buffer | null, encoding?: BufferEncoding) => {
      if (chunk === null) {
        this.ended = true;
        const rest = this.reader.flush();
        if (rest !== undefined) push.call(socket, rest);
        return push.call(socket, null);
      }
      const passed = this.reader.take(chunk);
      return passed === undefined || push.call(socket, passed, encoding);
    };
    // Before undici's own, so that the fact is here when undici draws its conclusions.
    socket.prependListener('error', (error) => {
      this.error ??= error;
    });
  }

  /** The next head that is written, and the next that comes, belong to this exchange. */
  begin(listener: HeadListener, manner: Manner): void {
    this.uses += 1;
    this.sent = undefined;
    this.#expectsHead = true;
    this.#manner = manner;
    this.reader.begin(listener);
  }
}
