import { expect, test } from 'vitest';
import type { Step } from '../model/run.ts';
import type { StepOutcome } from './judge.ts';
import { lostInARow, withoutChance } from './lost.ts';

const violation = { weight: 'violation', expected: '404', came: 'no answer' } as const;
const lost = (...places: number[]): StepOutcome => ({
  kind: 'unanswered',
  because: 'no answer came',
  reasons: [violation],
  places,
});
const answered: StepOutcome = { kind: 'judged', reasons: [], facts: [] };
const asked = (outcomes: readonly StepOutcome[], name = 'a') =>
  outcomes.map((outcome) => ({ step: { context: { case: name } } as Step, outcome }));
const kinds = (outcomes: readonly StepOutcome[]): string[] =>
  withoutChance(asked(outcomes)).map(({ outcome }) => outcome.kind);
const times = (count: number, ...places: number[]) => Array.from({ length: count }, () => lost(...places));

test('lost more often than chance explains: judged', () => {
  expect(new Set(kinds(times(lostInARow, 0)))).toEqual(new Set(['judged']));
  expect(withoutChance(asked(times(lostInARow, 0)))[0]?.outcome).toMatchObject({ reasons: [violation] });
});

test('less often, or at another place each time: nothing is known', () => {
  expect(new Set(kinds(times(lostInARow - 1, 0)))).toEqual(new Set(['inconclusive']));
  expect(new Set(kinds([...times(lostInARow - 1, 0), lost(1)]))).toEqual(new Set(['inconclusive']));
  expect(kinds([...times(lostInARow - 1, 0, 3), lost(3, 5)])).toContain('judged');
});

test('answered once in the same way: what was lost is forgotten, however often', () => {
  expect(kinds([...times(2 * lostInARow, 0), answered])).toEqual(['judged']);
});

test('another question is another matter', () => {
  const other = asked(times(lostInARow, 0), 'b');
  const all = withoutChance([...asked([lost(0), answered]), ...other]);
  expect(all.map(({ outcome }) => outcome.kind)).toEqual(['judged', ...other.map(() => 'judged')]);
  expect(all.filter(({ step }) => step.context.case === 'a')).toHaveLength(1);
});
