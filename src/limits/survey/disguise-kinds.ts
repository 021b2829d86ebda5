/** What an exhausted key may say beside itself: a language, a session, a query, another form of its request. It is the same key. */
import type { Disguise, RouteName } from './call.ts';

type Header = readonly [name: string, value: string];
type Saying = (turn: number, asked: RouteName) => Header;

const languages = 'nl fi pt ja el sv cs ko da nb hu pl ro tr uk vi th id he ar hi sk sl et'.split(' ');
const spellings = ['X-API-KEY', 'x-Api-Key', 'X-api-Key', 'x-API-key', 'X-Api-key', 'x-api-Key', 'X-aPi-Key'];
const of = (list: readonly string[], turn: number): string => list[turn % list.length]!;

/** What may name a counter. */
const named =
  (header: string, before: string): Saying =>
  (turn) => [header, `${before}${4170 + turn}`];

/** What may switch it off. */
const switched =
  (header: string, on: string): Saying =>
  () => [header, on];

/** Each with another value each turn: what a counter might be named by, and what might switch it off. */
const headers: readonly Saying[] = [
  (turn) => ['User-Agent', `collector/${turn}.4`],
  (turn) => ['Accept-Language', of(languages, turn)],
  (turn) => ['Accept', `application/json, text/plain;q=0.${1 + (turn % 9)}`],
  (turn) => ['Cookie', `session=${4170 + turn}`],
  (turn) => ['Authorization', `Bearer visitor-${4170 + turn}`],
  (turn) => ['Origin', `https://site-${turn}.example`],
  (turn) => ['Referer', `https://site-${turn}.example/list`],
  named('X-Request-Id', 'request-'),
  named('X-Session-Id', 'session-'),
  named('X-Client-Id', 'client-'),
  named('X-User-Id', 'user-'),
  named('X-Tenant-Id', 'tenant-'),
  named('Idempotency-Key', 'attempt-'),
  switched('Cache-Control', 'no-cache'),
  switched('Pragma', 'no-cache'),
  (turn) => ['If-None-Match', `"version-${4170 + turn}"`],
  named('X-Correlation-Id', 'call-'),
  (turn) => ['traceparent', `00-${'4170'.repeat(8)}-${String(4_170_000_000_000_000 + turn)}-01`],
  named('X-Device-Id', 'device-'),
  named('X-Organization-Id', 'organization-'),
  named('X-Requested-With', 'page-'),
  (turn) => ['X-Retry-Attempt', String(1 + (turn % 9))],
  (turn) => ['X-Retry-Count', String(1 + (turn % 9))],
  (turn) => ['X-Attempt', String(1 + (turn % 9))],
  (turn) => ['X-Amzn-Trace-Id', `Root=1-${4170 + turn}-417041704170417041704170`],
  (turn) => ['X-B3-TraceId', `${'4170'.repeat(3)}${4170 + turn}`],
  (turn) => ['b3', `${'4170'.repeat(3)}${4170 + turn}-41704170417041${10 + (turn % 89)}-1`],
  (turn) => ['Via', `1.1 cache-${4170 + turn}`],
  (turn) => ['From', `visitor-${4170 + turn}@site.example`],
  (turn) => ['X-API-Version', `2.${turn}`],
  (turn) => ['X-App-Version', `4.${turn}`],
  named('X-Account-Id', 'account-'),
  named('X-Internal', 'service-'),
  switched('X-Internal-Request', 'true'),
  switched('X-Debug', 'true'),
  switched('X-Test', 'true'),
  switched('X-Priority', 'high'),
  switched('X-Bypass-Rate-Limit', 'true'),
  switched('X-No-Rate-Limit', '1'),
  switched('Priority', 'u=0'),
  switched('DNT', '1'),
  switched('Save-Data', 'on'),
  switched('Purpose', 'prefetch'),
  switched('Sec-Purpose', 'prefetch'),
  switched('Sec-Fetch-Mode', 'navigate'),
  switched('Prefer', 'return=representation'),
  // The method that it has anyway.
  (_, asked) => ['X-HTTP-Method-Override', asked === 'run' ? 'POST' : 'GET'],
];

export interface Kind {
  readonly name: string;
  readonly as: (turn: number, asked: RouteName) => Disguise;
}

/** Those that can be sent in one request, and those that are sent alone. */
export interface Kinds {
  readonly atOnce: readonly Kind[];
  readonly alone: readonly Kind[];
}

const withHeader = (header: Saying): Kind => ({
  name: `with another ${header(0, 'verify')[0]}`,
  as: (turn, asked) => ({ headers: [header(turn, asked)] }),
});

/** Several at once, none of which sets what another one sets. */
export const together = (kinds: readonly Kind[]): Kind => ({
  name: `with ${kinds.length} changes at once (first: ${kinds[0]!.name}; last: ${kinds.at(-1)!.name})`,
  as: (turn, asked) => {
    const each = kinds.map(({ as }) => as(turn, asked));
    return Object.assign({}, ...each, { headers: each.flatMap((one) => one.headers ?? []) }) as Disguise;
  },
});

const withQuery: Kind = { name: 'with a query', as: (turn) => ({ query: ['page', String(turn)] }) };

/** As whom and from where a query may claim to call. */
const claims = 'api_key apikey key token access_token client client_id user user_id tenant session ip'.split(' ');

const claiming: Kind = {
  name: 'as somebody else in its query',
  as: (turn) => ({ respell: (path) => `${path}?${claims.map((name) => `${name}=visitor-${4170 + turn}`).join('&')}` }),
};

/** By turn, some of the letters of a part of the path are changed, so that no two paths are the same. */
const changing =
  (part: RegExp, change: (letter: string) => string) =>
  (turn: number) =>
  (path: string): string =>
    path.replace(part, (text) => {
      const letters = [...text.matchAll(/(?<!%.?)[a-z]/gi)].slice(0, mostLetters).map(({ index }) => index);
      const chosen = new Set(letters.filter((_, at) => ((1 + (turn % (2 ** letters.length - 1))) >> at) & 1));
      return [...text].map((each, at) => (chosen.has(at) ? change(each) : each)).join('');
    });

const mostLetters = 8;

const encoded = changing(
  /(?<=\/actors\/)[^/]+|(?<=\/auth\/)verify/,
  (letter) => `%${Buffer.from(letter).toString('hex')}`,
);
/** One route where case is ignored, and none elsewhere. */
const capitalised = changing(/(?<=^\/v1\/)(?:auth\/verify|actors)/, (letter) => letter.toUpperCase());

/** Who thinks that it was counted already counts it no more. */
export const repeating: Disguise = {
  headers: [
    ['X-Request-Id', 'request-4169'],
    ['X-Correlation-Id', 'request-4169'],
    ['Idempotency-Key', 'request-4169'],
  ],
};

// Of what is not the same any more, all is wanted: RFC 9110, section 13.1.5.
const forAPart: Kind = {
  name: 'for a part',
  as: (turn) => ({
    headers: [
      ['Range', 'bytes=0-'],
      ['If-Range', `"version-${4170 + turn}"`],
    ],
  }),
};

/** The same question in another form. */
const ofForms: readonly Kind[] = [
  { name: 'in HTTP/1.0', as: () => ({ version: '1.0' }) },
  { name: 'by its whole address', as: () => ({ absolute: true }) },
  { name: 'with an upgrade', as: () => ({ headers: [['Upgrade', 'h2c']] }) },
];

/** Where all at once gain nothing, none of them does. */
export const forAddresses: Kinds = { atOnce: [...headers.map(withHeader), forAPart], alone: [withQuery, ...ofForms] };

const others: readonly Kind[] = [
  { name: 'as a repetition of an earlier call', as: () => repeating },
  withHeader((turn) => ['Host', `service-${4170 + turn}.example`]),
  // What operators exempt: checks of health, and themselves.
  { name: 'as a check of health', as: (turn) => ({ headers: [['User-Agent', `kube-probe/1.${20 + (turn % 14)}`]] }) },
  withQuery,
  { name: 'with a slash at the end of its path', as: () => ({ respell: (path) => `${path}/` }) },
  { name: 'with a second slash in its path', as: () => ({ respell: (path) => path.replace('/v1/', '/v1//') }) },
  { name: 'with a part of its path percent-encoded', as: (turn) => ({ respell: encoded(turn) }) },
  { name: 'with capitals in its path', as: (turn) => ({ respell: capitalised(turn) }) },
  { name: 'with its header in another spelling', as: (turn) => ({ keyHeader: of(spellings, turn) }) },
  // As proxies and newer protocols write it.
  { name: 'with its header in small letters', as: () => ({ keyHeader: 'x-api-key' }) },
  ...ofForms,
  { name: 'with its key several times', as: (turn) => ({ copies: 1 + (turn % 8) }) },
  { name: 'with a second value in its header', as: (turn) => ({ headers: [['X-API-Key', `visitor.${4170 + turn}`]] }) },
  { name: 'with another value before its key', as: (turn) => ({ before: [['X-API-Key', `visitor.${4170 + turn}`]] }) },
];

const ofKeys: readonly Kind[] = [
  ...headers.map(withHeader),
  withHeader((turn) => ['X-Forwarded-Host', `service-${4170 + turn}.example`]),
  withHeader(named('X-Admin-Token', 'visitor-')),
  forAPart,
  claiming,
];

const ofRuns: readonly Kind[] = [
  {
    name: 'with another content type',
    as: (turn) => ({ contentType: `application/json;${' '.repeat(turn % 8)}charset=${turn % 2 ? 'utf-8' : 'UTF-8'}` }),
  },
  { name: 'with a long body', as: () => ({ padding: 20_000 }) },
];

export const forKeys: Kinds = { atOnce: ofKeys, alone: others };
export const forRuns: Kinds = {
  atOnce: [...ofKeys, ...ofRuns],
  alone: [
    ...others,
    { name: 'in chunks', as: (): Disguise => ({ chunkBytes: 16 }) },
    // Longer than what many read at once; not everybody takes it.
    { name: 'with a body of 70 kB', as: (): Disguise => ({ padding: 70_000 }) },
  ],
};
