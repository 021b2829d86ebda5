/**
 * The heads of ordinary HTTP clients, as data, each as it was recorded from the client itself: a service must not be able to tell a
 * check from any other caller. Each question is asked as one of them, chosen by the seed, and asked again as the same.
 */
import { isObject, type Json } from '../model/json.ts';
import type { Random } from '../random.ts';
import { pick } from '../words.ts';

type Field = readonly [name: string, value: string];

export interface Stack {
  readonly name: string;
  /** What the client writes by itself, beside host, connection and length. */
  readonly fields: readonly Field[];
  /** All lines in their order and case; `*` is where those stand that are not named. Without `Connection`, none is sent. */
  readonly order: readonly string[];
  /** Says the length of no body too: of any request's, or of all but a GET's. */
  readonly saysZero?: 'always' | 'but of a GET';
  /** Writes JSON with a blank after each comma and colon. */
  readonly spaced?: true;
  /** How people use it: with a connection for each call, with one that is kept, or either way. */
  readonly connects: 'anew' | 'kept' | 'either';
  /** The name of the key's header, where the client does not keep the spelling that it is given. */
  readonly keyHeader?: string;
}

/** Codings that are asked for are undone, but `compress`, which one asks for and nobody sends. */
export const stacks: readonly Stack[] = [
  {
    name: 'curl',
    fields: [
      ['User-Agent', 'curl/8.5.0'],
      ['Accept', '*/*'],
    ],
    order: ['Host', 'User-Agent', 'Accept', '*', 'Content-Type', 'Content-Length'],
    connects: 'anew',
  },
  {
    name: 'requests',
    fields: [
      ['User-Agent', 'python-requests/2.34.2'],
      ['Accept-Encoding', 'gzip, deflate'],
      ['Accept', '*/*'],
    ],
    order: ['Host', 'User-Agent', 'Accept-Encoding', 'Accept', 'Connection', '*', 'Content-Length', 'Content-Type'],
    saysZero: 'but of a GET',
    spaced: true,
    connects: 'either',
  },
  {
    name: 'httpx',
    fields: [
      ['Accept', '*/*'],
      ['Accept-Encoding', 'gzip, deflate'],
      ['User-Agent', 'python-httpx/0.28.1'],
    ],
    order: ['Host', 'Accept', 'Accept-Encoding', 'Connection', 'User-Agent', '*', 'Content-Length', 'Content-Type'],
    connects: 'either',
  },
  {
    name: 'go',
    fields: [
      ['User-Agent', 'Go-http-client/1.1'],
      ['Accept-Encoding', 'gzip'],
    ],
    order: ['Host', 'User-Agent', 'Content-Length', 'Content-Type', '*', 'Accept-Encoding'],
    connects: 'kept',
    keyHeader: 'X-Api-Key',
  },
  {
    name: 'axios',
    fields: [
      ['Accept', 'application/json, text/plain, */*'],
      ['User-Agent', 'axios/1.21.1'],
      ['Accept-Encoding', 'gzip, compress, deflate, br'],
    ],
    order: [
      ...['Accept', 'Content-Type', '*', 'User-Agent', 'Content-Length'],
      ...['Accept-Encoding', 'Host', 'Connection'],
    ],
    connects: 'kept',
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
    connects: 'kept',
  },
  {
    name: 'java',
    fields: [['User-Agent', 'Java-http-client/17.0.15']],
    order: ['Content-Length', 'Host', 'User-Agent', 'Content-Type', '*'],
    saysZero: 'always',
    connects: 'kept',
  },
  { name: 'node', fields: [], order: ['*', 'Content-Type', 'Content-Length', 'Host', 'Connection'], connects: 'kept' },
];

/** Of all calls that open a connection, those of clients that do so each time are this much more frequent. */
const moreOften = 8;
const opening = stacks.flatMap((stack) =>
  Array.from({ length: stack.connects === 'kept' ? 1 : moreOften }, () => stack),
);
const keeping = stacks.filter(({ connects }) => connects !== 'anew');

const isVerbatim = ({ keyHeader }: Stack): boolean => keyHeader === undefined;
const verbatim = { opening: opening.filter(isVerbatim), keeping: keeping.filter(isVerbatim) };

/** As which clients a question is asked: on connections of its own, and on one that is kept. */
export interface Clients {
  readonly anew: Stack;
  readonly kept: Stack;
}

/** By a name of what is asked; none where the profile wants to be recognised. */
export type ClientsFor = (name: string) => Clients | undefined;

/** `respelling`: also those that spell the key's header in their own way. */
export function anyClients(random: Random, { respelling }: { readonly respelling: boolean }): Clients {
  const from = respelling ? { opening, keeping } : verbatim;
  return { anew: pick(from.opening, random), kept: pick(from.keeping, random) };
}

/** Those that spell the key's header in their own way. */
export const respellers: readonly Stack[] = stacks.filter((stack) => !isVerbatim(stack));

/** The lines of this request: one that has no body may have a length. */
export const orderOf = ({ order, saysZero }: Stack, method: string, hasBody: boolean): readonly string[] =>
  hasBody || saysZero === undefined || (saysZero !== 'always' && method === 'GET')
    ? order
    : order.map((name) => (name === 'Content-Length' ? 'Content-Length: 0' : name));

/** As the stack writes it. */
export function spelled(value: Json, stack: Stack | undefined): string {
  if (!stack?.spaced) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((each: Json) => spelled(each, stack)).join(', ')}]`;
  if (!isObject(value)) return JSON.stringify(value);
  const members = Object.entries(value).map(([name, each]) => `${JSON.stringify(name)}: ${spelled(each, stack)}`);
  return `{${members.join(', ')}}`;
}

/** What the request or the profile says itself stands. */
export function dressed<Own extends readonly [string, unknown]>(
  stack: Stack | undefined,
  own: readonly Own[],
): readonly (Own | Field)[] {
  if (stack === undefined) return own;
  const said = new Set(own.map(([name]) => name.toLowerCase()));
  return [...own, ...stack.fields.filter(([name]) => !said.has(name.toLowerCase()))];
}
