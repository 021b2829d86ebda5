/**
 * The heads of ordinary HTTP clients, as data: a service must not be able to tell a check from any other caller. Each question is
 * asked as one of them, chosen by the seed, and asked again as the same.
 */
import type { Random } from '../random.ts';
import { pick } from '../words.ts';

type Field = readonly [name: string, value: string];

export interface Stack {
  readonly name: string;
  /** What the client writes by itself, in front of the fields of the request and behind them. */
  readonly before: readonly Field[];
  readonly after: readonly Field[];
}

/** Codings that are asked for are undone; no stack asks for another one. */
export const stacks: readonly Stack[] = [
  {
    name: 'curl',
    before: [
      ['User-Agent', 'curl/8.5.0'],
      ['Accept', '*/*'],
    ],
    after: [],
  },
  {
    name: 'requests',
    before: [
      ['User-Agent', 'python-requests/2.32.3'],
      ['Accept-Encoding', 'gzip, deflate'],
      ['Accept', '*/*'],
    ],
    after: [],
  },
  {
    name: 'httpx',
    before: [
      ['Accept', '*/*'],
      ['Accept-Encoding', 'gzip, deflate'],
      ['User-Agent', 'python-httpx/0.28.1'],
    ],
    after: [],
  },
  { name: 'go', before: [['User-Agent', 'Go-http-client/1.1']], after: [['Accept-Encoding', 'gzip']] },
  {
    name: 'axios',
    before: [['Accept', 'application/json, text/plain, */*']],
    after: [
      ['User-Agent', 'axios/1.7.9'],
      ['Accept-Encoding', 'gzip, deflate, br'],
    ],
  },
  {
    name: 'fetch',
    before: [],
    after: [
      ['accept', '*/*'],
      ['accept-language', '*'],
      ['sec-fetch-mode', 'cors'],
      ['user-agent', 'node'],
      ['accept-encoding', 'gzip, deflate'],
    ],
  },
  { name: 'java', before: [['User-Agent', 'Java-http-client/21.0.5']], after: [] },
  {
    name: 'okhttp',
    before: [],
    after: [
      ['Accept-Encoding', 'gzip'],
      ['User-Agent', 'okhttp/4.12.0'],
    ],
  },
  { name: 'plain', before: [], after: [] },
];

export const anyStack = (random: Random): Stack => pick(stacks, random);

/** What the request or the profile says itself stands. */
export function dressed<Own extends readonly [string, unknown]>(
  stack: Stack | undefined,
  own: readonly Own[],
): readonly (Own | Field)[] {
  if (stack === undefined) return own;
  const said = new Set(own.map(([name]) => name.toLowerCase()));
  const unsaid = (fields: readonly Field[]): readonly Field[] =>
    fields.filter(([name]) => !said.has(name.toLowerCase()));
  return [...unsaid(stack.before), ...own, ...unsaid(stack.after)];
}
