/** Runs that find nothing: the profile names an actor and an input for which there are no items. Their shape is that of any run. */
import { expectStatus, isObject, jsonOf, rule, statusFits, unless, violation } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor } from '../../language/asking.ts';
import { isPartial } from '../../language/expectations.ts';
import { inapplicableIf, inconclusiveIf, succeeds } from '../../language/gates.ts';

export const emptyIsNotPartial = rule({
  id: 'run.empty-is-not-partial',
  clause: clauses.partialMeansSomeFailed,
  needs: ['key', 'clean', 'empty'],
  without: allButActor,
  actor: 'empty',
  async *ask({ run, subject }) {
    const [actor] = subject.actors.clean;
    yield { clean: actor === undefined ? null : await run({ actor }) };
    yield { exchange: await run() };
  },
  given: ({ clean, exchange }) => {
    const body = exchange === undefined ? undefined : jsonOf(exchange);
    const items = body?.ok && isObject(body.value) ? body.value.items : undefined;
    return [
      inapplicableIf(
        exchange !== undefined && statusFits(exchange, [400, 413, 422]),
        'the service does not accept the input that, by the profile, finds nothing',
      ),
      succeeds(clean, 'a run that finds something'),
      inconclusiveIf(
        !!clean && isPartial(clean),
        'a run that finds something is PARTIAL too: another rule reports that',
      ),
      inapplicableIf(
        Array.isArray(items) && items.length > 0,
        'the run has items, although it finds nothing by the profile',
      ),
    ];
  },
  judge: ({ exchange }) =>
    unless(expectStatus(exchange, '2xx'), () =>
      isPartial(exchange)
        ? [violation(exchange, 'a status other than PARTIAL, because nothing failed', '"PARTIAL"')]
        : [],
    ),
  fix: 'Return 200 and a status other than PARTIAL if a run finds nothing: PARTIAL means that sources failed.',
});
