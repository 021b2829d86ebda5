/** Bytes, harmed: flipped, cut, put in, said twice, moved. */
import type { Random } from '../../src/random.ts';
import { bytes, few, number, one } from './chance.ts';
import { oddBytes } from './odd.ts';

type Harm = (given: Buffer, random: Random) => Buffer;

const splice = (given: Buffer, from: number, to: number, put: Uint8Array): Buffer =>
  Buffer.concat([given.subarray(0, from), put, given.subarray(to)]);

const harms: readonly Harm[] = [
  (given, random) => {
    const flipped = Buffer.from(given);
    for (let times = few(random, 8); times > 0 && flipped.length > 0; times -= 1) {
      const at = number(random, flipped.length);
      flipped[at] = flipped[at]! ^ (1 << number(random, 8));
    }
    return flipped;
  },
  (given, random) => given.subarray(0, number(random, given.length + 1)),
  (given, random) => {
    const at = number(random, given.length + 1);
    return splice(given, at, at + few(random, 40), new Uint8Array());
  },
  (given, random) => {
    const at = number(random, given.length + 1);
    return splice(given, at, at, bytes(random, few(random, 64)));
  },
  (given, random) => {
    const at = number(random, given.length + 1);
    return splice(given, at, at, Buffer.from(one(random, oddBytes), 'latin1'));
  },
  // At the beginning of a line it is likely to mean something.
  (given, random) => {
    const text = given.toString('latin1');
    const starts = [...text.matchAll(/\r\n/g)].map(({ index }) => index + 2);
    const at = starts.length === 0 ? 0 : one(random, starts);
    return splice(given, at, at, Buffer.from(one(random, oddBytes), 'latin1'));
  },
  (given, random) => {
    const from = number(random, given.length + 1);
    const to = Math.min(given.length, from + few(random, 200));
    return splice(given, to, to, given.subarray(from, to));
  },
  (given, random) => {
    const lines = given.toString('latin1').split('\r\n');
    const moved = lines.splice(number(random, lines.length), 1);
    lines.splice(number(random, lines.length + 1), 0, ...moved);
    return Buffer.from(lines.join('\r\n'), 'latin1');
  },
];

export function harmedBytes(given: Uint8Array, random: Random): Buffer {
  let result: Buffer = Buffer.from(given);
  for (let times = few(random, 3); times > 0; times -= 1) result = one(random, harms)(result, random);
  return result;
}
