/** Passes that would prove nothing: what was seen does not say what the rule is about. */
import { expect, it } from 'vitest';
import { type Evidence, type Exchange, expectJsonContentType, type JudgedRule } from '../../src/vocabulary.ts';
import { answers429 } from './address/strangers.ts';
import { createdKeyFormat } from './admin/keys.ts';
import { retryAfterIsSeconds } from './limit/refusals.ts';
import { keepAlive } from './run/run.ts';
import { textIsText } from './run/texts.ts';
import { recovers } from './upstream/upstream.ts';

const exchange = (status: number, use: number, body: unknown = {}, headers: [string, string][] = []): Exchange => ({
  id: 1,
  purpose: 'ask',
  instance: 'main',
  request: { method: 'POST', target: '/', head: '', headers: [] },
  response: { status, head: '', headers, body: { text: JSON.stringify(body), bytes: 0 } },
  at: { sent: 0, end: 1 },
  connection: { number: 1, use },
});

const gatesOf = (rule: JudgedRule, evidence: Evidence) =>
  rule.given?.(evidence as never, {}).filter((gate) => gate !== undefined) ?? [];

it('of a service that closes each connection nothing is known about kept ones', () => {
  const closed = [exchange(200, 1), exchange(200, 1)];
  expect(gatesOf(keepAlive, { runs: closed, refused: [] })[0]).toHaveProperty('inapplicable');
  expect(gatesOf(keepAlive, { runs: [exchange(200, 1), exchange(200, 2)], refused: [] })).toEqual([]);
});

it('what is said on an idle connection answers nothing', () => {
  const runs = [exchange(200, 1), exchange(408, 2)];
  expect(gatesOf(keepAlive, { runs, refused: [] })[0]).toHaveProperty('inconclusive');
});

it('from what was no failure nobody recovers', () => {
  const next = exchange(200, 2);
  expect(gatesOf(recovers, { failed: exchange(200, 1, { status: 'OK', items: [] }), next })).toHaveLength(1);
  expect(gatesOf(recovers, { failed: exchange(502, 1), next })).toEqual([]);
  expect(gatesOf(recovers, { failed: exchange(200, 1, { status: 'PARTIAL', items: [1] }), next })).toEqual([]);
});

it('a key is looked at where the profile says that it stands', () => {
  const judged = (body: unknown) =>
    createdKeyFormat.judge(
      { created: { answer: exchange(201, 1, body), name: 'created-1', identified: true } } as never,
      { at: '/key' },
    );
  expect(judged({ key: 'vk_live_«created-1»' })).toEqual([]);
  expect(judged({ key: '«created-1»', example: 'vk_live_«created-1»' })).toHaveLength(1);
});

it('a no-break space is no blank', () => {
  const said = (value: string) =>
    retryAfterIsSeconds.judge(
      exchange(429, 1, {}, [['Retry-After', value]]),
      { planted: new Map(), worked: new Map(), served: new Map(), shown: new Map(), actors: [] },
      [],
    );
  expect(said('1')).toEqual([]);
  expect(said('\u00a01')).toHaveLength(1);
  const typed = (value: string) => expectJsonContentType(exchange(200, 1, {}, [['Content-Type', value]]));
  expect(typed(' application/json\t; charset=utf-8')).toEqual([]);
  expect(typed('application/json\u00a0')).toHaveLength(1);
});

it('who was not asked is not said to have answered something', () => {
  const says = (shown: readonly Exchange[]) => JSON.stringify(gatesOf(answers429, { strangers: [], shown })[0]);
  expect(says([])).toContain('the budget ended');
  expect(says([exchange(200, 1)])).toContain('neither 401 nor 429');
  expect(says([exchange(401, 1)])).toContain('no limit within the budget');
});

it('an answer that breaks off once, or in a run that did not look further, may have done so by chance', () => {
  const torn: Exchange = {
    ...exchange(200, 1),
    failure: { kind: 'closed-in-body', says: 'The connection was closed.' },
  };
  const again = (count: number) => Array.from({ length: count }, () => torn);
  expect(gatesOf(textIsText, { exchange: torn })[0]).toHaveProperty('inconclusive');
  expect(gatesOf(textIsText, { exchange: torn, again: [...again(5), exchange(200, 1)] })[0]).toHaveProperty(
    'inconclusive',
  );
  expect(gatesOf(textIsText, { exchange: torn, again: again(6) })).toEqual([]);
  expect(textIsText.judge({ exchange: torn, again: again(6) } as never, { text: 'é' })).toHaveLength(1);
});
