import { describe, expect, it } from 'vitest';
import type { Exchange } from './exchange.ts';
import { expectErrorBody, expectFieldNamed, expectStatus, holdsText, mentions } from './expect.ts';

const answered = (status: number, body: unknown): Exchange => ({
  id: 1,
  purpose: 'ask',
  instance: 'main',
  request: { method: 'GET', target: '/', head: '', headers: [] },
  response: { status, head: '', headers: [], body: { text: JSON.stringify(body), bytes: 1 } },
  at: { sent: 0, end: 1 },
  connection: { number: 1, use: 1 },
});

const detail = (text: unknown): Exchange => answered(422, { error: 'invalid_input', detail: text, actor: 'x' });

describe('naming a field', () => {
  it.each([
    ['country', 'country is required'],
    ['country', 'Country is required'],
    ['filters.country', 'body.filters.country: required'],
    ['filters.country', '/filters/country must be there'],
    ['filters.country', 'filters[country] fehlt'],
    ['filters.country', 'Das Feld „country“ fehlt'],
    ['country', 'country은(는) 필수'],
    ['country', '字段country缺失'],
    ['tags.0', 'tags[0] is no string'],
    ['a/b', 'at /a~1b'],
    ['größe', 'größe fehlt'.normalize('NFD')],
    ['urls', 'body%5Burls%5D'],
    ['max_items', 'max_items must be positive'],
  ])('%s is named by "%s"', (field, text) => {
    expect(expectFieldNamed(detail(text), field)).toEqual([]);
  });

  it.each([
    ['limit', 'the number is unlimited'],
    ['form', 'filters_form is wrong'],
    ['url', 'urls is wrong'],
    ['country', 'something is wrong'],
    ['country', ''],
    ['country', [{ loc: ['country'] }]],
    ['country', null],
  ])('%s is not named by %j', (field, text) => {
    expect(expectFieldNamed(detail(text), field)).toHaveLength(1);
  });
});

describe('expectations', () => {
  it('say what was expected and what was received', () => {
    expect(expectStatus(answered(404, {}), [400, 422])).toEqual([
      { weight: 'violation', expected: '400 or 422', came: '404', exchange: 1 },
    ]);
    expect(expectStatus(answered(204, {}), '2xx')).toEqual([]);
  });

  it('see every fault of an error body at once', () => {
    expect(expectErrorBody(answered(400, { error: 3 })).map((reason) => reason.expected)).toEqual([
      '`error` to be a non-empty string',
      '`detail` to be a non-empty string',
    ]);
    expect(expectErrorBody(answered(400, ['x']))[0]?.came).toBe('JSON, but an array of 1');
    expect(expectErrorBody(answered(400, { error: 'e', detail: 'd', more: 1 }))).toEqual([]);
  });

  it('find a text anywhere in a tree, also one that JSON escapes', () => {
    expect(holdsText([{ a: ['x "quoted" y'] }], '"quoted"')).toBe(true);
    expect(holdsText({ a: 1 }, 'a"')).toBe(false);
    expect(mentions('ab abc', 'ab')).toBe(true);
    expect(mentions('abc', 'ab')).toBe(false);
  });
});
