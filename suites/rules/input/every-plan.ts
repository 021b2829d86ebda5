/** Wrong inputs by keys of other plans: paying more makes no input right. */
import {
  type Exchange,
  type Key,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { asNew, runDresses } from '../../language/dresses.ts';
import { furtherKeys, isOpenTo, noFurtherKey, usualKey } from '../../language/further-keys.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';
import { type FieldCase, fieldCases, otherFaults, refusals } from '../../language/wrong-inputs.ts';

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

interface Wrong extends FieldCase {
  readonly key: Key;
  /** In whatever else a run may say, too: for one way of being wrong, of the last kind that there is. */
  readonly dressed: boolean;
}

function casesOf(subject: Subject): readonly Wrong[] | string {
  const keys = furtherKeys(subject);
  if (keys.length === 0) return noFurtherKey;
  const wrong = wrongOnes(subject);
  if (wrong.length === 0) return 'the schemas of actors that are open to all allow no wrong input';
  return keys.flatMap((key) =>
    wrong.map((each) => ({
      ...each,
      name: `${each.name}, by the key ${key.name}`,
      key,
      dressed: each === wrong.at(-1),
    })),
  );
}

type Dressed = { readonly clean: Exchange | null; readonly usual: Exchange | null };

/** Who asks nobody for more in such clothes is found by another rule. */
const isOfPlan = ({ clean, usual }: Dressed): boolean =>
  clean !== null && succeeded(clean) && usual !== null && statusFits(usual, refusals);

export const validatedForEveryPlan = rule({
  id: 'input.validated-for-every-plan',
  clause: clauses.inputIsValidated,
  needs: ['key'],
  without: everything,
  cases: casesOf,
  async *ask({ run, subject, random, case: { mutant, dressed: isDressed } }) {
    const usual = usualKey(subject);
    yield { clean: await run() };
    yield { usual: await run({ input: mutant.input, ...(usual && { key: usual }) }) };
    yield { exchange: await run({ input: mutant.input }) };
    const dressed: (Dressed & { readonly exchange: Exchange })[] = [];
    for (const { how } of isDressed ? runDresses : []) {
      const exchange = await run({ input: mutant.input, ...asNew(how, random) });
      const isIn = succeeded(exchange);
      dressed.push({
        exchange,
        clean: isIn ? await run(asNew(how, random)) : null,
        usual: isIn && usual ? await run({ input: mutant.input, ...asNew(how, random), key: usual }) : null,
      });
    }
    yield { dressed };
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
  // Runs of other times wore nothing else.
  judge: ({ exchange, dressed = [] }) =>
    [exchange, ...dressed.filter(isOfPlan).map((each) => each.exchange)]
      .filter(succeeded)
      .slice(0, 1)
      .map((each) => violation(each, '400 or 422, as for the usual key', whatCame(each))),
  fix: 'Validate every input, whatever the plan of the key.',
});
