/** A seeded sample of faulty and lawful services is judged over real sockets as it is in memory. */
import { describe, expect, it } from 'vitest';
import { hashOf } from '../../src/random.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { problemsOf, resultOf } from './result.ts';
import { tryOnSockets } from './try-on-sockets.ts';
import { allTrials, isPatient } from './variants.ts';

const ids = catalogue.map((rule) => rule.id);
const trials = await allTrials();

describe('over real sockets', () => {
  const rules = { rules: catalogue, version: rulesVersion, specification: 'matrix' };
  // By their names: a new variant moves none of the others.
  const sample = (kind: 'fault' | 'lawful', count: number) =>
    trials
      .filter(
        ({ kind: own, depth, variant }) =>
          own === kind && depth === 'quick' && variant.areas === undefined && !isPatient(variant),
      )
      .toSorted((one, other) => hashOf(one.variant.name) - hashOf(other.variant.name))
      .slice(0, count);

  it.each([...sample('fault', 8), ...sample('lawful', 4)].map((trial) => [trial.variant.name, trial] as const))(
    '%s is judged as in memory',
    async (_, trial) => {
      const run = await tryOnSockets(rules, trial.variant, { depth: 'quick', seed: 1 });
      expect(problemsOf([resultOf(trial, run, 0)], ids, [])).toEqual([]);
    },
  );
});
