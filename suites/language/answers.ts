/** Which exchanges of a whole run a rule about "every answer" looks at. */
import { type Exchange, isObject, jsonOf, statusOf } from '../../src/vocabulary.ts';

/** Came in whole, and was asked for by the run itself, not by its tidying up. */
export const isWhole = (exchange: Exchange): boolean =>
  exchange.purpose !== 'cleanup' &&
  exchange.response !== undefined &&
  (exchange.failure === undefined || exchange.failure.kind === 'bad-coding') &&
  exchange.response.body.truncated !== true;

/** The methods of the interface. HEAD has no body by right, and OPTIONS is answered by whoever guards browsers. */
const methods: ReadonlySet<string> = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']);

/**
 * A target that no server or proxy in front of the service has a reason to turn down by itself, in words of its own: no
 * escapes, no doubled slashes, nothing overlong.
 */
const reachesTheService = (target: string): boolean =>
  target.length < 1000 && !/%|\/\/|\/\.{1,2}(?:\/|$)/.test(target.split('?', 1)[0] ?? '');

/** An answer for whose body the service itself must answer. */
export const hasBodyByRight = (exchange: Exchange): boolean =>
  isWhole(exchange) && methods.has(exchange.request.method) && reachesTheService(exchange.request.target);

export const pathOf = (exchange: Exchange): string => exchange.request.target.split(/[?#]/, 1)[0] ?? '';

export const isAdmin = (exchange: Exchange): boolean => `${pathOf(exchange)}/`.includes('/v1/admin/');

export const isError = (exchange: Exchange): boolean => (statusOf(exchange) ?? 0) >= 400;

export const isRun = (exchange: Exchange): boolean =>
  exchange.request.method === 'POST' && /\/v1\/actors\/[^/]+\/run-sync-get-dataset-items$/.test(pathOf(exchange));

export const holdsObject = (exchange: Exchange): boolean => {
  const body = jsonOf(exchange);
  return body.ok && isObject(body.value);
};

const actorRoute = /^(?<base>(?:\/[^/]+)*)\/v1\/actors\/(?<name>[A-Za-z0-9._-]+)(?<run>\/run-sync-get-dataset-items)?$/;

/** The actor that the path of an exchange names, where it is exactly one of the two routes and the name is a plain one. */
export function actorNamed(exchange: Exchange): string | undefined {
  const { name, run } = actorRoute.exec(pathOf(exchange))?.groups ?? {};
  if (name === undefined || name === '.' || name === '..') return undefined;
  return exchange.request.method === (run === undefined ? 'GET' : 'POST') ? name : undefined;
}
