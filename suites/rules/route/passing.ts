/** Requests that nobody thinks of who writes a service, and that every service gets. */
import {
  type Case,
  type Exchange,
  expectNoServerError,
  isObject,
  type RawRequest,
  rule,
  type Subject,
  statusFits,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything, fromAPage } from '../../language/asking.ts';
import { plainVerify } from '../../language/twins.ts';
import { pathOfActor } from './route.ts';

interface Asked extends Case {
  readonly request: RawRequest;
}

/** As a browser asks before it sends a key, and as monitors ask whether anybody is there. */
const inPassing = (subject: Subject): readonly Asked[] => {
  const actor = pathOfActor(subject);
  const verify = '/v1/auth/verify';
  const paths = [verify, ...(actor === undefined ? [] : [actor, `${actor}/run-sync-get-dataset-items`])];
  const further: readonly Asked[] = [
    // Clients must not send a secret with it.
    { name: 'TRACE', request: { method: 'TRACE', target: verify, key: null } },
    { name: 'a query with a broken escape', request: { method: 'GET', target: `${verify}?page=%zz` } },
    { name: 'a query of 4,000 characters', request: { method: 'GET', target: `${verify}?x=${'x'.repeat(4_000)}` } },
    { name: 'a query with a parameter twice', request: { method: 'GET', target: `${verify}?page=1&page=2` } },
    // Some libraries read brackets as members of an object, and meet a text of the same name.
    {
      name: 'a query with brackets',
      request: { method: 'GET', target: `${verify}?of=1&of%5Bname%5D=2&of%5B%5D=3` },
    },
    // More than columns of logs hold.
    {
      name: 'a User-Agent of 300 characters',
      request: { method: 'GET', target: verify, headers: [['User-Agent', `tool/1.0 (${'x'.repeat(289)})`]] },
    },
    {
      name: 'a traceparent that is none',
      request: { method: 'GET', target: verify, headers: [['traceparent', '00-none-none-01']] },
    },
    // As many bytes as a browser keeps of one cookie (RFC 6265, section 6.1).
    {
      name: 'a cookie of 4,000 characters',
      request: { method: 'GET', target: verify, headers: [['Cookie', `theme=${'x'.repeat(3_994)}`]] },
    },
    { name: 'a GET with a body', request: { method: 'GET', target: verify, body: '{"page":1}' } },
    { name: 'a path of many segments', request: { method: 'GET', target: `/v1${'/deep'.repeat(9)}` } },
    { name: 'an unknown path with a query', request: { method: 'GET', target: '/v1/nowhere-at-all?page=1' } },
    {
      name: 'an actor that is not there, with a key that is none',
      request: {
        method: 'GET',
        target: '/v1/actors/nowhere-at-all',
        key: null,
        headers: [['X-API-Key', 'vk_live_nobody.has.this.one']],
      },
    },
    // What proxies write of callers whose address they do not know, or that is of the other kind.
    ...['unknown', '2001:db8::1', '"[2001:db8::1]:47011"', ', 198.51.100.7'].map((value) => ({
      name: `verify for ${value}`,
      request: { method: 'GET', target: verify, headers: [['X-Forwarded-For', value]] as const },
    })),
    ...['/v1/actors', '/v1/actors/', '/v1/actors/1', '/v1/auth', '/v1'].map((target) => ({
      name: `GET ${target}`,
      request: { method: 'GET', target },
    })),
  ];
  const each = paths.flatMap((target): Asked[] => [
    { name: `HEAD ${target}`, request: { method: 'HEAD', target } },
    { name: `OPTIONS ${target} without a key`, request: { method: 'OPTIONS', target, key: null } },
    {
      name: `a preflight of ${target}`,
      request: {
        method: 'OPTIONS',
        target,
        key: null,
        headers: [
          ...fromAPage,
          ['Access-Control-Request-Method', 'POST'],
          ['Access-Control-Request-Headers', 'x-api-key'],
        ],
      },
    },
    { name: `${target} with a query`, request: { method: 'GET', target: `${target}?page=1&valid=false&key=` } },
  ]);
  return [...each, ...further, ...weighted(subject), ...ofManyFields(subject)];
};

/** More than whoever reads forms expects. One body of that size is enough: another of `input.extreme-bodies` would displace contexts. */
function ofManyFields(subject: Subject): readonly Asked[] {
  const actor = pathOfActor(subject);
  if (actor === undefined) return [];
  const more = Array.from({ length: 1_001 }, (_, at) => [`f${at}`, 1] as const);
  const input = subject.actors.clean[0]?.input ?? {};
  const body = JSON.stringify({ ...(isObject(input) ? input : {}), ...Object.fromEntries(more) });
  return [
    {
      name: 'a run with 1,001 further fields',
      request: { method: 'POST', target: `${actor}/run-sync-get-dataset-items`, body },
    },
  ];
}

/** A library that takes JSON first, and anything rather than nothing. */
function weighted(subject: Subject): readonly Asked[] {
  const headers: RawRequest['headers'] = [['Accept', 'application/json;q=0.9, */*;q=0.1']];
  const actor = pathOfActor(subject);
  const body = JSON.stringify(subject.actors.clean[0]?.input ?? {});
  return [
    { name: 'verify', request: { method: 'GET', target: '/v1/auth/verify', headers } },
    ...(actor === undefined
      ? []
      : [
          { name: 'a read', request: { method: 'GET', target: actor, headers } },
          { name: 'a run', request: { method: 'POST', target: `${actor}/run-sync-get-dataset-items`, body, headers } },
        ]),
  ].map((each) => ({ ...each, name: `${each.name} with a weighted Accept` }));
}

/** A method that a service does not know at all. */
const isUnknownMethod = (exchange: Exchange): boolean => statusFits(exchange, 501);

export const askedInPassing = rule({
  id: 'route.asked-in-passing',
  clause: clauses.badInputIsNoServerError,
  needs: ['key'],
  without: everything,
  // What fails beside others says nothing of the method.
  alone: true,
  cases: inPassing,
  twin: plainVerify,
  byStatus: true,
  ask: ({ send, case: each }) => send(each.request),
  judge: (exchange) => (isUnknownMethod(exchange) ? [] : expectNoServerError(exchange)),
  fix: 'Answer HEAD, OPTIONS and preflights of browsers, or refuse them: whatever they carry, they are no reason to break.',
});
