/**
 * What a request may say beside who asks and for what. Anybody can say so: where a guard refuses a caller, it refuses the same caller in each
 * of these clothes. Each wears much at once, so that a few requests try what many headers might open.
 */
import type { RequestOptions, RunOptions } from '../../src/vocabulary.ts';
import { eachSaying, fromAPage, fromThisMachine, nameless } from './asking.ts';

type Header = readonly [name: string, value: string];

export interface Dress {
  readonly name: string;
  readonly how: Pick<RequestOptions, 'query' | 'version'> & { readonly headers?: readonly Header[] };
}

/** What a proxy, a mesh or a developer says of a caller that is known already. */
export const known: readonly Header[] = [
  ...eachSaying(
    'admin',
    'X-Forwarded-User',
    'X-Remote-User',
    'Remote-User',
    'X-Auth-Request-User',
    'X-User-Id',
    'X-User',
  ),
  ['X-Api-Key-Id', '1'],
  ['X-Consumer-Username', 'admin'],
  ['X-Service-Name', 'gateway'],
  ['X-User-Role', 'admin'],
  ...eachSaying(
    'true',
    'X-Internal',
    'X-Internal-Request',
    'X-Authenticated',
    'X-Verified',
    'X-Trusted',
    'X-Admin',
    'X-Debug',
    'X-Test',
  ),
  ...eachSaying('1', 'X-Skip-Auth', 'X-No-Auth', 'X-Bypass-Auth'),
  ['Range', 'bytes=0-'],
  ['Depth', '0'],
];

/** Stands for a name that nobody has used. */
export const attempt = 'attempt-4170';

/** What libraries, tracing and retries say of a call. */
const ofTools: readonly Header[] = [
  ['Cookie', 'session=1; user=admin; role=admin; admin=true'],
  ['Authorization', 'Bearer bm9ib2R5Om5vdGhpbmc'],
  ['Accept-Language', 'de-DE,de;q=0.9'],
  ['Cache-Control', 'no-cache'],
  ['Prefer', 'return=representation'],
  ['traceparent', '00-41704170417041704170417041704170-4170417041704170-01'],
  ...eachSaying(attempt, 'Idempotency-Key', 'X-Request-Id', 'X-Correlation-Id', 'X-Session-Id', 'X-Client-Id'),
  ...eachSaying('2', 'X-Retry-Count', 'X-Attempt', 'X-API-Version', 'X-Client-Version'),
];

const browser: Header = [
  'User-Agent',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0',
];

const ofReaders: readonly Header[] = [
  ['Accept', 'text/html,*/*;q=0.8'],
  ['Accept-Language', 'fr-FR,fr;q=0.9'],
];

export const dresses: readonly Dress[] = [
  { name: 'as whom headers call known', how: { headers: known } },
  { name: 'with what tools say of a call', how: { headers: ofTools } },
  { name: 'as a page asks', how: { headers: [...fromAPage, browser, ...ofReaders] } },
  { name: 'as from this machine', how: { headers: fromThisMachine } },
  { name: 'with a query', how: { query: ['debug', 'true'] } },
  { name: 'in HTTP/1.0', how: { version: '1.0' } },
];

export interface RunDress {
  readonly name: string;
  readonly how: Dress['how'] & Pick<RunOptions, 'chunkBytes' | 'contentType' | 'padding' | 'rewrite'>;
}

/** A run has a body, too. */
export const runDresses: readonly RunDress[] = [
  ...dresses,
  { name: 'with its body in chunks', how: { chunkBytes: 16 } },
  { name: 'with a long body', how: { padding: 20_000 } },
  { name: 'as JSON of a charset', how: { contentType: 'application/json; charset=utf-8' } },
  { name: 'without a content type', how: { contentType: null } },
  { name: 'with its body in lines', how: { rewrite: (json) => JSON.stringify(JSON.parse(json), null, 2) } },
];

/** One attempt is one request: who answers a repeated one again, as it did before, does nothing wrong. */
export const asNew = <How extends { readonly headers?: RequestOptions['headers'] }>(
  how: How,
  random: () => number,
): How => {
  const { headers } = how;
  const own = `attempt-${nameless(random)}`;
  return headers === undefined
    ? how
    : { ...how, headers: headers.map(([name, value]) => [name, value === attempt ? own : value]) };
};
