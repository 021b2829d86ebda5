/** Wrong inputs by keys of other plans: paying more makes no input right. */
import { type Key, rule, type Subject, statusFits, succeeded, violation, whatCame } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { furtherKeys, isOpenTo, noFurtherKey, usualKey } from '../../language/further-keys.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';
import { type FieldCase, fieldCases, otherFaults } from '../../language/wrong-inputs.ts';

const refusals = [400, 422];

/** Besides those, in so many further ways. */
const furtherWays = 4;

/** A field that is missing, one of a wrong type, and some that are wrong in another way: of actors that are open to all. */
function wrongOnes(subject: Subject): readonly FieldCase[] {
  const [missing = [], wrongType = [], ...others] = (['missing', 'wrong-type', ...otherFaults] as const).map(
    (fault) => {
      const cases = fieldCases(subject, [fault]);
      return typeof cases === 'string' ? [] : cases.filter(({ key }) => key === undefined).slice(0, 1);
    },
  );
  return [...missing, ...wrongType, ...others.flat().slice(0, furtherWays)];
}

function casesOf(subject: Subject): readonly (FieldCase & { readonly key: Key })[] | string {
  const keys = furtherKeys(subject);
  if (keys.length === 0) return noFurtherKey;
  const wrong = wrongOnes(subject);
  if (wrong.length === 0) return 'the schemas of actors that are open to all allow no wrong input';
  return keys.flatMap((key) => wrong.map((each) => ({ ...each, name: `${each.name}, by the key ${key.name}`, key })));
}

export const validatedForEveryPlan = rule({
  id: 'input.validated-for-every-plan',
  clause: clauses.inputIsValidated,
  needs: ['key'],
  without: everything,
  cases: casesOf,
  async *ask({ run, subject, case: { mutant } }) {
    const usual = usualKey(subject);
    yield { clean: await run() };
    yield { usual: await run({ input: mutant.input, ...(usual && { key: usual }) }) };
    yield { exchange: await run({ input: mutant.input }) };
  },
  given: ({ clean, usual }) => [
    isOpenTo(clean),
    succeeds(clean, 'a run with such a key'),
    inapplicableIf(
      usual !== undefined && !statusFits(usual, refusals),
      'the usual key is not refused either; another rule reports that',
    ),
  ],
  // Another refusal is one for any reason: other rules ask for it.
  judge: ({ exchange }) =>
    succeeded(exchange) ? [violation(exchange, '400 or 422, as for the usual key', whatCame(exchange))] : [],
  fix: 'Validate every input, whatever the plan of the key.',
});
