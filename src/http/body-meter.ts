/**
 * Counts what comes behind the end of an answer, by what its head says about its length (RFC 9112, section 6.3). undici drops it without
 * a word, and a client that keeps the connection takes it for the next answer. Of the body nothing is looked at but the sizes of chunks.
 */

const lineFeed = 0x0a;
const carriageReturn = 0x0d;

type State = 'unbounded' | 'counted' | 'size' | 'data' | 'data-end' | 'trailer' | 'over';

export class BodyMeter {
  /** Bytes behind the end. Empty lines between messages do not count: RFC 9112 §2.2 passes over them. */
  surplus = 0;
  #state: State;
  /** Of the body, or of the chunk, still to come. */
  #left = 0;
  #line = '';

  constructor(head: string, method: string) {
    const values = (name: string): string[] =>
      [...head.matchAll(new RegExp(`\\r\\n${name}[ \\t]*:([^\\r\\n]*)`, 'gi'))].map(([, value = '']) => value.trim());
    const status = Number(head.slice(9, 12));
    const coding = values('transfer-encoding').join();
    const [length, ...others] = new Set(values('content-length'));
    if (method === 'HEAD' || status === 204 || status === 304) this.#state = 'over';
    else if (/(?:^|[,\s])chunked$/i.test(coding)) this.#state = 'size';
    else if (coding === '' && length !== undefined && others.length === 0 && /^\d{1,15}$/.test(length)) {
      this.#left = Number(length);
      this.#state = this.#left === 0 ? 'over' : 'counted';
    } else this.#state = 'unbounded';
  }

  take(bytes: Uint8Array): void {
    if (this.#state === 'unbounded') return;
    for (let at = 0; at < bytes.length; ) at = this.#step(bytes, at);
  }

  /** Where to go on. */
  #step(bytes: Uint8Array, at: number): number {
    switch (this.#state) {
      case 'counted':
      case 'data': {
        const taken = Math.min(this.#left, bytes.length - at);
        this.#left -= taken;
        if (this.#left === 0) this.#state = this.#state === 'counted' ? 'over' : 'data-end';
        return at + taken;
      }
      case 'over': {
        const byte = bytes[at]!;
        if (byte !== lineFeed && byte !== carriageReturn) this.surplus += 1;
        return at + 1;
      }
      default:
        return this.#readLine(bytes, at);
    }
  }

  #readLine(bytes: Uint8Array, at: number): number {
    const end = bytes.indexOf(lineFeed, at);
    const until = end < 0 ? bytes.length : end;
    // No line of these is long, but for what somebody makes long.
    if (this.#line.length < 64) this.#line += Buffer.from(bytes.subarray(at, until)).toString('latin1').slice(0, 64);
    if (end < 0) return bytes.length;
    const line = this.#line.trim();
    this.#line = '';
    if (this.#state === 'size') {
      this.#left = /^[0-9a-f]{1,12}(?:$|[\s;])/i.test(line) ? Number.parseInt(line, 16) : Number.NaN;
      this.#state = Number.isNaN(this.#left) ? 'unbounded' : this.#left === 0 ? 'trailer' : 'data';
    } else if (this.#state === 'data-end') this.#state = 'size';
    else if (this.#state === 'trailer' && line === '') this.#state = 'over';
    return this.#state === 'unbounded' ? bytes.length : end + 1;
  }
}
