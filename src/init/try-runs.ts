/** What an actor is good for, found by running it, at most five times. Only if the user has agreed to it. */

import { type Defaults, runRequest } from '../engine/requests.ts';
import type { Visit } from '../engine/visit.ts';
import { type Exchange, member, statusOf, succeeded } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import type { Key } from '../model/subject.ts';
import { word } from '../random.ts';
import type { SeenActor, SeenRuns } from './seen.ts';
import { answered } from './signs.ts';

/** `limited` is a key that may lack access to it. */
export interface Tries {
  readonly main: Key;
  readonly limited?: Key;
}

type Run = (input: Json, key: Key) => Promise<Exchange>;

export async function tryRuns(visit: Visit, seen: SeenActor, { main, limited }: Tries): Promise<SeenRuns> {
  const { schema, input } = seen;
  if (schema === undefined || input === undefined) return {};
  const run = runner(visit, seen.name);
  const { withNonce } = await import('./templated.ts');
  const { sources, reads } = await trySources(visit, run, schema, input, main);
  // With an address that leads nowhere, an actor that reads it can only fail.
  const clean = sources === undefined ? await run(input, main) : undefined;
  const nonced = sources === undefined ? withNonce(schema, input) : undefined;
  const viaNonce = nonced === undefined ? undefined : await run(nonced, main);
  const works = sources ?? (clean !== undefined && succeeded(clean) ? input : undefined);
  const refused = limited === undefined || works === undefined ? undefined : await run(works, limited);
  return {
    ...(clean !== undefined && succeeded(clean) ? { clean: input } : {}),
    ...(sources === undefined ? {} : { sources }),
    ...(reads && sources === undefined ? { reads } : {}),
    ...(viaNonce !== undefined && nonced !== undefined && echoes(viaNonce) ? { echo: nonced } : {}),
    ...(clean !== undefined && works === undefined ? { failed: answered(clean) } : {}),
    ...(refused !== undefined && statusOf(refused) === 403 ? { refusedTo: limited!.name } : {}),
  };
}

function runner({ session }: Visit, name: string): Run {
  const newNonce = (): string => word(session.random, 16);
  return async (input, key) => {
    const defaults: Defaults = { purpose: 'setup', instance: 'main', line: 'look', key };
    const sending = runRequest(session, { actor: encodeURIComponent(name), input }, defaults, newNonce);
    return (await session.recorder.send(sending)).exchange;
  };
}

/**
 * With two addresses, or with one where only that is read: rules make sources fail, and would accuse a service of not noticing what
 * it never asks for. For the same reason, an actor that does not show what it found cannot play this role.
 */
async function trySources(
  { session }: Visit,
  run: Run,
  schema: Json,
  input: Json,
  main: Key,
): Promise<{ readonly sources?: Json; readonly reads?: true }> {
  const { withSources } = await import('./templated.ts');
  const tried = new Set<string>();
  let reads = false;
  for (const most of [2, 1] as const) {
    const sourced = withSources(schema, input, most);
    if (sourced === undefined || tried.has(JSON.stringify(sourced))) continue;
    tried.add(JSON.stringify(sourced));
    const exchange = await run(sourced, main);
    const planted = exchange.planted?.sources ?? [];
    const read = planted.filter(({ token }) => session.sources.reached(token) > 0);
    const items = JSON.stringify(member(exchange, 'items') ?? null);
    if (read.length === 0) break;
    reads = true;
    const shown = read.length === planted.length && read.every(({ token }) => items.includes(token));
    if (succeeded(exchange) && shown) return { sources: sourced };
  }
  return reads ? { reads } : {};
}

function echoes(exchange: Exchange): boolean {
  const nonce = exchange.planted?.nonce;
  return (
    succeeded(exchange) && nonce !== undefined && JSON.stringify(member(exchange, 'items') ?? null).includes(nonce)
  );
}
