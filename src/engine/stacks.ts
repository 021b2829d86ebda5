/**
 * The heads of ordinary HTTP clients, as data, each as it was recorded from the client itself: a service must not be able to tell a
 * check from any other caller. Each question is asked as one of them, chosen by the seed, and asked again as the same.
 */
import type { Random } from '../random.ts';
import { pick } from '../words.ts';

type Field = readonly [name: string, value: string];

export interface Stack {
  readonly name: string;
  /** What the client writes by itself, beside host, connection and length. */
  readonly fields: readonly Field[];
  /** All lines in their order and case; `*` is where those stand that are not named. Without `Connection`, none is sent. */
  readonly order: readonly string[];
}

/** Codings that are asked for are undone; no stack asks for another one. */
export const stacks: readonly Stack[] = [
  {
    name: 'curl',
    fields: [
      ['User-Agent', 'curl/8.5.0'],
      ['Accept', '*/*'],
    ],
    order: ['Host', 'User-Agent', 'Accept', '*', 'Content-Type', 'Content-Length'],
  },
  {
    name: 'requests',
    fields: [
      ['User-Agent', 'python-requests/2.34.2'],
      ['Accept-Encoding', 'gzip, deflate'],
      ['Accept', '*/*'],
    ],
    order: ['Host', 'User-Agent', 'Accept-Encoding', 'Accept', 'Connection', '*', 'Content-Length', 'Content-Type'],
  },
  {
    name: 'httpx',
    fields: [
      ['Accept', '*/*'],
      ['Accept-Encoding', 'gzip, deflate'],
      ['User-Agent', 'python-httpx/0.28.1'],
    ],
    order: ['Host', 'Accept', 'Accept-Encoding', 'Connection', 'User-Agent', '*', 'Content-Length', 'Content-Type'],
  },
  {
    name: 'go',
    fields: [
      ['User-Agent', 'Go-http-client/1.1'],
      ['Accept-Encoding', 'gzip'],
    ],
    order: ['Host', 'User-Agent', 'Content-Length', 'Content-Type', '*', 'Accept-Encoding'],
  },
  {
    name: 'axios',
    fields: [
      ['Accept', 'application/json, text/plain, */*'],
      ['User-Agent', 'axios/1.21.1'],
      ['Accept-Encoding', 'gzip, deflate, br'],
    ],
    order: [
      ...['Accept', 'Content-Type', '*', 'User-Agent', 'Content-Length'],
      ...['Accept-Encoding', 'Host', 'Connection'],
    ],
  },
  {
    name: 'fetch',
    fields: [
      ['accept', '*/*'],
      ['accept-language', '*'],
      ['sec-fetch-mode', 'cors'],
      ['user-agent', 'node'],
      ['accept-encoding', 'gzip, deflate'],
    ],
    order: [
      ...['host', 'connection', '*', 'Content-Type', 'accept', 'accept-language'],
      ...['sec-fetch-mode', 'user-agent', 'accept-encoding', 'content-length'],
    ],
  },
  {
    name: 'java',
    fields: [['User-Agent', 'Java-http-client/17.0.15']],
    order: ['Content-Length', 'Host', 'User-Agent', 'Content-Type', '*'],
  },
  { name: 'node', fields: [], order: ['*', 'Content-Type', 'Host', 'Connection', 'Content-Length'] },
];

export const anyStack = (random: Random): Stack => pick(stacks, random);

/** What the request or the profile says itself stands. */
export function dressed<Own extends readonly [string, unknown]>(
  stack: Stack | undefined,
  own: readonly Own[],
): readonly (Own | Field)[] {
  if (stack === undefined) return own;
  const said = new Set(own.map(([name]) => name.toLowerCase()));
  return [...own, ...stack.fields.filter(([name]) => !said.has(name.toLowerCase()))];
}
