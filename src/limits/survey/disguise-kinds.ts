/** What an exhausted key may say beside itself: a language, a session, a query, another form of its request. It is the same key. */
import type { Disguise, RouteName } from './prober.ts';

type Header = readonly [name: string, value: string];
type Saying = (turn: number, asked: RouteName) => Header;

const languages = 'nl fi pt ja el sv cs ko da nb hu pl ro tr uk vi th id he ar hi sk sl et'.split(' ');
const spellings = ['X-API-KEY', 'x-Api-Key', 'X-api-Key', 'x-API-key', 'X-Api-key', 'x-api-Key', 'X-aPi-Key'];
const of = (list: readonly string[], turn: number): string => list[turn % list.length]!;

/** Each with another value each turn: what a counter might be named by, and what might switch it off. */
export const headers: readonly Saying[] = [
  (turn) => ['User-Agent', `collector/${turn}.4`],
  (turn) => ['Accept-Language', of(languages, turn)],
  (turn) => ['Accept', `application/json, text/plain;q=0.${1 + (turn % 9)}`],
  (turn) => ['Cookie', `session=${4170 + turn}`],
  (turn) => ['Authorization', `Bearer visitor-${4170 + turn}`],
  (turn) => ['Origin', `https://site-${turn}.example`],
  (turn) => ['Referer', `https://site-${turn}.example/list`],
  (turn) => ['X-Request-Id', `request-${4170 + turn}`],
  (turn) => ['X-Session-Id', `session-${4170 + turn}`],
  (turn) => ['X-Client-Id', `client-${4170 + turn}`],
  (turn) => ['X-User-Id', `user-${4170 + turn}`],
  (turn) => ['X-Tenant-Id', `tenant-${4170 + turn}`],
  (turn) => ['Idempotency-Key', `attempt-${4170 + turn}`],
  () => ['Cache-Control', 'no-cache'],
  () => ['Pragma', 'no-cache'],
  (turn) => ['If-None-Match', `"version-${4170 + turn}"`],
  (turn) => ['X-Correlation-Id', `call-${4170 + turn}`],
  (turn) => ['traceparent', `00-${'4170'.repeat(8)}-${String(4_170_000_000_000_000 + turn)}-01`],
  (turn) => ['X-Device-Id', `device-${4170 + turn}`],
  (turn) => ['X-Organization-Id', `organization-${4170 + turn}`],
  (turn) => ['X-Requested-With', `page-${4170 + turn}`],
  (turn) => ['X-Retry-Attempt', String(1 + (turn % 9))],
  // The method that it has anyway.
  (_, asked) => ['X-HTTP-Method-Override', asked === 'run' ? 'POST' : 'GET'],
];

export interface Kind {
  readonly name: string;
  readonly as: (turn: number, asked: RouteName) => Disguise;
}

export const withHeader = (header: Saying): Kind => ({
  name: `with another ${header(0, 'verify')[0]}`,
  as: (turn, asked) => ({ headers: [header(turn, asked)] }),
});

export const all: Kind = {
  name: 'with many other headers',
  as: (turn, asked) => ({ headers: headers.map((header) => header(turn, asked)) }),
};

export const withQuery: Kind = { name: 'with a query', as: (turn) => ({ query: ['page', String(turn)] }) };

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

const encoded = changing(/(?<=\/actors\/)[^/]+/, (letter) => `%${Buffer.from(letter).toString('hex')}`);
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

/** The same question in another form. */
export const ofForms: readonly Kind[] = [
  { name: 'in HTTP/1.0', as: () => ({ version: '1.0' }) },
  { name: 'by its whole address', as: () => ({ absolute: true }) },
  { name: 'with an upgrade', as: () => ({ headers: [['Upgrade', 'h2c']] }) },
  // Of what is not the same any more, all is wanted: RFC 9110, section 13.1.5.
  {
    name: 'for a part',
    as: (turn) => ({
      headers: [
        ['Range', 'bytes=0-'],
        ['If-Range', `"version-${4170 + turn}"`],
      ],
    }),
  },
];

export const others: readonly Kind[] = [
  { name: 'as a repetition of an earlier call', as: () => repeating },
  withHeader((turn) => ['Host', `service-${4170 + turn}.example`]),
  withHeader((turn) => ['X-Forwarded-Host', `service-${4170 + turn}.example`]),
  // What operators exempt: checks of health, and themselves.
  { name: 'as a check of health', as: (turn) => ({ headers: [['User-Agent', `kube-probe/1.${20 + (turn % 14)}`]] }) },
  withHeader((turn) => ['X-Admin-Token', `visitor-${4170 + turn}`]),
  withQuery,
  claiming,
  { name: 'with a slash at the end of its path', as: () => ({ respell: (path) => `${path}/` }) },
  { name: 'with a second slash in its path', as: () => ({ respell: (path) => path.replace('/v1/', '/v1//') }) },
  { name: 'with capitals in its path', as: (turn) => ({ respell: capitalised(turn) }) },
  { name: 'with its header in another spelling', as: (turn) => ({ keyHeader: of(spellings, turn) }) },
  // As proxies and newer protocols write it.
  { name: 'with its header in small letters', as: () => ({ keyHeader: 'x-api-key' }) },
  ...ofForms,
  { name: 'with a second value in its header', as: (turn) => ({ headers: [['X-API-Key', `visitor.${4170 + turn}`]] }) },
];

export const ofRuns: readonly Kind[] = [
  {
    name: 'with another content type',
    as: (turn) => ({ contentType: `application/json;${' '.repeat(turn % 8)}charset=${turn % 2 ? 'utf-8' : 'UTF-8'}` }),
  },
  { name: 'in chunks', as: () => ({ chunkBytes: 16 }) },
  { name: 'with a long body', as: () => ({ padding: 20_000 }) },
  { name: 'with its actor percent-encoded', as: (turn) => ({ respell: encoded(turn) }) },
];
