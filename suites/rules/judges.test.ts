/** The judgements that have to be finest: each next to what is lawful and near it. */
import { describe, expect, test } from 'vitest';
import { expectFieldNamed, mentions } from '../../src/vocabulary.ts';
import { actorNamed, hasBodyByRight, isAdmin } from '../language/answers.ts';
import {
  expectFailureOfSources,
  expectInvalidKey,
  expectNoWork,
  expectPartial,
  expectUsableItems,
  expectVerified,
} from '../language/expectations.ts';
import { expectSameAnswer } from '../language/same-answer.ts';
import { made, ran, runTarget, weights } from '../language/testing.ts';

const partial = { items: [{ page: 1 }], status: 'PARTIAL' };
const done = { items: [{ page: 1 }], status: 'SUCCEEDED' };
const error = { error: 'source_timeout', detail: 'Too slow.', actor: 'an-actor' };

describe('a name in a text', () => {
  test.each([
    ['limit is required', 'limit'],
    ["must have required property 'limit'", 'limit'],
    ['filters.limit: missing', 'limit'],
    ['/limit must be <= 3', 'limit'],
    ['the unlimited limit', 'limit'],
  ])('%s mentions %s', (text, name) => expect(mentions(text, name)).toBe(true));
  test.each([
    ['this is unlimited', 'limit'],
    ['limits are required', 'limit'],
    ['max_limit is required', 'limit'],
    ['', 'limit'],
  ])('%j does not mention %s', (text, name) => expect(mentions(text, name)).toBe(false));
  test('case is no matter, and a path counts by its last name', () => {
    const exchange = ran(422, { error: 'x', detail: 'Country is missing' });
    expect(expectFieldNamed(exchange, 'filters.country')).toEqual([]);
    expect(expectFieldNamed(ran(422, { error: 'x', detail: 'tags: wrong item' }), 'tags.0')).toEqual([]);
    expect(weights(expectFieldNamed(ran(422, { error: 'x', detail: 'a field is missing' }), 'city'))).toBe('violation');
    expect(weights(expectFieldNamed(ran(422, { error: 'x', detail: ['city'] }), 'city'))).toBe('violation');
  });
});

describe('an invalid key at verify', () => {
  test.each([
    [401, { error: 'x', detail: 'y' }, ''],
    [200, { valid: false, tier: '' }, 'warning'],
    [200, { valid: true, tier: 'pro' }, 'violation'],
    [200, { tier: 'pro' }, 'violation'],
    [200, 'no JSON', 'violation'],
    [403, { error: 'x', detail: 'y' }, 'violation'],
    [400, {}, 'violation'],
  ])('%i %j: %j', (status, answer, expected) => {
    expect(weights(expectInvalidKey(made({ status, answer })))).toBe(expected);
  });
});

test('a valid key verifies with any 2xx, and with a tier that says something', () => {
  expect(expectVerified(made({ status: 203, answer: { valid: true, tier: 'pro', more: 1 } }))).toEqual([]);
  expect(weights(expectVerified(made({ status: 200, answer: { valid: true, tier: '' } })))).toBe('violation');
  expect(weights(expectVerified(made({ status: 200, answer: { valid: 'true', tier: 'pro' } })))).toBe('violation');
  expect(weights(expectVerified(made({ status: 401, answer: {} })))).toBe('violation');
});

describe('every source failed', () => {
  test.each([
    ['502', 502, error, '', ''],
    ['504', 504, error, '', ''],
    ['500', 500, error, 'violation', 'warning'],
    ['422', 422, error, 'violation', 'warning'],
    ['a success that is not PARTIAL', 200, { items: [], status: 'FAILED' }, 'note', 'warning'],
    ['a PARTIAL with items', 200, partial, 'violation', 'warning'],
    ['a PARTIAL without items', 200, { items: [], status: 'PARTIAL' }, 'violation', 'violation'],
    ['a PARTIAL whose items are no array', 200, { items: {}, status: 'PARTIAL' }, 'violation', 'violation'],
  ])('%s', (_, status, answer, whenSlow, otherwise) => {
    expect(weights(expectFailureOfSources(ran(status, answer), true))).toBe(whenSlow);
    expect(weights(expectFailureOfSources(ran(status, answer), false))).toBe(otherwise);
  });
});

describe('some sources failed', () => {
  test.each([
    ['PARTIAL', 206, partial, '', ''],
    ['another status', 200, done, 'violation', 'note'],
    ['partial in small letters', 200, { ...partial, status: 'partial' }, 'violation', 'note'],
    ['no status', 200, { items: [] }, 'violation', 'note'],
    ['502', 502, error, 'warning', 'note'],
    ['504', 504, error, 'warning', 'note'],
    ['500', 500, error, 'violation', 'note'],
  ])('%s', (_, status, answer, sure, doubtful) => {
    expect(weights(expectPartial(ran(status, answer), true))).toBe(sure);
    expect(weights(expectPartial(ran(status, answer), false))).toBe(doubtful);
  });
});

test('only a success that says PARTIAL promises items', () => {
  expect(expectUsableItems(ran(200, partial))).toEqual([]);
  expect(expectUsableItems(ran(200, { items: [], status: 'EMPTY' }))).toEqual([]);
  expect(expectUsableItems(ran(502, { items: [], status: 'PARTIAL' }))).toEqual([]);
  expect(weights(expectUsableItems(ran(200, { status: 'PARTIAL' })))).toBe('violation');
});

test('work is counted', () => {
  const refused = ran(401, error);
  expect(expectNoWork({ refused, reached: { of: refused, times: 0 } })).toEqual([]);
  expect(weights(expectNoWork({ refused, reached: { of: refused, times: 1 } }))).toBe('violation');
});

/** The profile's own actors may be called as they like. */
const scene = {
  planted: new Map<string, number>(),
  worked: new Map<string, number>(),
  served: new Map<string, number>(),
  shown: new Map<string, never>(),
  actors: ['東京', 'an-actor'],
};

describe('the actor that a path names', () => {
  test.each([
    ['GET', '/v1/actors/a.b-c_1', 'a.b-c_1'],
    ['POST', `${runTarget('news')}?x=1`, 'news'],
    ['GET', '/some/prefix/v1/actors/news', 'news'],
    ['POST', '/v1/actors/news', undefined],
    ['GET', runTarget('news'), undefined],
    ['GET', '/v1/actors/a%2Fb', undefined],
    ['GET', '/v1/actors/team~news', 'team~news'],
    ['GET', '/v1/actors/%E6%9D%B1%E4%BA%AC', '東京'],
    ['GET', '/v1/actors/%E6%9D%B1', undefined],
    ['GET', '/v1/actors/news/', undefined],
    ['GET', '/v1/actors/news/more', undefined],
    ['GET', '//v1/actors/news', undefined],
    ['GET', '/v1/actors/..', undefined],
    ['GET', '/actors/news', undefined],
    ['HEAD', '/v1/actors/news', undefined],
  ])('%s %s: %s', (method, target, name) =>
    expect(actorNamed(made({ method, target, status: 404 }), scene)).toBe(name),
  );
});

test('sweeps pass over what has no body by right, and what is no admin path', () => {
  expect(hasBodyByRight(made({ method: 'HEAD', status: 404 }), scene)).toBe(false);
  expect(hasBodyByRight(made({ target: '/v1/actors/%E6%9D%B1%E4%BA%AC' }), scene)).toBe(true);
  expect(hasBodyByRight(made({ target: '/v1/actors/%E6%9D%B1' }), scene)).toBe(false);
  expect(hasBodyByRight(made({ status: 404, purpose: 'twin' }), scene)).toBe(true);
  expect(hasBodyByRight(made({ target: '/v1/auth/verify?page=%zz' }), scene)).toBe(false);
  expect(hasBodyByRight(made({ target: '/v1/auth/verify?page={1}' }), scene)).toBe(false);
  expect(hasBodyByRight(made({ target: '/v1/auth/verify?page=%7b1&to=/v1/,;' }), scene)).toBe(true);
  const withKey = (value: string) => hasBodyByRight(made({ sent: [['X-API-Key', value]] }), scene);
  expect(withKey('vk_live_«main»')).toBe(true);
  expect(withKey('vk_live_«main:beyond-ascii»')).toBe(false);
  expect(withKey('éü')).toBe(false);
  expect(withKey('o'.repeat(4000))).toBe(false);
  expect(isAdmin(made({ target: '/base/v1/admin/keys/1', status: 404 }))).toBe(true);
  expect(isAdmin(made({ target: '/v1/administration', status: 404 }))).toBe(false);
  expect(isAdmin(made({ target: '/v1/actors/x?to=/v1/admin/', status: 404 }))).toBe(false);
});

describe('an answer that ignores the token', () => {
  const refusal = (request: number, detail = 'Nothing here.') =>
    made({ status: 404, answer: { error: 'unknown_route', detail, request, at: { seconds: 7 } } });
  test('what differs between identical calls may differ', () => {
    expect(expectSameAnswer([refusal(1), refusal(2)], refusal(3), 'a token')).toEqual([]);
  });
  test('what they agree on may not', () => {
    expect(weights(expectSameAnswer([refusal(1), refusal(2)], refusal(3, 'Wrong token.'), 'a token'))).toBe(
      'violation',
    );
    const other = made({ status: 401, answer: { error: 'unknown_route', detail: 'Nothing here.', request: 3 } });
    expect(weights(expectSameAnswer([refusal(1), refusal(2)], other, 'a token'))).toBe('violation');
  });
  test('a member more is a difference', () => {
    const bare = made({ status: 404, answer: { error: 'x' } });
    const more = made({ status: 404, answer: { error: 'x', hint: 'nearly' } });
    expect(weights(expectSameAnswer([bare, bare], more, 'a token'))).toBe('violation');
    expect(weights(expectSameAnswer([more, more], bare, 'a token'))).toBe('violation');
  });
  test('a text that is no JSON counts as a whole', () => {
    const [one, two] = [made({ status: 404, answer: 'Not found' }), made({ status: 404, answer: 'Wrong' })];
    expect(expectSameAnswer([one, one], one, 'a token')).toEqual([]);
    expect(weights(expectSameAnswer([one, one], two, 'a token'))).toBe('violation');
  });
});
