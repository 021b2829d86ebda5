/** Doors that are no other spelling: the same request, and what is said beside it. */
import { createHash } from 'node:crypto';
import type { RawRequest } from '../../src/vocabulary.ts';
import { eachSaying, fromAPage, fromThisMachine } from './asking.ts';
import type { Unlocked } from './doors.ts';
import { attempt, dresses, known } from './dresses.ts';

export const asIfKnown = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} by whom headers call known`,
  plain,
  other: { ...plain, headers: known },
});

/** Some frameworks take the method from this header: a guard and the handler may then see different ones. */
export const overriding = (name: string, plain: RawRequest): readonly Unlocked[] =>
  ['GET', 'POST', 'OPTIONS'].map((method) => ({
    name: `${name} that X-HTTP-Method-Override calls ${method}`,
    plain,
    other: { ...plain, headers: [['X-HTTP-Method-Override', method]] },
  }));

/** Who trusts its own machine believes what a proxy says of it. */
export const fromHere = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} that headers say to come from this machine`,
  plain,
  other: { ...plain, headers: fromThisMachine },
});

export const fromItsPage = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} that headers say to come from a page`,
  plain,
  other: { ...plain, headers: fromAPage },
});

/** Browsers ask so before they send a key, and nobody else has to know what a preflight is. */
export const asPreflight = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} by OPTIONS`,
  plain,
  other: {
    ...plain,
    method: 'OPTIONS',
    headers: [...fromAPage, ['Access-Control-Request-Method', plain.method]],
  },
  aside: true,
});

/** Who is there to see whether the service lives, or asks for a browser, brings no key. */
export const asProbe = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} as probes and preflights ask`,
  plain,
  other: {
    ...plain,
    headers: [
      ['User-Agent', 'kube-probe/1.30'],
      ['Access-Control-Request-Method', plain.method],
    ],
  },
});

/** Where a proxy has changed the path, some read the one before from these headers, behind the guard. */
export const asOriginal = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} as the original of another path`,
  plain,
  other: {
    ...plain,
    target: plain.target.replace(/^\/v1\/\w+/, '/v1/health'),
    headers: eachSaying(plain.target, 'X-Original-URL', 'X-Rewrite-URL'),
  },
  aside: true,
});

/** Who takes the path from such a header may look for the key where that path leads, and serve what the request line says. */
export const asAnother = (name: string, plain: RawRequest): readonly Unlocked[] =>
  ['/health', '/docs'].map((open) => ({
    name: `${name} that headers call ${open}`,
    plain,
    other: {
      ...plain,
      headers: eachSaying(open, 'X-Original-URL', 'X-Rewrite-URL', 'X-Original-URI', 'X-Forwarded-Uri'),
    },
  }));

/** A connection that was let in once is nobody: each request shows its own credential. */
export const behind = (name: string, plain: RawRequest, by: 'key' | 'token'): Unlocked => ({
  name: `${name} on a connection of a caller with a ${by}`,
  plain,
  other: plain,
  behind: by,
});

/** Which of two keys counts is left open; where neither is one, the answer is not. */
export const withTwoWrong = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} with two wrong keys`,
  plain,
  other: { ...plain, headers: ['one', 'other'].map((each) => ['X-API-Key', unknownKey(`${each} ${plain.target}`)]) },
});

/** A guard that knows some programs by name may be no guard for others. */
const programs: readonly (readonly [string, string])[] = [
  ['a mobile app', 'okhttp/4.12.0'],
  ['PHP', 'GuzzleHttp/7'],
  ['Ruby', 'Faraday v2.9.0'],
  [
    'a browser',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  ],
  ['a desktop tool', 'PostmanRuntime/7.43.0'],
  ['.NET', 'collector/2.1 (+.NET 8.0)'],
];

export const asOtherPrograms = (name: string, plain: RawRequest): readonly Unlocked[] =>
  programs.map(([program, userAgent]) => ({
    name: `${name} with a wrong key, by ${program}`,
    plain,
    other: {
      ...plain,
      headers: [
        ['X-API-Key', unknownKey(`${program} ${plain.target}`)],
        ['User-Agent', userAgent],
      ],
    },
  }));

/** A guard that refuses no key may let a wrong one in. */
export const dressedUp = (name: string, plain: RawRequest): readonly Unlocked[] =>
  dresses.map(({ name: dress, how: { headers = [], ...how } }) => ({
    name: `${name} with a wrong key, ${dress}`,
    plain,
    other: { ...plain, ...how, headers: [['X-API-Key', unknownKey(`${dress} ${plain.target}`)], ...headers] },
  }));

/** In parts, so that nobody who reads the record takes it for a key that leaked. */
const unknownKey = (text: string): string =>
  `vk_live_${createHash('sha256').update(text).digest('hex').slice(0, 24).match(/.{8}/g)!.join('.')}`;

/** What developers switch on for themselves stays on for everybody. */
export const switchedOn = (name: string, plain: RawRequest): readonly Unlocked[] =>
  ['1', 'true'].map((on) => ({
    name: `${name} with debug=${on} in its query`,
    plain,
    other: {
      ...plain,
      target: `${plain.target}?${['debug', 'test', 'dev', 'admin', 'internal'].join(`=${on}&`)}=${on}`,
    },
  }));

/** What was answered is kept for whoever asks again, and by its name alone. */
export const repeated = (name: string, plain: RawRequest): readonly Unlocked[] =>
  [[], [['X-API-Key', unknownKey(plain.target)] as const]].map((key) => ({
    name: `${name} that was answered before${key.length === 0 ? '' : ', with a wrong key'}`,
    plain,
    other: { ...plain, headers: [...key, ['Idempotency-Key', attempt]] },
    answered: true,
  }));

/** Who looks for a header of this name finds one. */
export const withAnyCredentials = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} with credentials of another scheme`,
  plain,
  other: { ...plain, headers: [['Authorization', 'Basic bm9ib2R5Om5vdGhpbmc=']] },
});

/** Who looks for a cookie finds one. */
export const withAnyCookie = (name: string, plain: RawRequest): Unlocked => ({
  name: `${name} with a cookie of its own making`,
  plain,
  other: { ...plain, headers: [['Cookie', 'session=1; user=admin; role=admin; admin=true']] },
});

/** What a caller has already is looked at behind the key: RFC 9110, section 13.2.1. */
export const ifChanged = (name: string, plain: RawRequest): readonly Unlocked[] => [
  { name: `${name} if there is none yet`, plain, other: { ...plain, headers: [['If-None-Match', '*']] } },
  { name: `${name} if it has changed`, plain, other: plain, tagged: true },
];

/** The same question in other clothes: a guard may know one host, one version and one form of the request line. */
export const otherwiseSent = (name: string, plain: RawRequest): readonly Unlocked[] => [
  { name: `${name} of the host localhost`, plain, other: { ...plain, headers: [['Host', 'localhost']] } },
  { name: `${name} by its whole address`, plain, other: { ...plain, absolute: true } },
  { name: `${name} in HTTP/1.0`, plain, other: { ...plain, version: '1.0' } },
  {
    name: `${name} by who would rather have a WebSocket`,
    plain,
    other: { ...plain, headers: [['Upgrade', 'websocket']] },
  },
];
