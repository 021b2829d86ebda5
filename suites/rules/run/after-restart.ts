/** The first run of each actor after a start: what is made ready then must not take the place of a result. */
import { type Exchange, kindOf, member, rule, succeeded, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf } from '../../language/gates.ts';
import { marksIn, showing } from '../../language/marks.ts';

const mostActors = 4;

interface Look {
  readonly [name: string]: Exchange;
  readonly before: Exchange;
  readonly first: Exchange;
  readonly next: Exchange;
}

/** A whole success. */
const isWhole = (exchange: Exchange): boolean => succeeded(exchange) && !isPartial(exchange);

const shows = (exchange: Exchange): boolean => isWhole(exchange) && marksIn(exchange).length > 0;

export const firstAfterRestart = rule({
  id: 'run.first-after-restart',
  clause: clauses.runGivesItsOwnItems,
  needs: ['key', 'clean', 'admin.restart'],
  without: everything,
  alone: 'last',
  async *ask({ run, subject, restart }) {
    const actors = showing(subject).slice(0, mostActors);
    const before: Exchange[] = [];
    for (const actor of actors) {
      // Others may have started it anew a moment ago.
      await run({ actor });
      before.push(await run({ actor }));
    }
    if (actors.length > 0) await restart();
    const looks: Look[] = [];
    for (const [at, actor] of actors.entries())
      looks.push({ before: before[at]!, first: await run({ actor }), next: await run({ actor }) });
    yield { looks };
  },
  given: ({ looks }) => [
    inapplicableIf(looks?.length === 0, 'no actor of the profile echoes its input or reads sources'),
    inconclusiveIf(
      !!looks && looks.length > 0 && !looks.some(({ before, next }) => shows(before) && shows(next)),
      'no run shows whose its items are, before the restart and later on',
    ),
  ],
  // How the first one fails, where it does, is said by other rules; and a result that is not there says so by no status.
  judge: ({ looks }) =>
    looks
      .filter(
        ({ before, first, next }) => shows(before) && shows(next) && isWhole(first) && marksIn(first).length === 0,
      )
      .map(({ first }) => violation(first, 'the items that this input produced', kindOf(member(first, 'items')))),
  fix: 'Answer the first run of an actor when it has its result, like every other run.',
});
