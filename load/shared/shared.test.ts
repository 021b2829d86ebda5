import { describe, expect, test } from 'vitest';
import { wrongIn } from './answers.ts';
import { drawn, nonceOf } from './chance.ts';
import { phasesOf, secondsOf, slotAtMs, slotsOf, vusFor } from './phases.ts';

const settings = {
  perSecond: 30,
  seconds: 10,
  warmUpSeconds: 3,
  limitPerSecond: 4,
  quietPerSecond: 2,
  keys: 3,
  restSeconds: 5,
};

describe('phases', () => {
  test('a constant rate is one phase, and its slots lie at even distances', () => {
    const [phase, ...more] = phasesOf('latency', settings);
    expect(more).toEqual([]);
    expect(slotsOf(phase!)).toBe(390);
    expect(slotAtMs(phase!, 90)).toBe(3000);
  });

  test.each([
    [0.5, 5],
    [1 / 3, 4],
    [7.7, 77],
    [1000, 10_000],
  ])('%d a second in ten seconds are %d slots', (perSecond, slots) => {
    const [phase] = phasesOf('latency', { ...settings, perSecond, warmUpSeconds: 0 });
    expect(slotsOf(phase!)).toBe(slots);
    expect(slotAtMs(phase!, slots - 1)).toBeLessThan(10_000);
  });

  test('multiples of a limit follow each other with a rest', () => {
    expect(phasesOf('limits', settings).map(({ perSecond, from }) => [perSecond, from])).toEqual([
      [2, 0],
      [4, 15],
      [6, 30],
      [12, 45],
    ]);
    expect(secondsOf(phasesOf('limits', settings))).toBe(55.5);
  });

  test('the noisy key and the quiet one are two', () => {
    const [alone, beside, noisy] = phasesOf('isolation', settings);
    expect([alone!.keys, beside!.keys, noisy!.keys]).toEqual([
      [1, 2],
      [1, 2],
      [0, 1],
    ]);
    expect(beside!.from).toBe(noisy!.from);
    expect(noisy!.perSecond).toBe(30);
  });

  test('a spike is four times what is before and after it', () => {
    expect(phasesOf('spike', settings).map(({ perSecond }) => perSecond)).toEqual([15, 60, 15]);
  });

  test('nobody works alone, and no more than are allowed', () => {
    const at = (perSecond: number) => vusFor({ ...phasesOf('latency', settings)[0]!, perSecond }, 2, 1000);
    expect([at(1), at(50), at(5000)]).toEqual([10, 120, 1000]);
  });
});

describe('chance that is none', () => {
  test('the same seed and slot give the same, another seed another', () => {
    const draws = (seed: number) => Array.from({ length: 2000 }, (_, slot) => drawn(seed, slot));
    expect(draws(7)).toEqual(draws(7));
    expect(draws(8)).not.toEqual(draws(7));
    const mean = draws(7).reduce((sum, each) => sum + each, 0) / 2000;
    expect(Math.abs(mean - 0.5)).toBeLessThan(0.03);
    expect(Math.min(...draws(7))).toBeGreaterThanOrEqual(0);
    expect(Math.max(...draws(7))).toBeLessThan(1);
  });

  test('no nonce is a part of another', () => {
    const nonces = Array.from({ length: 300 }, (_, slot) => nonceOf(7, 0, slot)).concat(
      nonceOf(7, 1, 1),
      nonceOf(71, 0, 1),
    );
    for (const nonce of nonces) expect(nonces.filter((other) => other.includes(nonce))).toEqual([nonce]);
  });
});

describe('answers', () => {
  const body = (value: unknown) => JSON.stringify(value);
  test.each<[unknown, string | undefined]>([
    [body({ items: [{ message: 'n7x' }], status: 'OK' }), undefined],
    [body({ items: [{ message: 'n8x' }], status: 'OK' }), 'items of another request'],
    [body({ items: [], status: 'OK' }), 'items of another request'],
    [body({ items: [{ message: 'n7x' }], status: 'PARTIAL' }), 'a PARTIAL answer: less was done than was asked'],
    [body({ items: 'n7x', status: 'OK' }), 'an answer without a list of items'],
    [body({ items: ['n7x'] }), 'an answer without a status'],
    [body(null), 'an answer that is not an object'],
    ['<html>', 'an answer that is not JSON'],
    [null, 'an answer without a body'],
  ])('%s: %s', (answer, wrong) => expect(wrongIn(answer, 'n7x')).toBe(wrong));

  test('without a nonce, items are enough', () => {
    expect(wrongIn(body({ items: [], status: '' }), undefined)).toBeUndefined();
  });
});
