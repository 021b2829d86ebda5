/** What a container prints, as an engine sends it: frames of a stream's number, a length and so many bytes. Pure. */

export interface Frames {
  /** The bytes of standard output and of standard error, as far as they are here. */
  add(chunk: Buffer): { readonly out: Buffer; readonly err: Buffer };
}

const headLength = 8;

export function readFrames(): Frames {
  let rest = Buffer.alloc(0);
  let stream = 1;
  let left = 0;
  return {
    add(chunk) {
      const out: Buffer[] = [];
      const err: Buffer[] = [];
      let bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
      while (bytes.length > 0) {
        if (left === 0) {
          if (bytes.length < headLength) break;
          stream = bytes[0]!;
          left = bytes.readUInt32BE(4);
          bytes = bytes.subarray(headLength);
          continue;
        }
        const part = bytes.subarray(0, left);
        (stream === 2 ? err : out).push(part);
        left -= part.length;
        bytes = bytes.subarray(part.length);
      }
      rest = Buffer.from(bytes);
      return { out: Buffer.concat(out), err: Buffer.concat(err) };
    },
  };
}
