/** Whoever knows an input, or joins equal runs to one, lets nobody have the result that has no access to the actor. */
import { type Exchange, expectStatus, type Gate, rule, statusFits, succeeded } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRunOf, everything, patience } from '../../language/asking.ts';
import { inapplicableIf, reachesOne, succeeds } from '../../language/gates.ts';
import { besideRun, expectRefusedBeside, wasUnderWay } from '../../language/under-way.ts';
import { barredFrom } from './access.ts';

/** With an input of its own. */
const isBarred = (control: Exchange | undefined): Gate =>
  inapplicableIf(
    control !== undefined && !statusFits(control, [403]),
    'a run without access is not refused with 403 anyway: another rule reports that',
  );

export const barredFromKnownInputs = rule({
  id: 'access.barred-from-known-inputs',
  clause: clauses.keyWithoutAccessIs403,
  needs: ['restricted'],
  without: everything,
  cases: barredFrom,
  async *ask({ run, case: { entitled, barred } }) {
    const clean = await run({ key: entitled });
    yield { clean };
    yield { control: await run({ key: barred }) };
    yield { exchange: succeeded(clean) ? await run({ again: clean, key: barred }) : null };
  },
  given: ({ clean, control }) => [succeeds(clean, 'a run with a key that has access'), isBarred(control)],
  judge: ({ exchange }) => (exchange === null ? [] : expectStatus(exchange, 403)),
  fix: 'Check the access of each caller before you look for a result that is known already.',
});

export const barredBesideARun = rule({
  id: 'access.barred-beside-a-run',
  waits: true,
  clause: clauses.keyWithoutAccessIs403,
  needs: ['restricted-sources'],
  without: ['key', 'actor'],
  cases: (subject) => barredFrom(subject).filter(({ actor }) => actor.sources > 0),
  deadlineMs: patience,
  async *ask(ask) {
    const { entitled, barred } = ask.case;
    const clean = yield* cleanRunOf({ ...ask, run: (options) => ask.run({ key: entitled, ...options }) });
    yield { control: await ask.run({ key: barred }) };
    yield* besideRun(ask, clean, { key: entitled, others: [barred] });
  },
  given: ({ control, ...evidence }) => [...reachesOne(evidence), isBarred(control), wasUnderWay(evidence)],
  judge: (evidence) => expectRefusedBeside(evidence, 403),
  fix: 'Check the access of each caller before you look for an equal run that is under way.',
});
