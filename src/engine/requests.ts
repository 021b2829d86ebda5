/** The requests of the specification as `Sending`s: what goes on the wire when a rule says `run`, `read` or `verify`. */
import {
  type Credential,
  comesToNoEnd,
  Inapplicable,
  type RawRequest,
  type RequestOptions,
  type RunOptions,
  type SourceBehaviour,
} from '../model/ask.ts';
import type { Exchange, Planted, Purpose } from '../model/exchange.ts';
import { readAsWritten } from '../model/json-text.ts';
import { Secret } from '../model/secret.ts';
import type { Actor, Key } from '../model/subject.ts';
import { type Filled, fill } from '../sources/templates.ts';
import type { Sending } from './recorder.ts';
import type { Session } from './session.ts';
import { type Clients, type Stack, spelled } from './stacks.ts';

export interface Defaults {
  readonly key?: Key;
  readonly actor?: Actor;
  readonly purpose: Purpose;
  readonly instance: 'main' | 'disabled';
  readonly line?: string;
  /** As which clients the requests are sent. */
  readonly clients?: Clients;
}

/** As the clients that the seed chooses for what has this name. */
export function asClient(session: Session, name: string): Pick<Defaults, 'clients'> {
  const clients = session.clientsFor(name);
  return clients === undefined ? {} : { clients };
}

/** By its habit of connections. */
export const stackOf = ({ clients, line }: Defaults, { on }: Pick<RequestOptions, 'on'> = {}): Stack | undefined =>
  on === undefined && line === undefined ? clients?.anew : clients?.kept;

/** For what removes keys. */
export const cleaning = (session: Session): Defaults => ({
  purpose: 'cleanup',
  instance: 'main',
  line: session.sharedLine('cleanup'),
  ...asClient(session, 'cleanup'),
});

export const isKey = (credential: Credential | undefined): credential is Key =>
  typeof credential === 'object' && credential !== null && 'secret' in credential;

/** The value that goes into a header. A near miss that happens to be another real key is omitted, not sent. */
export function opened(session: Session, credential: Exclude<Credential, null>): Secret | string {
  if (isKey(credential)) return credential.secret;
  if (credential instanceof Secret && credential.name.includes(':') && session.keyring.holds(credential))
    throw new Inapplicable('that near miss is another key of the run');
  return credential;
}

/** Whose limit the exchange counts against. */
const whoIs = (credential: Credential): string =>
  isKey(credential) ? credential.name : credential === null ? 'requests without a key' : 'requests with an invalid key';

type Prepared = Omit<Sending, 'method' | 'target'>;

function prepared(
  session: Session,
  options: RequestOptions,
  defaults: Defaults,
  contentType: string | null,
  body: Uint8Array | undefined,
  planted?: Planted,
): Prepared {
  const credential = options.key === undefined ? (defaults.key ?? null) : options.key;
  const line = options.on?.name ?? defaults.line;
  const stack = stackOf(defaults, options);
  return {
    purpose: defaults.purpose,
    instance: options.instance ?? defaults.instance,
    headers: [
      ...(credential === null
        ? []
        : [[options.keyHeader ?? stack?.keyHeader ?? 'X-API-Key', opened(session, credential)] as const]),
      ...(contentType === null ? [] : [['Content-Type', contentType] as [string, string]]),
      ...(options.headers ?? []),
    ],
    who: whoIs(credential),
    ...(body === undefined ? {} : { body }),
    ...(line === undefined ? {} : { line }),
    ...(stack === undefined ? {} : { stack }),
    ...(options.absolute && { absolute: true }),
    ...(options.version === undefined ? {} : { version: options.version }),
    ...(options.once && { once: true }),
    ...(options.on?.watched ? { watched: true } : {}),
    ...(planted === undefined ? {} : { planted }),
  };
}

const queryOf = ({ query }: RequestOptions): string =>
  query === undefined ? '' : `?${query[0]}=${encodeURIComponent(Secret.reveal(query[1]))}`;

/** As the options spell it, with their query. */
const targetOf = (path: string, options: RequestOptions): string =>
  `${options.respell?.(path) ?? path}${queryOf(options)}`;

const bytesOf = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? Buffer.from(body) : body);

export const actorPath = (actor: Actor | string): string =>
  `/v1/actors/${typeof actor === 'string' ? actor : encodeURIComponent(actor.name)}`;

function chosen(given: Actor | string | undefined, defaults: Defaults): Actor | string {
  const actor = given ?? defaults.actor;
  if (actor === undefined) throw new Error('the rule names no actor and needs none');
  return actor;
}

export function runRequest(session: Session, options: RunOptions, defaults: Defaults, newNonce: () => string): Sending {
  const actor = chosen(options.actor, defaults);
  const own = typeof actor === 'string' ? (defaults.actor?.input ?? {}) : (actor.input ?? {});
  const input = 'input' in options ? (options.input ?? null) : own;
  const filled =
    options.again === undefined
      ? options.body === undefined
        ? fill(input, session.sources, newNonce, options.sources)
        : undefined
      : askedAgain(session, options.again, options);
  const json = spelled(filled === undefined ? {} : filled.input, stackOf(defaults, options));
  const padded = `${json.slice(0, -1)}${' '.repeat(options.padding ?? 0)}${json.slice(-1)}`;
  const body = bytesOf(options.body ?? options.rewrite?.(padded) ?? padded);
  const type = options.contentType === undefined ? 'application/json' : options.contentType;
  const path = `${actorPath(actor)}/run-sync-get-dataset-items`;
  return {
    method: 'POST',
    target: targetOf(path, options),
    ...prepared(session, options, defaults, type, body, filled?.planted),
    ...(options.chunkBytes === undefined ? {} : { chunkBytes: options.chunkBytes }),
    ...(filled?.planted?.sources.some(({ behaviour }) => comesToNoEnd(behaviour)) ? slowly(session) : {}),
    ...(options.leavesAfterMs === undefined ? {} : { timeoutMs: options.leavesAfterMs }),
  };
}

/** What was asked before, word for word unless another input is given, of sources that work by now or fail as it says. */
function askedAgain({ sources }: Session, { request, planted }: Exchange, options: RunOptions): Filled {
  const behaviours: Readonly<Record<string, SourceBehaviour | undefined>> = options.sources ?? {};
  const turned = (planted?.sources ?? []).map((each) => ({ ...each, behaviour: behaviours[each.slot] ?? 'ok' }));
  for (const { token, behaviour } of turned) sources.turn(token, behaviour);
  return {
    input: options.input ?? readAsWritten(request.body?.text ?? '{}'),
    ...(planted === undefined ? {} : { planted: { ...planted, sources: turned } }),
  };
}

/** A run that waits for its sources is waited for as long as the profile says, and a little longer to see it. */
const slowly = ({ profile: { bounds } }: Session): { timeoutMs: number } => ({
  timeoutMs: Math.max(bounds.timeoutMs, bounds.upstreamMs + 2000),
});

export const readRequest = (
  session: Session,
  options: RequestOptions & { readonly actor?: Actor | string },
  defaults: Defaults,
): Sending => ({
  method: 'GET',
  target: targetOf(actorPath(chosen(options.actor, defaults)), options),
  ...prepared(session, options, defaults, null, undefined),
});

export const verifyRequest = (session: Session, options: RequestOptions, defaults: Defaults): Sending => ({
  method: 'GET',
  target: targetOf('/v1/auth/verify', options),
  ...prepared(session, options, defaults, null, undefined),
});

export function rawRequest(session: Session, request: RawRequest, defaults: Defaults): Sending {
  const body = request.body === undefined ? undefined : bytesOf(request.body);
  const type =
    request.contentType === undefined ? (body === undefined ? null : 'application/json') : request.contentType;
  return {
    method: request.method,
    target: targetOf(request.target, request),
    ...prepared(session, request, defaults, type, body),
  };
}
