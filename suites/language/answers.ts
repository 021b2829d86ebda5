/** Which exchanges of a whole run a rule about "every answer" looks at. */
import {
  type Exchange,
  headerValues,
  holdsText,
  isObject,
  jsonOf,
  member,
  type Scene,
  statusOf,
  withoutPercent,
} from '../../src/vocabulary.ts';

/** The methods of the interface. HEAD has no body by right, and OPTIONS is often answered by a proxy for browsers. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/** The segment of a path that names an actor, decoded, or literally if its escapes are malformed. */
const actorIn = (path: string): string | undefined => {
  const segment = segmentIn(path);
  return segment === undefined ? undefined : withoutPercent(segment);
};

const segmentIn = (path: string): string | undefined => /\/v1\/actors\/([^/]*)/.exec(path)?.[1];

/** The same, literally. */
export const segmentNamed = (exchange: Exchange): string | undefined => segmentIn(pathOf(exchange));

/**
 * A target that no server or proxy in front of the service has a reason to turn down by itself, in words of its own: no
 * escapes, no doubled slashes, nothing overlong. The profile's own actors may be called as they like.
 */
function reachesTheService(path: string, { actors }: Scene): boolean {
  const name = actorIn(path);
  const known =
    name !== undefined && actors.includes(name) ? path.replace(/(\/v1\/actors\/)[^/]*/, '$1an-actor') : path;
  return known.length < 1000 && !/%|\/\/|\/\.{1,2}(?:\/|$)/.test(known);
}

/** What may stand in the query of a URI: some servers turn down the whole request over anything else. */
const hasOrdinaryQuery = (target: string): boolean =>
  /^[^?#]*(?:\?(?:[\w.~!$&'()*+,;=:@/?-]|%[0-9a-f]{2})*)?$/i.test(target);

/** A near miss with letters beyond ASCII is written down by its name alone, or as another spelling. */
const shownByName = /«[^»]*»/g;
const beyondAscii = /beyond-ascii|^«spelt:/;

/** The same of header values: ASCII, and no longer than servers commonly take. */
const isOrdinaryValue = (value: string): boolean =>
  value.length < 2000 &&
  /^[\t\x20-\x7e]*$/.test(
    value.includes('«') ? value.replaceAll(shownByName, (name) => (beyondAscii.test(name) ? 'é' : '')) : value,
  );

/** An answer for whose body the service itself must answer. */
export const hasBodyByRight = (exchange: Exchange, scene: Scene): boolean =>
  methods.has(exchange.request.method) &&
  reachesTheService(pathOf(exchange), scene) &&
  hasOrdinaryQuery(exchange.request.target) &&
  exchange.request.headers.every(([, value]) => isOrdinaryValue(value));

export const pathOf = (exchange: Exchange): string => exchange.request.target.split(/[?#]/, 1)[0] ?? '';

export const isAdmin = (exchange: Exchange): boolean => `${pathOf(exchange)}/`.includes('/v1/admin/');

export const isError = (exchange: Exchange): boolean => (statusOf(exchange) ?? 0) >= 400;

export const isRun = (exchange: Exchange): boolean =>
  exchange.request.method === 'POST' && /\/v1\/actors\/[^/]+\/run-sync-get-dataset-items$/.test(pathOf(exchange));

export const holdsObject = (exchange: Exchange): boolean => {
  const body = jsonOf(exchange);
  return body.ok && isObject(body.value);
};

const actorRoute = /^(?:\/[^/]+)*\/v1\/actors\/[^/]+(?<run>\/run-sync-get-dataset-items)?$/;

/** The actor that the path of an exchange names, where it is exactly one of the two routes. */
function actorOnRoute(exchange: Exchange): string | undefined {
  const path = pathOf(exchange);
  const route = actorRoute.exec(path);
  if (route === null) return undefined;
  return exchange.request.method === (route.groups?.run === undefined ? 'GET' : 'POST') ? actorIn(path) : undefined;
}

/** The same of the profile's actors and of invented names, which are plain ones. */
export function actorNamed(exchange: Exchange, { actors }: Scene): string | undefined {
  const name = actorOnRoute(exchange);
  if (name === undefined) return undefined;
  return actors.includes(name) || (/^[A-Za-z0-9._~-]+$/.test(name) && !/^\.{1,2}$/.test(name)) ? name : undefined;
}

/** Letters that something on the way may read otherwise, and nobody strips or folds. */
const oddName = /^\w[\w.~-]*[+&<> é😀][\w.~-]*\w$/u;

/** The same of a name with such a letter, in an answer that only the service can have given: it says which actor is involved. */
export function oddActorNamed(exchange: Exchange): string | undefined {
  const name = actorOnRoute(exchange);
  if (name === undefined || name.length > 100 || !oddName.test(name)) return undefined;
  return ['error', 'detail', 'actor'].every((each) => typeof member(exchange, each) === 'string') &&
    member(exchange, 'actor') !== ''
    ? name
    : undefined;
}

/** The tag by which a caller may ask whether what it has is still so. */
export function tagIn(exchange: Exchange): string | undefined {
  const [tag] = headerValues(exchange, 'etag');
  return tag !== undefined && /^(?:W\/)?"[\x21\x23-\x7e]*"$/.test(tag) ? tag : undefined;
}

/** The items hold what was planted in the run's own input. */
export const echoes = (exchange: Exchange): boolean =>
  exchange.planted?.nonce !== undefined && holdsText(member(exchange, 'items'), exchange.planted.nonce);
