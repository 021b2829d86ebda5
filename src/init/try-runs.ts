/** What an actor is good for, found out by running it, at most four times. Only for whoever has agreed to it. */
import { word } from '../engine/random.ts';
import { type Defaults, runRequest } from '../engine/requests.ts';
import { type Exchange, member, statusOf, succeeded } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import type { Key } from '../model/subject.ts';
import type { Visit } from '../visit.ts';
import type { SeenActor, SeenRuns } from './seen.ts';
import { answered } from './signs.ts';

/** `limited` is a key that may lack access to it. */
export interface Tries {
  readonly main: Key;
  readonly limited?: Key;
}

export async function tryRuns({ session }: Visit, seen: SeenActor, { main, limited }: Tries): Promise<SeenRuns> {
  const { schema, input } = seen;
  if (schema === undefined || input === undefined) return {};
  const run = async (body: Json, key: Key): Promise<Exchange> => {
    const defaults: Defaults = { purpose: 'setup', instance: 'main', line: 'look', key };
    const newNonce = (): string => word(session.random, 16);
    const options = { actor: encodeURIComponent(seen.name), input: body };
    return (await session.recorder.send(runRequest(session, options, defaults, newNonce))).exchange;
  };
  const { withNonce, withSources } = await import('./templated.ts');
  const [sourced, nonced] = [withSources(schema, input), withNonce(schema, input)];

  const viaSources = sourced === undefined ? undefined : await run(sourced, main);
  const reads = viaSources !== undefined && succeeded(viaSources) && reached(viaSources, session.sources.reached);
  // With an address that leads nowhere, an actor that reads it can only fail.
  const clean = reads ? undefined : await run(input, main);
  const viaNonce = nonced === undefined || reads ? undefined : await run(nonced, main);
  const works = reads ? sourced : clean !== undefined && succeeded(clean) ? input : undefined;
  const refused = limited === undefined || works === undefined ? undefined : await run(works, limited);
  return {
    ...(clean !== undefined && succeeded(clean) ? { clean: input } : {}),
    ...(reads && sourced !== undefined ? { sources: sourced } : {}),
    ...(viaNonce !== undefined && nonced !== undefined && echoes(viaNonce) ? { echo: nonced } : {}),
    ...(works === undefined ? { failed: answered(clean ?? viaSources!) } : {}),
    ...(refused !== undefined && statusOf(refused) === 403 ? { refusedTo: limited!.name } : {}),
  };
}

const reached = ({ planted }: Exchange, times: (token: string) => number): boolean =>
  planted?.sources.some(({ token }) => times(token) > 0) === true;

function echoes(exchange: Exchange): boolean {
  const nonce = exchange.planted?.nonce;
  return (
    succeeded(exchange) && nonce !== undefined && JSON.stringify(member(exchange, 'items') ?? null).includes(nonce)
  );
}
