import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { Secret } from '../model/secret.ts';
import { Keyring } from '../secrets/keyring.ts';
import { readFrames } from './frames.ts';
import { collect, shown, withOutput } from './output.ts';

const keyring = new Keyring();
keyring.register(new Secret('main', 'vk_live_0123456789abcdefghij'));

const frame = (stream: number, text: string): Buffer => {
  const head = Buffer.alloc(8);
  head[0] = stream;
  head.writeUInt32BE(Buffer.byteLength(text), 4);
  return Buffer.concat([head, Buffer.from(text)]);
};

test('frames are read however they are cut', () => {
  const bytes = Buffer.concat([frame(1, 'out one '), frame(2, 'err'), frame(1, ''), frame(1, 'out two')]);
  for (let size = 1; size <= bytes.length; size += 1) {
    const frames = readFrames();
    let [out, err] = ['', ''];
    for (let at = 0; at < bytes.length; at += size) {
      const read = frames.add(bytes.subarray(at, at + size));
      out += read.out.toString();
      err += read.err.toString();
    }
    expect([out, err]).toEqual(['out one out two', 'err']);
  }
});

test('a secret is found however the stream cuts it, and in what is left of a long output', async () => {
  const stream = new PassThrough();
  const output = collect([stream], keyring);
  for (const part of [
    'key vk_live_01234',
    '56789abcdefghij\n',
    'x'.repeat(200_000),
    '\nkey vk_live_0123456789abcdef',
    'ghij end\n',
  ])
    stream.write(part);
  await new Promise((resolve) => setImmediate(resolve));
  expect(output.last()).not.toContain('0123456789abcdef');
  expect(output.last()).toContain('«main» end');
});

test('lines are reported whole, as far as they have arrived', async () => {
  const stream = new PassThrough();
  const lines: string[] = [];
  const done = collect([stream], keyring).onLine((line) => lines.push(line));
  for (const part of ['on', 'e\r\ntwo\nthr', 'ee']) stream.write(part);
  await new Promise((resolve) => setImmediate(resolve));
  expect(lines).toEqual(expect.arrayContaining(['one', 'two', 'three']));
  done();
});

test('what commands a terminal is taken out, long lines are cut, and nothing is said to be nothing', () => {
  expect(shown('\u001b[2J\u001b]0;x\u0007a\u0007b\u0000c\n', false, keyring)).toBe('  | abc');
  expect(shown('y'.repeat(1000), false, keyring)).toBe(`  | ${'y'.repeat(400)}…`);
  expect(withOutput('it ended', shown(' \n\n', false, keyring))).toBe('it ended; it wrote nothing');
});
