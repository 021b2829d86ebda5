import { describe, expect, test } from 'vitest';
import { mayRun, tiersFrom } from './access.ts';

const order = ['free', 'pro', 'scale'];

describe('who may run what', () => {
  test.each([
    ['its tier is the one', { tier: 'pro' }, true],
    ['its tier is higher', { tier: 'scale' }, true],
    ['its tier is lower', { tier: 'free' }, false],
    ['its tier is not known', {}, undefined],
    ['its tier has no place in the order', { tier: 'custom' }, undefined],
  ])('by tier: %s', (_, holding, may) => {
    expect(mayRun({ features: [], tiers: tiersFrom('pro', order) }, holding)).toBe(may);
  });

  test.each([
    ['it has all features', { features: ['geo', 'bulk', 'x'] }, true],
    ['it lacks one', { features: ['geo', 'x'] }, false],
    ['its features are not known', {}, undefined],
  ])('by features: %s', (_, holding, may) => {
    expect(mayRun({ features: ['geo', 'bulk'] }, holding)).toBe(may);
  });

  test('one part that is known to be too little decides, whatever is not known of the other', () => {
    const needs = { features: ['geo'], tiers: tiersFrom('pro', order) };
    expect(mayRun(needs, { features: [] })).toBe(false);
    expect(mayRun(needs, { tier: 'free' })).toBe(false);
    expect(mayRun(needs, { tier: 'pro' })).toBeUndefined();
    expect(mayRun(needs, { tier: 'pro', features: ['geo'] })).toBe(true);
  });

  test('without an order only the tier itself is known to be enough', () => {
    expect(tiersFrom('pro', [])).toEqual({ enough: ['pro'], tooLow: [] });
  });
});
