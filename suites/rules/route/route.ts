import {
  type Case,
  expectStatus,
  isObject,
  observation,
  type RawRequest,
  rule,
  type Subject,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { invented } from '../../language/asking.ts';
import { expectMethodRefused, expectNotServed } from '../../language/expectations.ts';
import { keylessVerify, plainVerify } from '../../language/twins.ts';

interface Route extends Case {
  readonly of: (random: string) => RawRequest;
}

/** With a method and a path; a body where the method has one. */
const request = (method: string, target: string): RawRequest =>
  method === 'POST' || method === 'PUT' || method === 'PATCH' ? { method, target, body: '{}' } : { method, target };

const at = (method: string, before: string): Route => ({
  name: `${method} ${before}…`,
  of: (random) => request(method, before + random),
});

export const pathOfActor = ({ actors }: Subject): string | undefined => {
  const [actor] = actors.clean;
  return actor === undefined ? undefined : `/v1/actors/${encodeURIComponent(actor.name)}`;
};

function unknownRoutes(subject: Subject): readonly Route[] {
  const actor = pathOfActor(subject);
  return [
    at('GET', '/v1/'),
    at('POST', '/v1/'),
    at('GET', '/v1/auth/'),
    at('GET', '/v1/auth/verify/'),
    at('GET', '/v1/auth/verify-'),
    ...(actor === undefined
      ? []
      : [
          at('GET', `${actor}/`),
          at('POST', `${actor}/`),
          at('POST', `${actor}/run-`),
          at('POST', `${actor}/run-sync-get-dataset-items-`),
          at('POST', `${actor}/run-sync-get-dataset-items/`),
        ]),
    at('GET', '/'),
  ];
}

export const unknown = rule({
  id: 'route.unknown',
  clause: clauses.unknownRouteIs404,
  needs: ['key'],
  cases: unknownRoutes,
  twin: plainVerify,
  answering: true,
  ask: ({ send, random, case: { of } }) => send(of(invented(random))),
  judge: (exchange) => expectStatus(exchange, 404),
  fix: 'Answer 404 to every unknown path, below every prefix.',
});

export const unknownWithoutKey = rule({
  id: 'route.unknown-without-key',
  clause: clauses.unknownRouteIs404,
  needs: [],
  cases: unknownRoutes,
  twin: keylessVerify,
  answering: true,
  ask: ({ send, random, case: { of } }) => send({ ...of(invented(random)), key: null }),
  judge: (exchange) => expectStatus(exchange, [401, 404]),
  fix: 'Answer 404 to an unknown path without a key, or 401 if you check the key first.',
});

interface Plain extends Case {
  readonly request: RawRequest;
}

const plain = (method: string, target: string): Plain => ({
  name: `${method} ${target}`,
  request: request(method, target),
});

export const noVersion = rule({
  id: 'route.no-version',
  clause: clauses.noVersionNoRoute,
  needs: ['key'],
  cases(subject) {
    const actor = pathOfActor(subject)?.slice('/v1'.length);
    const beginning = { name: 'verify behind a prefix that only begins with /v1' };
    return [{ name: 'verify' }, beginning, ...(actor === undefined ? [] : [{ name: 'read' }, { name: 'run' }])];
  },
  twin: plainVerify,
  ask({ send, subject, random, case: { name } }) {
    const actor = pathOfActor(subject)?.slice('/v1'.length);
    if (name.includes('begins')) return send(request('GET', `/v1${invented(random)}/auth/verify`));
    if (name === 'verify' || actor === undefined) return send(request('GET', '/auth/verify'));
    if (name === 'read') return send(request('GET', actor));
    const body = JSON.stringify(subject.actors.clean[0]?.input ?? {});
    return send({ method: 'POST', target: `${actor}/run-sync-get-dataset-items`, body });
  },
  judge: (exchange) => expectNotServed(exchange, 'a path without /v1 not to be served'),
  fix: 'Serve only versioned paths: otherwise clients of another version reach this one unnoticed.',
});

/** Nothing here can change an actor: the name alone is never sent a method that might. */
function otherMethodsOf(subject: Subject): readonly Plain[] {
  const actor = pathOfActor(subject);
  return [
    ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) => plain(method, '/v1/auth/verify')),
    ...(actor === undefined
      ? []
      : ['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => plain(method, `${actor}/run-sync-get-dataset-items`))),
    ...(actor === undefined ? [] : [runByQuery(actor, subject)]),
  ];
}

/** Whatever has the input has all that a run needs. */
function runByQuery(actor: string, { actors }: Subject): Plain {
  const input = actors.clean[0]?.input ?? {};
  const fields = isObject(input) ? Object.entries(input) : [];
  const query = new URLSearchParams(
    fields.map(([name, value]): [string, string] => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
  const run = plain('GET', `${actor}/run-sync-get-dataset-items?${query}`);
  return { ...run, name: 'GET of a run, with its input in the query' };
}

export const otherMethods = rule({
  id: 'route.other-methods',
  clause: clauses.unknownMethodIsRefused,
  needs: ['key'],
  cases: otherMethodsOf,
  twin: plainVerify,
  ask: ({ send, case: each }) => send(each.request),
  judge: expectMethodRefused,
  fix: 'Answer a method that the route does not have with 405 (and Allow), or with 404.',
});

function spellings(subject: Subject): readonly Plain[] {
  const actor = pathOfActor(subject);
  return [
    '/v1/auth/verify/',
    '/v1//auth/verify',
    '//v1/auth/verify',
    '/V1/auth/verify',
    '/v1/Auth/Verify',
    '/v1/auth/verify?unlisted=1',
    '/v1/./auth/verify',
    '/v1/auth/%76erify',
    ...(actor === undefined ? [] : [`${actor}/`]),
  ].map((target) => plain('GET', target));
}

export const spelling = observation({
  id: 'route.spelling',
  clause: clauses.spellingNotShown,
  needs: ['key'],
  cases: spellings,
  about: ({ case: { name } }) => ({ name }),
  ask: async ({ send, case: { request: each } }) => ({ exchange: await send(each) }),
  observe: ({ exchange }, { name }) => [`${name} gets ${whatCame(exchange)}`],
  fix: 'Nothing to fix: the specification leaves open how a path may be spelled.',
});

function headAndOptionsOf(subject: Subject): readonly Plain[] {
  const actor = pathOfActor(subject);
  const paths = ['/v1/auth/verify', ...(actor === undefined ? [] : [actor, `${actor}/run-sync-get-dataset-items`])];
  return paths.flatMap((path) => [plain('HEAD', path), plain('OPTIONS', path)]);
}

export const headAndOptions = observation({
  id: 'route.head-and-options',
  clause: clauses.methodsNotShown,
  needs: ['key'],
  cases: headAndOptionsOf,
  about: ({ case: { name } }) => ({ name }),
  ask: async ({ send, case: { request: each } }) => ({ exchange: await send(each) }),
  observe: ({ exchange }, { name }) => [`${name} gets ${whatCame(exchange)}`],
  fix: 'Nothing to fix: the specification leaves open what HEAD and OPTIONS do.',
});
