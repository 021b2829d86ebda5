import { describe, expect, it } from 'vitest';
import { lackingStatus } from '../../fixtures/faults/sometimes-when.ts';
import { type Trial, tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { seeded } from '../random.ts';
import { contextsOf } from '../verdict/contexts.ts';
import { deriveAgain, differencesOf } from '../verdict/derive-again.ts';

const rules = { rules: catalogue.filter(({ id }) => id.startsWith('run.')), version: rulesVersion, specification: '' };

const tryChance = (oneIn: number, trial: Pick<Trial, 'seed' | 'repeat'>) => {
  const random = seeded(trial.seed);
  const lie = lackingStatus(() => random() < 1 / oneIn);
  return tryOn(rules, { name: 'by chance', overlays: [lie] }, { depth: 'quick', ...trial });
};

describe('asking everything more than once', () => {
  it('asks each rule this many times, and says so', async () => {
    const once = await tryChance(Number.POSITIVE_INFINITY, { seed: 1 });
    const often = await tryChance(Number.POSITIVE_INFINITY, { seed: 1, repeat: 3 });
    expect(once.header.repeat).toBeUndefined();
    expect(often.header.repeat).toBe(3);
    for (const planned of once.header.planned) {
      const contexts = often.header.planned.find(({ rule }) => rule === planned.rule)?.contexts;
      const observes = once.findings.find(({ rule }) => rule === planned.rule)?.verdict === 'observed';
      // Each round has rows of its own, of which a case with an actor of its own makes one of two now and then.
      const rounds = [1, 2, 3].map((seed) => contextsOf(planned.axes!, { depth: 'quick', seed }).length);
      const all = rounds.reduce((sum, each) => sum + each, 0);
      expect(contexts, planned.rule).toBe(observes || planned.untested !== undefined ? planned.contexts : all);
      expect(Math.min(...rounds), planned.rule).toBeGreaterThan((2 / 3) * Math.max(...rounds));
    }
    expect(differencesOf(often.findings, deriveAgain(often, catalogue))).toEqual([]);
  });

  it('finds intermittent faults more often', async () => {
    const found = async (repeat: number): Promise<number> => {
      let times = 0;
      for (let seed = 1; seed <= 8; seed += 1) {
        const { findings } = await tryChance(1000, { seed, repeat });
        if (findings.some(({ verdict }) => verdict === 'fail')) times += 1;
      }
      return times;
    };
    expect(await found(1)).toBeLessThan(await found(6));
  });
});
