/**
 * The proof: every rule is killed by the faults that name it and by no others, and no lawful service is accused. In memory, for
 * as many as prove every rule: `npm run prove -- matrix` tries all there are.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isObservation } from '../../src/vocabulary.ts';
import { catalogue } from '../../suites/index.ts';
import { runMatrix } from './matrix.ts';
import { merged, problemsOf, type Result } from './result.ts';
import { allFaults, allLawful, allTrials, core, shareOf } from './variants.ts';

const ids = catalogue.map((rule) => rule.id);
const canFail = catalogue.filter((rule) => !isObservation(rule)).map((rule) => rule.id);
const trials = await allTrials();
const chosen = core(trials);

describe('the matrix', () => {
  it('is exact', async () => {
    const matrix = await runMatrix(chosen, 1, { inShort: 'by its own rules' });
    expect([...matrix.failures, ...problemsOf(matrix.results, ids, canFail)]).toEqual([]);
    expect(matrix.results).toHaveLength(chosen.length);
  }, 600_000);

  it('asks a few rules alone, and counts only what they must find', async () => {
    const told = trials.findIndex(({ kills }) => kills.length > 1);
    const [rule] = trials[told]!.kills;
    const { results } = await runMatrix([told], 1, { only: [rule!] });
    expect(problemsOf(results, ids, [])).toEqual([]);
    expect(results[0]!.declared).toEqual([rule]);
  });

  it('is what `proofs/matrix/proofs.json` says: each kill that a fault declares (npm run prove -- matrix NAME writes it)', () => {
    const written = JSON.parse(readFileSync(new URL('./proofs.json', import.meta.url), 'utf8')) as Record<
      string,
      string[]
    >;
    const told = Object.entries(written).flatMap(([rule, by]) => by.map((fault) => `${rule} ${fault}`));
    const faults = trials.filter(({ kind }) => kind === 'fault');
    const declared = faults.flatMap(({ variant, kills }) => kills.map((rule) => `${rule} ${variant.name}`));
    expect(told.toSorted()).toEqual(declared.toSorted());
    expect(Object.keys(written).filter((rule) => !ids.some((id) => id === rule))).toEqual([]);
  });

  it('is tried by CI without a gap: each fault every day, and in ten days by all rules', () => {
    const ofFaults = (indexes: readonly number[]) => indexes.filter((index) => trials[index]!.kind === 'fault');
    const all = ofFaults(trials.map((_, index) => index));
    const days = Array.from({ length: 10 }, (_, day) => shareOf(trials, day));
    for (const { inShort, whole } of days)
      expect(ofFaults([...inShort, ...whole]).toSorted((a, b) => a - b)).toEqual(all);
    expect(days.flatMap(({ whole }) => ofFaults(whole)).toSorted((a, b) => a - b)).toEqual(all);
  });

  it('names each fault and each lawful variant once', async () => {
    const names = [...(await allFaults()), ...(await allLawful())].map((each) => each.name);
    expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
  });

  it('holds at least forty faults that show only sometimes, and thirty lawful variants', async () => {
    expect((await allFaults()).filter((fault) => fault.depth === 'standard').length).toBeGreaterThanOrEqual(40);
    expect((await allLawful()).length).toBeGreaterThanOrEqual(30);
  });
});

describe('what is wrong with a matrix', () => {
  const result = (more: Partial<Result>): Result => ({
    name: 'x',
    kind: 'fault',
    depth: 'quick',
    declared: ['a.one'],
    unproven: [],
    said: { 'a.one': 'fail' },
    reasons: {},
    exchanges: 1,
    ms: 1,
    ...more,
  });
  const told = (...results: Result[]) => problemsOf(results, ['a.one', 'a.two'], ['a.one']);

  it.each([
    ['a fault that is not caught', result({ said: {} }), /did not kill a\.one/],
    [
      'a fault that is caught by more than it declares',
      result({ said: { 'a.one': 'fail', 'a.two': 'warn' } }),
      /also killed a\.two/,
    ],
    ['a fault that declares what is no rule', result({ declared: ['a.one', 'a.three'] }), /a\.three, which is no rule/],
    ['a lawful variant that is accused', result({ kind: 'lawful', declared: [] }), /wrongly accused by a\.one/],
    [
      'a lawful variant that is not understood',
      result({ kind: 'lawful', declared: [], said: { 'a.two': 'inconclusive' } }),
      /inconclusive/,
    ],
    ['a fault in Touchstone', result({ said: { 'a.one': 'fail', 'a.two': 'error' } }), /a\.two is an error/],
  ])('%s', (_, wrong, message) => {
    expect(told(result({ name: 'right' }), wrong).join('\n')).toMatch(message);
  });

  it('a part that was tried takes the place of what was written of it', () => {
    const written = { 'a.one': ['x', 'y'], 'a.two': ['y'] };
    expect(merged(written, [result({ name: 'y', said: { 'a.two': 'fail' } })])).toEqual({
      'a.one': ['x'],
      'a.two': ['y'],
    });
    expect(merged(written, [result({ name: 'z', said: { 'a.three': 'warn' } })])).toEqual({
      ...written,
      'a.three': ['z'],
    });
  });

  it('a rule that nothing kills', () => {
    expect(told(result({ said: {}, declared: [] })).join('\n')).toBe('no fault kills a.one');
    expect(told(result({}))).toEqual([]);
  });
});
