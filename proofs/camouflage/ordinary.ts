/**
 * Ordinary callers of the reference: jobs of a few calls each, in the heads and over the connections that recorded.json has of real
 * clients, with inputs of their own. Nothing here knows how a check writes a request.
 */
import { type Random, shuffled } from '../../src/random.ts';
import { anyWord, digits, pick } from '../../src/words.ts';
import type { Seen } from './features.ts';
import { adminToken, apiKey, type Call, type RecordedClient } from './recorded.ts';

/** The request, independent of the client. */
export interface Intent {
  readonly method: string;
  readonly target: string;
  readonly key: string | undefined;
  readonly token: string | undefined;
  readonly hasBody: boolean;
}

/** How many calls a job makes: a script, a form, a batch. An assumption: no recording says it. */
const lengths = [1, 4, 12];

/** Each client has an equal share of the calls. */
export function askedBy(clients: readonly RecordedClient[], intents: readonly Intent[], random: Random): Seen[] {
  const mixed = shuffled(intents, random);
  return clients.flatMap((client, place) => {
    const own = mixed.filter((_, at) => at % clients.length === place);
    const seen: Seen[] = [];
    while (seen.length < own.length) {
      const job = own.slice(seen.length, seen.length + pick(lengths, random));
      const uses = usesOf(client, job.length);
      seen.push(...job.map((intent, at) => written(client, intent, uses[at]!, random)));
    }
    return seen;
  });
}

/** Over as many connections as the client opened when it was recorded: a new one each time, or in turn. */
function usesOf({ calls }: RecordedClient, count: number): number[] {
  const isEachAnew = new Set(calls.map(({ connection }) => connection)).size === calls.length;
  const uses = new Map<number, number>();
  return Array.from({ length: count }, (_, at) => {
    const connection = isEachAnew ? at : calls[at % calls.length]!.connection;
    uses.set(connection, (uses.get(connection) ?? 0) + 1);
    return uses.get(connection)!;
  });
}

function written({ client, calls }: RecordedClient, intent: Intent, use: number, random: Random): Seen {
  const { method, target, key, token, hasBody } = intent;
  const of = (wanted: string): Call | undefined => calls.find(({ head }) => head[0]?.startsWith(`${wanted} `));
  const call = of(method) ?? of(hasBody ? 'POST' : 'GET');
  if (call === undefined) throw new Error(`${client} was not recorded with ${method}`);
  const body = hasBody ? spelled(inputFor(target, random), call.body ?? '') : '';
  const lines = call.head.slice(1).flatMap((line) => {
    const name = line.slice(0, line.indexOf(':'));
    if (line.includes(apiKey) || line.includes(adminToken)) return credentials(line.includes(apiKey), name, key, token);
    if (/^content-length$/i.test(name)) return [`${name}: ${Buffer.byteLength(body)}`];
    return [line.replace('{host}', '127.0.0.1:1001')];
  });
  return { head: `${method} ${target} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, body, use };
}

/** In the place and spelling in which the client wrote the one that it was recorded with. */
function credentials(isKey: boolean, name: string, key: string | undefined, token: string | undefined): string[] {
  const isCanonical = name === 'X-Api-Key';
  return [
    ...(key === undefined ? [] : [`${isKey ? name : isCanonical ? 'X-Api-Key' : 'X-API-Key'}: ${key}`]),
    ...(token === undefined ? [] : [`${isKey ? 'X-Admin-Token' : name}: ${token}`]),
  ];
}

/** With or without blanks, as the client wrote its own. */
function spelled(value: unknown, recorded: string): string {
  const text = JSON.stringify(value);
  if (!recorded.includes('": ')) return text;
  const apart = JSON.stringify(value, undefined, 1).replaceAll(/\n */g, ' ');
  return apart.replaceAll(/([{[]) | ([}\]])/g, '$1$2');
}

const many = <T>(random: Random, most: number, make: () => T): T[] =>
  Array.from({ length: 1 + Math.floor(random() * most) }, make);

const year = (random: Random): number => 1990 + Math.floor(random() * 36);

const texts: readonly ((random: Random) => string)[] = [
  (random) => many(random, 8, () => anyWord(random)).join(' '),
  (random) => `${anyWord(random)}${anyWord(random)}${digits(random, 4)}`,
  (random) => `${anyWord(random)}${digits(random, 3)}`,
  (random) => `${anyWord(random)}-${digits(random, 6)}`,
  (random) => `${anyWord(random)} ${digits(random, 3)}`,
];

const aText = (random: Random): string => pick(texts, random)(random);

const paths: readonly ((random: Random) => string)[] = [
  (random) => `${anyWord(random)}/${year(random)}/${anyWord(random)}${digits(random, 4)}`,
  (random) => `${anyWord(random)}/${year(random)}/${anyWord(random)}-${anyWord(random)}`,
  (random) => `${anyWord(random)}/${anyWord(random)}`,
  (random) => `${anyWord(random)}/${digits(random, 5)}`,
  (random) => `${anyWord(random)}.html`,
];

const addresses = (random: Random, most: number): string[] =>
  many(random, most, () => `https://www.${anyWord(random)}.example/${pick(paths, random)(random)}`);

const features = [[], ['geo']];

const inputs = new Map<string, (random: Random) => unknown>(
  Object.entries({
    'text-digest': (random: Random) => ({ text: aText(random) }),
    'message-relay': (random: Random) => ({ message: aText(random), copies: 1 + Math.floor(random() * 9) }),
    'registry-search': (random: Random) => ({
      query: aText(random),
      filters: { country: pick(['NL', 'DE', 'FR', 'PT'], random), form: 'limited', foundedAfter: year(random) },
      limit: 1 + Math.floor(random() * 40),
      tags: many(random, 3, () => anyWord(random)),
    }),
    'page-harvest': (random: Random) => ({ urls: addresses(random, 4), label: anyWord(random) }),
    'feed-digest': (random: Random) => ({ feeds: addresses(random, 4), edition: pick(['morning', 'evening'], random) }),
    'market-scan': (random: Random) => ({ product: anyWord(random), currency: 'EUR', urls: addresses(random, 2) }),
    'place-lookup': (random: Random) => ({ place: anyWord(random), urls: addresses(random, 2) }),
  }),
);

function inputFor(target: string, random: Random): unknown {
  const actor = /^\/v1\/actors\/([^/?]+)/.exec(target)?.[1];
  if (actor !== undefined) return inputs.get(actor)?.(random) ?? { text: aText(random) };
  const plan = { tier: pick(['free', 'pro', 'scale'], random), features: pick(features, random) };
  return /\/keys$/.test(target) ? { ...plan, kind: pick(['live', 'test'], random) } : plan;
}
