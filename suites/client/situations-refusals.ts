/** What a client meets when it is refused: for good, or for a while. */
import type { Answer, Situation } from '../../src/vocabulary.ts';
import { brokenOff, failure, limited, page, quick, result } from './answers.ts';

const failing = (name: string, title: string, answer: Answer): Situation => ({
  name,
  title,
  depth: 'standard',
  items: 0,
  answers: () => [answer],
});

/** First these, then a result. */
const passing = (name: string, title: string, ...first: readonly Answer[]): Situation => ({
  name,
  title,
  depth: 'standard',
  items: 3,
  answers: (plant) => [...first, result(plant)],
});

const megabytes = (): string =>
  JSON.stringify({ error: 'invalid_input', detail: 'url: '.repeat(1024 * 1024), actor: 'web-harvest' });

/** A repeated call may be refused as well, although the first only got a Retry-After. */
const refused = (status: number): Situation =>
  quick({
    ...failing(`refused-${status}`, `a run that is refused with ${status}`, failure(status)),
    refuses: true,
    varies: ['repeated'],
  });

/** Who may come back later need not come back with the same. */
const refusedLater = (status: number): Situation =>
  quick(
    failing(
      `refused-${status}-later`,
      `a run that is refused with ${status} and \`Retry-After: 1\``,
      failure(status, [['Retry-After', '1']]),
    ),
  );

/** Without what a client can read: a body is no reason to fall over. */
const bodies: readonly Situation[] = [
  { ...quick(failing('error-page', 'a 400 that is a page', page(400))), varies: ['repeated'] },
  quick(failing('error-empty', 'a 403 without a body', { status: 403, body: '', type: null })),
  quick(failing('error-empty-404', 'a 404 without a body', { status: 404, body: '', type: null })),
  quick(failing('error-cut', 'a 404 whose JSON is cut off', { status: 404, body: '{"error":"not_fou' })),
  {
    ...quick(failing('error-large', 'a 422 of five megabytes', failure(422))),
    answers: () => [{ status: 422, body: megabytes() }],
  },
  quick(failing('error-broken', 'a 404 that breaks off', brokenOff('in-body', failure(404)))),
  quick(failing('error-bare', 'a 400 without `detail`', { status: 400, body: '{}' })),
  quick(failing('error-null', 'a 422 whose body is `null`', { status: 422, body: 'null' })),
  {
    ...quick(failing('error-with-items', 'a 422 whose body has `items` as well', failure(422))),
    items: 3,
    answers: (plant) => [
      { ...result(plant, { more: { error: 'invalid_input', detail: 'limit: too many' } }), status: 422 },
    ],
  },
  quick(failing('error-list', 'a 400 whose body is a list', { status: 400, body: '[{"error":7,"detail":["x"]}]' })),
];

/** Bursts take less, and two waits of two seconds are seen. */
const untoldMs = 4500;

/** By a client that reads dates, it is waited for or given up, and overflows no timer. */
const limitedUntil = (name: string, title: string): Situation => ({
  ...failing(name, title, failure(429)),
  answers: ({ inAnHour }) => [limited(inAnHour)],
  watchedMs: untoldMs,
  mostRuns: 12,
});

const limits: readonly Situation[] = [
  quick(passing('limited-once', '429 with `Retry-After: 1`', limited('1'))),
  passing('limited-two', '429 with `Retry-After: 2`', limited('2')),
  passing('limited-four', '429 with `Retry-After: 4`', limited('4')),
  passing('limited-eight', '429 with `Retry-After: 8`', limited('8')),
  { ...passing('limited-ten', '429 with `Retry-After: 10`', limited('10')), quietMs: 14_000 },
  quick(passing('limited-caseless', '429 with `retry-after: 3`', limited('3', 'retry-after'))),
  { ...passing('limited-minutes', '429 with `Retry-After: 90`', limited('90')), watchedMs: 8000 },
  passing('limited-page', '429 with `Retry-After: 2` and a page', { ...page(429), headers: [['Retry-After', '2']] }),
  quick(passing('limited-newest', '429 with `Retry-After: 1`, then with 4', limited('1'), limited('4'))),
  { ...failing('limited-always', '429 with `Retry-After: 1`, always', limited('1')), quietMs: 6000, mostRuns: 6 },
  { ...passing('limited-missing', '429 without `Retry-After`', limited(undefined), limited(undefined)), quietMs: 8000 },
  {
    ...failing('limited-missing-always', '429 without `Retry-After`, always', limited(undefined)),
    watchedMs: untoldMs,
    mostRuns: 12,
  },
  {
    ...failing('limited-missing-again', '429 without `Retry-After`, always, for the second time', limited(undefined)),
    watchedMs: untoldMs,
    mostRuns: 12,
    after: 'limited-missing-always',
  },
  {
    ...passing('limited-date', '429 with a date in `Retry-After`', limited('Fri, 31 Dec 2100 23:59:59 GMT')),
    quietMs: 4000,
  },
  limitedUntil('limited-date-always', '429 with a date in `Retry-After`, always'),
  {
    ...limitedUntil('limited-date-always-again', '429 with a date in `Retry-After`, always, for the second time'),
    after: 'limited-date-always',
  },
  { ...failing('limited-zero', '429 with `Retry-After: 0`, always', limited('0')), watchedMs: untoldMs, mostRuns: 40 },
  passing('limited-after-failing', 'a 502, then 429 with `Retry-After: 2`', failure(502), limited('2')),
  passing('limited-after-504', 'a 504, then 429 with `Retry-After: 3`', failure(504), limited('3')),
  { ...passing('limited-absurd', '429 with `Retry-After: 86400`', limited('86400')), quietMs: 4000 },
  { ...failing('limited-garbage', '429 with `Retry-After: soon`', limited('soon')), watchedMs: untoldMs, mostRuns: 12 },
  {
    ...failing('limited-garbage-again', '429 with `Retry-After: soon`, for the second time', limited('soon')),
    watchedMs: untoldMs,
    mostRuns: 12,
    after: 'limited-garbage',
  },
  {
    ...failing('limited-huge', '429 with a `Retry-After` of eleven digits', limited('99999999999')),
    quietMs: 4000,
    mostRuns: 12,
  },
  {
    ...failing(
      'limited-huge-again',
      '429 with a `Retry-After` of eleven digits, for the second time',
      limited('99999999999'),
    ),
    quietMs: 4000,
    mostRuns: 12,
    after: 'limited-huge',
  },
  {
    ...failing('limited-negative', '429 with `Retry-After: -1`', limited('-1')),
    watchedMs: untoldMs,
    mostRuns: 12,
  },
];

const failingOnceLimited = (name: string, title: string): Situation => ({
  ...failing(name, title, failure(500)),
  answers: () => [limited('1'), failure(500)],
  quietMs: 20_000,
});

const failures: readonly Situation[] = [
  quick(passing('failing-once-500', 'a 500, once', failure(500))),
  quick(passing('failing-once-502', 'a 502, once', failure(502))),
  passing('failing-once-503', 'a 503 with `Retry-After: 1`, once', failure(503, [['Retry-After', '1']])),
  quick(passing('failing-once-504', 'a 504, once', failure(504))),
  passing('failing-once-page', 'a 502 that is a page, once', page(502)),
  {
    ...quick(passing('partial-after-failing', 'a 502, once, and then a PARTIAL run', failure(502))),
    answers: (plant) => [failure(502), result(plant, { status: 'PARTIAL' })],
  },
  { ...failing('failing-500', '500, always', failure(500)), quietMs: 20_000 },
  {
    ...failing('failing-500-again', '500, always, for the second time', failure(500)),
    quietMs: 20_000,
    after: 'failing-500',
  },
  {
    ...failing('failing-500-third', '500, always, for the third time', failure(500)),
    quietMs: 20_000,
    after: 'failing-500-again',
  },
  { ...failing('failing-502', '502, always', failure(502)), quietMs: 20_000 },
  {
    ...failing('failing-502-again', '502, always, for the second time', failure(502)),
    quietMs: 20_000,
    after: 'failing-502',
  },
  { ...failing('failing-504', '504, always', failure(504)), quietMs: 20_000 },
  {
    ...failing('failing-504-again', '504, always, for the second time', failure(504)),
    quietMs: 20_000,
    after: 'failing-504',
  },
  failingOnceLimited('failing-after-429', '429 with `Retry-After: 1`, then 500, always'),
  {
    ...failingOnceLimited(
      'failing-after-429-again',
      '429 with `Retry-After: 1`, then 500, always, for the second time',
    ),
    after: 'failing-after-429',
  },
  {
    ...failing('failing-by-turns', '429 with `Retry-After: 1` and 500 by turns, always', failure(500)),
    answers: () => Array.from({ length: 40 }, (_, at) => (at % 2 === 0 ? limited('1') : failure(500))),
    quietMs: 20_000,
    mostRuns: 20,
  },
  {
    ...failing('failing-by-kinds', '500 and 502 by turns, always', failure(500)),
    answers: () => Array.from({ length: 40 }, (_, at) => failure(at % 2 === 0 ? 500 : 502)),
    quietMs: 20_000,
    mostRuns: 40,
  },
  {
    ...failing('refused-after-failing', 'a 500, and then 422', failure(422)),
    answers: () => [failure(500), failure(422)],
  },
  passing('broken-before', 'a connection that breaks before the request', brokenOff('before-request', failure(500))),
  passing('broken-after', 'a connection that breaks after the request', brokenOff('after-request', failure(500))),
  {
    ...failing(
      'broken-always',
      'connections that always break after the request',
      brokenOff('after-request', failure(500)),
    ),
    quietMs: 20_000,
  },
];

const redirect = (status: number): Situation => ({
  ...failing(`redirected-${status}`, `a ${status} to another host`, failure(500)),
  answers: ({ elsewhere }) => [
    {
      status,
      headers: [['Location', `${elsewhere}/v1/actors/web-harvest/run-sync-get-dataset-items`]],
      body: '',
      type: null,
    },
  ],
});

export const refusalSituations: readonly Situation[] = [
  ...[400, 401, 403, 404, 422].map(refused),
  ...[404, 422].map(refusedLater),
  ...bodies,
  ...limits,
  ...failures,
  redirect(302),
  { ...quick(redirect(307)), varies: ['repeated'] },
  { ...passing('herd', 'a 500, once, for twenty copies', failure(500)), copies: 20, quietMs: 20_000 },
];
