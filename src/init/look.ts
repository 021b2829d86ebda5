/** A polite look at a service: one question after another, reads only, with a wait for every 429. */

import { type Defaults, rawRequest, readRequest, verifyRequest } from '../engine/requests.ts';
import type { Visit } from '../engine/visit.ts';
import { type Exchange, jsonOf, member, succeeded } from '../model/exchange.ts';
import type { Key } from '../model/subject.ts';
import { word } from '../random.ts';
import type { Seen, SeenActor, SeenKey } from './seen.ts';
import { adminState, answered, codesOf, isRefused, limitsOf, namesIn, signsOf, tame } from './signs.ts';

const asking: Defaults = { purpose: 'setup', instance: 'main', line: 'look' };
const withKey = (key: Key | undefined): Defaults => (key === undefined ? asking : { ...asking, key });

/** Nobody answered at all: there is nothing to look at. */
export class Unreachable extends Error {}

export interface Look extends Seen {
  readonly main?: Key;
}

/** Which variable each key came from. */
export type Variables = Readonly<Record<string, string>>;

export async function look({ session, exchanges, waitedMs }: Visit, variables: Variables): Promise<Look> {
  const send = async (sending: Parameters<typeof session.recorder.send>[0]): Promise<Exchange> =>
    (await session.recorder.send(sending)).exchange;
  const { keys } = session.subject;
  const main = keys.find(({ role }) => role === 'entitled');
  const keyless = await send(verifyRequest(session, { key: null }, asking));
  if (keyless.response === undefined) throw new Unreachable(keyless.failure?.says ?? 'it did not answer');

  const seenKeys: SeenKey[] = [];
  let verified: Exchange | undefined;
  for (const key of keys) {
    const exchange = await send(verifyRequest(session, {}, withKey(key)));
    if (key === main) verified = exchange;
    seenKeys.push(seenKey(key, exchange, variables));
  }
  const strange = `no-such-actor-${word(session.random, 8)}`;
  const unknownActor = await send(readRequest(session, { actor: strange }, withKey(main)));
  const signs = signsOf({ keyless, unknownActor, ...(verified === undefined ? {} : { verified }) });
  const found = (more: Pick<Seen, 'listed' | 'admin'>): Look => ({
    address: session.profile.origin + session.profile.basePath,
    signs,
    first: answered(keyless),
    keys: seenKeys,
    actors: [],
    ...more,
    codes: codesOf(exchanges),
    limits: limitsOf(exchanges, waitedMs()),
    ...(main === undefined ? {} : { main }),
  });
  // Somebody else's service is asked nothing more.
  if (signs.length === 0) return found({ listed: [], admin: 'unsure' });

  const get = (target: string, headers: Parameters<typeof rawRequest>[1]['headers'] = []) =>
    send(rawRequest(session, { method: 'GET', target, headers: headers ?? [] }, withKey(main)));
  const unknownRoute = await get(`/v1/${strange}`);
  const admin = await get('/v1/admin/keys');
  const token = session.subject.admin?.token;
  const opened = token === undefined ? undefined : await get('/v1/admin/keys', [['X-Admin-Token', token]]);
  const listed = namesIn(await get('/v1/actors'));
  return found({ listed, admin: adminState(admin, opened, unknownRoute) });
}

function seenKey(key: Key, exchange: Exchange, variables: Variables): SeenKey {
  const tier = member(exchange, 'tier');
  const works = !isRefused(exchange);
  return {
    name: key.name,
    variable: variables[key.name] ?? key.name,
    role: key.role,
    works,
    ...(typeof tier === 'string' && tier !== '' ? { tier: tame(tier, 80) } : {}),
    ...(works && succeeded(exchange) ? {} : { came: answered(exchange) }),
  };
}

/** An actor by its name: whether it is there, where its schema stands, and an input that the schema allows. */
export async function readActor({ session }: Visit, name: string, key: Key | undefined): Promise<SeenActor> {
  const actor = encodeURIComponent(name);
  const { exchange } = await session.recorder.send(readRequest(session, { actor }, withKey(key)));
  const body = jsonOf(exchange);
  if (!succeeded(exchange)) return { name, came: answered(exchange) };
  if (!body.ok) return { name, came: body.why };
  const { examineSchema, findSchema, searchSchema, validInputs } = await import('../profile/inputs/index.ts');
  const found = findSchema(body.value) ?? searchSchema(body.value, undefined, () => true);
  if (found === undefined) return { name };
  const { invalid, unusable } = examineSchema(found.schema);
  const fault = [...invalid, ...unusable][0];
  if (fault !== undefined) return { name, schemaAt: found.at, schemaFault: tame(fault) };
  const made = validInputs(found.schema);
  // Braces of the service would be read as our templates.
  const input = JSON.stringify(made)?.includes('{{') ? undefined : made;
  return { name, schemaAt: found.at, schema: found.schema, ...(input === undefined ? {} : { input }) };
}
