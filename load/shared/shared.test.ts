import { describe, expect, test } from 'vitest';
import { wrongIn } from './answers.ts';
import { drawn, nonceOf } from './chance.ts';
import { highestRate, phase, secondsOf, vusFor, warmUpSlots } from './phases.ts';
import { scenarioNames, scenarios } from './scenarios.ts';

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
    const [phase, ...more] = scenarios.latency.phases(settings);
    expect(more).toEqual([]);
    expect(phase!.slotsWithin()).toBe(390);
    expect(phase!.slotAt(90)).toBe(3000);
  });

  test.each([
    [0.5, 5],
    [1 / 3, 4],
    [7.7, 77],
    [1000, 10_000],
  ])('%d a second in ten seconds are %d slots', (perSecond, slots) => {
    const [phase] = scenarios.latency.phases({ ...settings, perSecond, warmUpSeconds: 0 });
    expect(phase!.slotsWithin()).toBe(slots);
    expect(phase!.slotAt(slots - 1)).toBeLessThan(10_000);
  });

  test('multiples of a limit follow each other with a rest', () => {
    expect(scenarios.limits.phases(settings).map((each) => [highestRate(each), each.from])).toEqual([
      [2, 0],
      [4, 15],
      [6, 30],
      [12, 45],
    ]);
    expect(secondsOf(scenarios.limits.phases(settings))).toBe(55.5);
  });

  test('the noisy key and the quiet one are two', () => {
    const [alone, beside, noisy] = scenarios.isolation.phases(settings);
    expect([alone!.keys, beside!.keys, noisy!.keys]).toEqual([
      [1, 2],
      [1, 2],
      [0, 1],
    ]);
    expect(beside!.from).toBe(noisy!.from);
    expect(highestRate(noisy!)).toBe(30);
  });

  test('a spike is four times what is before and after it', () => {
    expect(scenarios.spike.phases(settings).map(highestRate)).toEqual([15, 60, 15]);
  });

  test('a ramp rises evenly from a fifth to the whole rate, and its slots come closer and closer', () => {
    const [ramp] = scenarios.ramp.phases({ ...settings, perSecond: 100 });
    expect([0, 3, 8, 13].map((second) => ramp!.rateAt(second))).toEqual([20, 20, 60, 100]);
    // 60 of the warm-up and 600 of the ramp, less the one that k6 keeps back of a rate that changes.
    expect(ramp!.slotsWithin()).toBe(659);
    expect(warmUpSlots(ramp!)).toBe(59);
    expect(ramp!.slotAt(59)).toBeCloseTo(3000, 6);
    const at = Array.from({ length: 659 }, (_, slot) => ramp!.slotAt(slot));
    const gaps = at.slice(1).map((ms, slot) => ms - at[slot]!);
    expect(Math.max(...gaps)).toBeCloseTo(50, 6);
    expect(gaps.at(-1)).toBeCloseTo(10, 1);
    for (const [slot, gap] of gaps.entries()) expect(gap).toBeLessThanOrEqual((gaps[slot - 1] ?? gap) + 1e-9);
    expect(ramp!.slotAt(664)).toBeCloseTo(13_050, 0);
  });

  test.each(scenarioNames)('%s: a slot lies in the second that counts it', (name) => {
    for (const each of scenarios[name].phases({ ...settings, perSecond: 7.3, quietPerSecond: 1.7 })) {
      const seconds = Math.ceil(each.seconds);
      const counted = Array.from({ length: seconds }, (_, at) => each.slotsWithin(at, at + 1));
      const found = counted.map(() => 0);
      for (let slot = 0; slot < each.slotsWithin(); slot += 1) found[Math.floor(each.slotAt(slot) / 1000 + 1e-9)]! += 1;
      expect(found).toEqual(counted);
      expect(each.slotAt(each.slotsWithin())).toBeGreaterThanOrEqual(1000 * each.seconds - 1e-6);
    }
  });

  test('what stays the same until it changes', () => {
    const changing = phase({
      from: 5,
      stretches: [
        { seconds: 2, from: 10, to: 10 },
        { seconds: 4, from: 10, to: 0.001 },
      ],
      keys: [0, 1],
      measuredFrom: 5,
    });
    expect(changing.slotsWithin()).toBe(40);
    expect([changing.slotAt(0), changing.slotAt(19)].map(Math.round)).toEqual([100, 2000]);
    expect(changing.slotAt(39)).toBeLessThan(6000);
  });

  test('nobody works alone, and no more than are allowed', () => {
    const at = (perSecond: number) => vusFor(scenarios.latency.phases({ ...settings, perSecond })[0]!, 2, 1000);
    expect([at(1), at(50), at(5000)]).toEqual([10, 120, 1000]);
  });
});

describe('seeded choices', () => {
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
