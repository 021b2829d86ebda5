/** What a run that failed inside leaves behind for the next one. */
import { type Actor, type Case, type Exchange, expectStatus, rule, succeeded } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { inconclusiveIf, isAnswered, succeeds } from '../../language/gates.ts';

interface Next extends Case {
  /** What runs before and after it. */
  readonly next: Actor;
}

const looks = 2;

export const crashDoesNotStick = rule({
  id: 'error.crash-does-not-stick',
  clause: clauses.crashDoesNotStick,
  needs: ['key', 'crashing'],
  actor: 'crashing',
  without: everything,
  // A crash of somebody else would explain a failure here, and a run of somebody else would take it.
  alone: true,
  cases: ({ actors }): readonly Next[] | string => {
    const next = [actors.clean[0], actors.echo[0], actors.sources[0]].flatMap((each) => each ?? []);
    return next.length === 0
      ? 'the profile has no actor that works with its input'
      : next.map((each) => ({ name: `then a run of ${each.name}`, next: each }));
  },
  async *ask({ run, case: { next } }) {
    yield { before: await run({ actor: next }) };
    const turns: { readonly crash: Exchange; readonly after: Exchange }[] = [];
    for (let turn = 0; turn < looks; turn += 1) turns.push({ crash: await run(), after: await run({ actor: next }) });
    yield { turns };
  },
  given: ({ before, turns = [] }) => [
    succeeds(before, 'a run before it'),
    ...turns.map(({ crash }) => isAnswered(crash, [500], 'the run that fails inside')),
    inconclusiveIf(
      turns.some(({ after }) => succeeded(after)) && !turns.every(({ after }) => succeeded(after)),
      'a run after it failed once, and not the other time',
    ),
  ],
  judge: ({ turns }) => turns.slice(0, 1).flatMap(({ after }) => expectStatus(after, '2xx')),
  fix: 'Start each run from nothing: no worker, lock or flag of a run that failed belongs to the next one.',
});
