/**
 * Reads the head of each response off the bytes that arrive on a connection, before undici sees them. It keeps the head as
 * evidence, and it passes over informational answers, which undici 8 takes badly: an unasked `100 Continue` makes it drop the
 * connection, although RFC 9110 §15.2 requires a client to accept it. Nothing of a body is copied.
 */
import { endOfHead, headLimit } from './head.ts';

/** Informational answers of one exchange, all together. Thousands of `103` fit. */
export const informationalLimit = 1024 * 1024;

export interface HeadListener {
  onStatusLine(): void;
  /** With the empty line that ends it. Called before the bytes go on to undici. */
  onHead(head: string): void;
  onTooLarge(says: string): void;
  /** An informational answer before it, as it came. */
  onInformational(head: string): void;
  /** What comes behind the head. */
  onBody(bytes: Uint8Array): void;
}

/** `HTTP/1.1 101` is enough to recognise the start of an answer. */
const enoughToTell = 12;
const start = Buffer.from('HTTP/1.', 'latin1');
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const one = 0x31;
const zero = 0x30;

type State = 'through' | 'opening' | 'informational' | 'final';

export class HeadReader {
  #state: State = 'through';
  #listener: HeadListener | undefined;
  /** Bytes held back until they show what they begin. */
  #undecided: Buffer | undefined;
  /** Where a head is put together that comes in pieces. Made at need, kept for the connection. */
  #spare: Buffer | undefined;
  #held = 0;
  #sawLine = false;
  #informational = 0;

  /** A request goes out: what comes next is its answer. */
  begin(listener: HeadListener): void {
    this.#state = 'opening';
    this.#listener = listener;
    this.#undecided = undefined;
    this.#held = 0;
    this.#sawLine = false;
    this.#informational = 0;
  }

  /** How much of an unfinished head is here. */
  get unfinished(): number {
    return this.#state === 'through' ? 0 : this.#held + (this.#undecided?.length ?? 0);
  }

  /** What of these bytes is to be passed on; undefined when none. */
  take(chunk: Buffer): Buffer | undefined {
    let rest: Buffer | undefined = chunk;
    while (rest !== undefined) {
      switch (this.#state) {
        case 'through':
          this.#listener?.onBody(rest);
          return rest;
        case 'opening':
          rest = this.#open(rest);
          break;
        case 'informational':
          rest = this.#passOver(rest);
          break;
        case 'final':
          this.#read(rest);
          return rest;
      }
    }
    return undefined;
  }

  /** The peer has ended: what was held back goes on, so that undici can say what it thinks of it. */
  flush(): Buffer | undefined {
    const rest = this.#undecided;
    this.#undecided = undefined;
    return rest;
  }

  #open(bytes: Buffer): Buffer | undefined {
    let all = this.#undecided === undefined ? bytes : Buffer.concat([this.#undecided, bytes]);
    this.#undecided = undefined;
    // RFC 9112 §2.2 lets empty lines stand before a message.
    let blank = 0;
    while (all[blank] === carriageReturn || all[blank] === lineFeed) blank += 1;
    if (blank > 0) all = all.subarray(blank);
    if (all.length === 0) return undefined;
    const compared = Math.min(all.length, start.length);
    const begins = all.compare(start, 0, compared, 0, compared) === 0;
    if (begins && all.length < enoughToTell) {
      this.#undecided = all;
      return undefined;
    }
    this.#state = begins && isPassedOver(all) ? 'informational' : 'final';
    return all;
  }

  #passOver(bytes: Buffer): Buffer | undefined {
    const fromSpare = this.#held > 0;
    const used = this.#collect(bytes);
    if (used >= 0)
      this.#listener?.onInformational(
        fromSpare ? this.#spare!.toString('latin1', 0, this.#spareEnd) : bytes.toString('latin1', 0, used),
      );
    this.#informational += used < 0 ? bytes.length : used;
    if (this.#informational > informationalLimit) return this.#refuse('informational answers did not end');
    if (used < 0) return undefined;
    this.#state = 'opening';
    return used < bytes.length ? bytes.subarray(used) : undefined;
  }

  #read(bytes: Buffer): void {
    if (!this.#sawLine && bytes.includes(lineFeed)) {
      this.#sawLine = true;
      this.#listener?.onStatusLine();
    }
    const fromSpare = this.#held > 0;
    const used = this.#collect(bytes);
    if (used < 0) return;
    const head = fromSpare ? this.#spare!.toString('latin1', 0, this.#spareEnd) : bytes.toString('latin1', 0, used);
    this.#state = 'through';
    this.#listener?.onHead(head);
    if (!fromSpare) moveSpace(bytes, head);
    if (used < bytes.length) this.#listener?.onBody(bytes.subarray(used));
  }

  #spareEnd = 0;

  /** How many of these bytes still belong to the head; -1 while its end is to come. */
  #collect(bytes: Buffer): number {
    if (this.#held === 0) {
      const end = endOfHead(bytes);
      if (end >= 0 && end <= headLimit) return end;
    }
    this.#spare ??= Buffer.allocUnsafe(headLimit);
    const before = this.#held;
    this.#held += bytes.copy(this.#spare, before);
    const end = endOfHead(this.#spare.subarray(0, this.#held), Math.max(0, before - 3));
    if (end >= 0) {
      this.#held = 0;
      this.#spareEnd = end;
      return end - before;
    }
    if (this.#held >= headLimit) this.#refuse(`the head of the answer is larger than ${headLimit} bytes`);
    return -1;
  }

  #refuse(says: string): undefined {
    this.#state = 'through';
    this.#listener?.onTooLarge(says);
    return undefined;
  }
}

/**
 * undici 8 takes blanks behind a length for digits, and its parser refuses tabs there. RFC 9112 §5.1 allows white space on both sides
 * of a value: that behind it goes in front, where both read it.
 */
function moveSpace(bytes: Buffer, head: string): void {
  const spaced = /\r\n((?:content-length|transfer-encoding):)([^\r\n]*[^\r\n\t ])([\t ]+)(?=\r\n)/gi;
  for (const { index, 1: name, 2: value, 3: white } of head.matchAll(spaced))
    bytes.write(`${name}${white}${value}`, index + 2, 'latin1');
}

/** Any 1xx but 101, which is the last word in this protocol. */
function isPassedOver(bytes: Buffer): boolean {
  return bytes[8] === space && bytes[9] === one && !(bytes[10] === zero && bytes[11] === one);
}
