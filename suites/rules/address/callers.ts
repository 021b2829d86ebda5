/** Whom the limit of an address counts: keys of every sort, if it counts any, and whatever else happens there meanwhile. */
import { cellOf, isRefused, type Round, rule, violation, warning, whatCame } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inapplicableIf } from '../../language/gates.ts';
import { probes, probing } from '../../language/probing.ts';
import { givenBackEarly } from '../limit/asides.ts';

const needed = 3;

/** `an issued key of pro` */
const tierOf = ({ other }: Round): string | undefined => / of (.*)$/.exec(other)?.[1];

/** Of a call at another route than that of the limit. Which routes count is said by another clause than that some do. */
const routeOf = ({ other }: Round): string | undefined => /^(a \w+) by /.exec(other)?.[1];

const isTest = ({ other }: Round): boolean => other.includes('test key');

export const everyKey = rule({
  id: 'address.every-key',
  clause: clauses.limitPerAddress,
  needs: probes,
  ...probing,
  rests: 4,
  about: ({ subject }): { readonly isStated?: boolean } => ({ isStated: subject.limits.address !== undefined }),
  ask: async ({ limits }) => ({ rounds: await limits.callersAt() }),
  // Runs of other times do not say what is stated.
  judge({ rounds }, { isStated = false }) {
    const callers = [...Map.groupBy(rounds, ({ other }) => other)].map(([name, own]) => ({
      name,
      own,
      cell: cellOf(rounds, name),
    }));
    const held = new Set(callers.filter(({ cell }) => cell === 'together').map(({ own }) => tierOf(own[0]!)));
    const isOfKeys = (route: string | undefined): boolean =>
      route === undefined ||
      rounds.some(({ other, answers }) => other === `${route} without a key` && answers.every(isRefused));
    // Addresses may have another limit for each plan, unless the profile says what they have.
    const isOfPlan = (own: readonly Round[]): boolean => held.has(tierOf(own[0]!));
    return callers
      .filter(({ own, cell }) => cell === 'apart' && own.length >= needed)
      .filter(({ own }) => isOfPlan(own) || (isStated && held.size > 0))
      .filter(({ own }) => isOfKeys(routeOf(own[0]!)))
      .map(({ name, own }) => {
        const [first] = own;
        const expected = `${name} to be limited by its address like other keys${isOfPlan(own) ? ' of its plan' : ''}`;
        const came = `${whatCame(first!.answers[0]!)}, ${own.length} times, while the others got 429`;
        return (isTest(first!) || routeOf(first!) !== undefined || !isOfPlan(own) ? warning : violation)(
          first!.answers[0],
          expected,
          came,
        );
      });
  },
  fix: 'Count every call against its address, before you look at what sort of key it has.',
});

export const otherCallsForgiveNothing = rule({
  id: 'address.other-calls-forgive-nothing',
  clause: clauses.otherCallersForgiveNothing,
  needs: probes,
  ...probing,
  rests: 2,
  ask: async ({ limits }) => ({ rounds: await limits.betweenAt() }),
  given: ({ rounds }) => [
    inapplicableIf(rounds?.length === 0, 'the limit of the address is too high for the budget of calls'),
  ],
  judge({ rounds }) {
    const found = givenBackEarly(rounds);
    if (found === undefined) return [];
    const came = `${found.after.filter((each) => !isRefused(each)).length} more calls, and so each time`;
    return [
      violation(
        found.after.findLast((each) => !isRefused(each)),
        'calls with a valid key not to give their address back what others have spent',
        came,
      ),
    ];
  },
  fix: 'Do not reset the counter of an address at a successful call: with one key, a caller could guess others without end.',
});
