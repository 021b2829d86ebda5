/**
 * Pure: when an answer that does not come is the service's doing. Connections lose answers by themselves, so one that is lost
 * says nothing. Where the clause is about answering, it counts when the same request got no answer each time that it was asked,
 * more often than chance explains, while its twin was answered each time.
 */
import type { Step } from '../model/run.ts';
import type { StepOutcome } from './judge.ts';

/**
 * With one answer in ten lost at random and a thousand questions a run, no more than one run in ten thousand accuses
 * wrongly: `npm run prove -- loss` simulates it.
 */
export const lostInARow = 7;

export interface Outcome {
  readonly step: Step;
  readonly outcome: StepOutcome;
}

/** What is asked in the same way is one question: answered once, its lost answers are forgotten. */
export function withoutChance<T extends Outcome>(steps: readonly T[]): readonly T[] {
  const byContext = Map.groupBy(steps, ({ step }) => JSON.stringify(step.context));
  return [...byContext.values()].flatMap((own) => {
    const lost = own.filter(({ outcome }) => outcome.kind === 'unanswered');
    if (lost.length === 0) return own;
    const answered = own.filter(({ outcome }) => outcome.kind === 'judged');
    if (answered.length > 0) return own.filter(({ outcome }) => outcome.kind !== 'unanswered');
    return own.map((each) => ({ ...each, outcome: settled(each.outcome, lost) }));
  });
}

function settled(outcome: StepOutcome, all: readonly Outcome[]): StepOutcome {
  if (outcome.kind !== 'unanswered') return outcome;
  if (isForGood(all)) return { kind: 'judged', reasons: outcome.reasons, facts: [] };
  const times = all.length === 1 ? 'once' : `${all.length} times in a row`;
  return { kind: 'inconclusive', because: `${outcome.because}, ${times}: connections may fail that often by chance` };
}

/** The same place in what was asked, each time. */
function isForGood(all: readonly Outcome[]): boolean {
  if (all.length < lostInARow) return false;
  const places = all.map(({ outcome }) => new Set(outcome.kind === 'unanswered' ? outcome.places : []));
  return [...(places[0] ?? [])].some((place) => places.every((each) => each.has(place)));
}
