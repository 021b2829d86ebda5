/** Keys of several features, also where the profile knows one. */
import { expect, it } from 'vitest';
import type { AdminSubject, Subject } from '../../src/vocabulary.ts';
import { richEnough } from './odd-cells.ts';

const admin = { chooses: { create: ['features', 'tier'] } } as unknown as AdminSubject;
const knowing = (...features: readonly string[]): Subject =>
  ({ actors: { restricted: [{ needs: { features } }] }, keys: [] }) as unknown as Subject;
const featuresOf = (needed: readonly string[], subject: Subject) =>
  richEnough({ features: needed }, subject, admin).map(({ wanted, may, refusable }) => [
    wanted.features,
    may,
    refusable,
  ]);

it('what is needed stands behind another feature that the profile knows', () => {
  expect(featuresOf(['geo'], knowing('geo', 'bulk'))).toEqual([[['bulk', 'geo'], true, true]]);
});

it('where it knows one, behind one that nobody asks for: a service may refuse that', () => {
  expect(featuresOf(['geo'], knowing('geo'))).toEqual([[['geos', 'geo'], true, true]]);
});

it('a tier alone asks for no feature', () => {
  expect(featuresOf([], knowing())).toEqual([]);
});
