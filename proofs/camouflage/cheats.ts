/**
 * Services that are lawful for the harness that they think they recognise, by what gave it away once, and broken for everybody else.
 * A check meets what everybody meets, or finds that the first callers were treated otherwise.
 */
import type { Transport, WireOutcome, WireRequest, WireResponse } from '../../src/http/transport.ts';
import { matrixKeys } from '../matrix/try-on.ts';

interface Called {
  readonly request: WireRequest;
  readonly outcome: WireOutcome;
  /** The how-manieth request of all. */
  readonly count: number;
  /** What was asked first of all. */
  readonly opening: string;
}

export interface Cheat {
  readonly name: string;
  readonly recognises: (called: Called) => boolean;
  /** The answer to a caller that was not recognised. */
  readonly does?: 'surprises' | 'accepts';
  readonly repeat?: number;
  /** Chance decides for one seed: found in most of five. */
  readonly seeds?: readonly number[];
}

const has = ({ outcome }: Called, pattern: RegExp): boolean => pattern.test(outcome.requestHead);
const bodyOf = ({ request }: Called): string => Buffer.from(request.body ?? []).toString('utf8');
const keyOf = ({ request }: Called): string => request.headers.find(([name]) => /^x-api-key$/i.test(name))?.[1] ?? '';
const real = Object.values(matrixKeys).map(({ key }) => key);

export const cheats: readonly Cheat[] = [
  { name: 'by User-Agent', recognises: (c) => !has(c, /^user-agent:/im) },
  { name: 'by header order', recognises: (c) => has(c, /^\S+ \S+ HTTP\/1\.1\r\nhost: [^\r]*\r\nconnection:/i) },
  { name: 'by case', recognises: (c) => has(c, /^host:/m) && !has(c, /^(Host|Connection|Content-Length):/m) },
  { name: 'by count: bad after 20,000 requests', recognises: ({ count }) => count <= 20_000, repeat: 8 },
  { name: 'by nonce form', recognises: (c) => !/"message"/.test(bodyOf(c)) || /\bn[0-9a-z]{12}\b/.test(bodyOf(c)) },
  {
    name: 'by invented names',
    recognises: (c) => c.outcome.response?.status !== 404 || /no-such/.test(c.request.target),
    does: 'accepts',
  },
  {
    name: 'by near-miss shape',
    recognises: (c) => c.outcome.response?.status !== 401 || real.some((key) => keyOf(c).startsWith(key.slice(0, -2))),
    does: 'accepts',
  },
  {
    name: 'by source path',
    recognises: (c) => !/"urls"/.test(bodyOf(c)) || /\/(touchstone|source)s?\//.test(bodyOf(c)),
  },
  {
    name: 'by long words in the addresses of sources',
    recognises: (c) => !/"urls"/.test(bodyOf(c)) || /[0-9a-z]{12,}/.test(bodyOf(c)),
  },
  {
    name: 'by words with digits',
    recognises: (c) => !/"message"/.test(bodyOf(c)) || /[a-z]\d/.test(bodyOf(c)),
  },
  {
    name: 'by opening sequence',
    recognises: ({ opening }) => opening === 'GET /v1/auth/verify with a key',
    seeds: [1, 2, 3, 4, 5],
  },
  { name: 'by connection pattern', recognises: (c) => has(c, /^connection: close/im) },
];

/** What stands before the reference. */
export function cheating(cheat: Cheat): (inner: Transport) => Transport {
  let count = 0;
  let opening: string | undefined;
  return (inner) => ({
    release: (line) => inner.release(line),
    close: () => inner.close(),
    async send(request, route, limits) {
      count += 1;
      const isKeyed = request.headers.some(([name]) => /^x-api-key$/i.test(name));
      opening ??= `${request.method} ${request.target} ${isKeyed ? 'with' : 'without'} a key`;
      const own = count;
      const outcome = await inner.send(request, route, limits);
      if (outcome.response === undefined || cheat.recognises({ request, outcome, count: own, opening })) return outcome;
      return { ...outcome, response: otherwise(outcome.response, cheat.does) };
    },
  });
}

function otherwise(response: WireResponse, does: Cheat['does'] = 'surprises'): WireResponse {
  const body = Buffer.from(does === 'accepts' ? '{"valid":true,"tier":"pro"}' : '{"surprise":true}');
  const status = does === 'accepts' ? 200 : response.status;
  const headers = [['Content-Type', 'application/json']] as const;
  const head = `HTTP/1.1 ${status} \r\nContent-Type: application/json\r\ncontent-length: ${body.length}\r\n\r\n`;
  return { status, head, headers, body, truncated: false };
}
