/** Between the service and the engine, in memory: harms some of the answers, each in its own way. */
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Transport, WireOutcome, WireResponse } from '../../src/http/transport.ts';
import { failureKinds } from '../../src/model/exchange.ts';
import { type Random, word } from '../../src/random.ts';
import { harmedBytes } from './bytes.ts';
import { number, one } from './chance.ts';
import { harmedJson } from './json.ts';
import { oddHeaders, oddStatuses } from './odd.ts';

export interface Harming {
  readonly random: Random;
  /** The share of answers that are harmed. */
  readonly share: number;
  /** Once for each harmed answer. */
  readonly count: () => void;
}

export const harming = (inner: Transport, { random, share, count }: Harming): Transport => ({
  async send(request, route, limits) {
    const outcome = await inner.send(request, route, limits);
    if (outcome.response === undefined || random() >= share) return outcome;
    count();
    return random() < 0.08 ? lost(outcome, random) : { ...outcome, response: harmed(outcome.response, random) };
  },
  release: (line) => inner.release(line),
  close: () => inner.close(),
});

/** No answer after all, for any reason that there is a name for; or one that broke off. */
function lost(outcome: WireOutcome, random: Random): WireOutcome {
  const kind = one(random, failureKinds);
  const failure = { kind, says: `it was ${kind}, by chance: ${word(random)}` };
  const { response, ...rest } = outcome;
  if (response === undefined || !/in-body|too-slow|bad-coding/.test(kind)) return { ...rest, failure };
  return { ...outcome, failure, response: { ...response, body: response.body.subarray(0, response.body.length >> 1) } };
}

const coded: readonly (readonly [string, (bytes: Uint8Array) => Uint8Array])[] = [
  ['gzip', (bytes) => gzipSync(bytes)],
  ['br', (bytes) => brotliCompressSync(bytes)],
  ['gzip', (bytes) => gzipSync(bytes).subarray(0, -9)],
  ['gzip, gzip', (bytes) => gzipSync(gzipSync(bytes))],
  ['deflate', (bytes) => gzipSync(bytes)],
];

function harmed(response: WireResponse, random: Random): WireResponse {
  const what = number(random, 10);
  const { status, headers, body } = response;
  if (what === 0) return spoken({ ...response, status: one(random, oddStatuses) });
  if (what === 1) return spoken({ ...response, headers: [...headers, one(random, oddHeaders)] });
  if (what === 2) {
    const at = number(random, headers.length + 1);
    return spoken({ ...response, headers: headers.filter((_, index) => index !== at) });
  }
  if (what === 3) {
    const [name, value] = one(random, oddHeaders);
    return spoken({
      ...response,
      headers: [[name, value], ...headers.filter(([each]) => each.toLowerCase() !== name)],
    });
  }
  if (what === 4) {
    const [coding, code] = one(random, coded);
    return spoken({ ...response, headers: [...headers, ['content-encoding', coding]], body: code(body) });
  }
  if (what === 5)
    return spoken({ status, headers, head: '', body: harmedBytes(body, random), truncated: random() < 0.1 });
  const text = harmedJson(Buffer.from(body).toString('utf8'), random);
  return spoken({ ...response, body: text === undefined ? harmedBytes(body, random) : Buffer.from(text, 'utf8') });
}

/** With the head that such an answer would have had on the wire. */
function spoken(response: WireResponse): WireResponse {
  const headers = response.headers.map(([name, value]): readonly [string, string] =>
    name.toLowerCase() === 'content-length' ? [name, String(response.body.length)] : [name, value],
  );
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return { ...response, headers, head: `HTTP/1.1 ${response.status} \r\n${lines}\r\n` };
}
