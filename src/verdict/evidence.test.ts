import { expect, test } from 'vitest';
import type { Exchange } from '../model/exchange.ts';
import { exchangesNamed, packEvidence, unpackEvidence } from './evidence.ts';

const exchange: Exchange = {
  id: 7,
  purpose: 'ask',
  instance: 'main',
  request: { method: 'GET', target: '/', head: '', headers: [] },
  at: { sent: 0, end: 1 },
  connection: { number: 1, use: 1 },
};
const exchanges = new Map([[7, exchange]]);
const thereAndBack = (evidence: Parameters<typeof packEvidence>[0]) =>
  unpackEvidence(JSON.parse(JSON.stringify(packEvidence(evidence))), exchanges);

test('exchanges are named by their numbers, at any depth', () => {
  const evidence = { refused: exchange, list: [exchange, { reached: 0 }], text: 'a', nothing: null };
  expect(packEvidence(evidence)).toEqual({
    refused: { $exchange: 7 },
    list: [{ $exchange: 7 }, { reached: 0 }],
    text: 'a',
    nothing: null,
  });
  expect(exchangesNamed(packEvidence(evidence))).toEqual([7, 7]);
  expect(thereAndBack(evidence)).toEqual(evidence);
});

test('what looks like a mark but is data stays data', () => {
  const hostile = { $exchange: 7, $$exchange: { $exchange: 8 } };
  expect(exchangesNamed(packEvidence(hostile))).toEqual([]);
  expect(thereAndBack(hostile)).toEqual(hostile);
  const inherited = JSON.parse('{"__proto__": {"$exchange": 1}}');
  expect(JSON.stringify(thereAndBack(inherited))).toBe(JSON.stringify(inherited));
});

test('what a file cannot hold is the same before and after', () => {
  for (const odd of [undefined, Number.NaN, Number.POSITIVE_INFINITY, -0, [undefined], { gone: undefined }])
    expect(thereAndBack(odd)).toEqual(unpackEvidence(packEvidence(odd), exchanges));
  expect(packEvidence({ gone: undefined })).toEqual({});
});

test('an exchange that is not there is said so', () => {
  expect(() => unpackEvidence({ $exchange: 9 }, exchanges)).toThrow('names exchange 9');
});
