/** Who guesses keys may be made to wait. Nobody's key is wrong because somebody guessed. */
import { type Exchange, isRefused, rule, statusFits } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectVerified } from '../../language/expectations.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';

/** As many in a row as no guard allows that counts them. */
const guesses = 60;

/** In parts, so that nobody who reads the record takes it for a key that leaked. */
const guess = (at: number): string => `vk_live_guess.no.${String(at).padStart(12, '0')}`;

export const afterManyRefusals = rule({
  id: 'verify.after-many-refusals',
  clause: clauses.verifyReports,
  needs: ['key'],
  without: everything,
  meets429: true,
  // A row is broken by whoever else is served, and who is locked out then is everybody.
  alone: 'end',
  async *ask({ verify }) {
    yield { before: await verify() };
    const refused: Exchange[] = [];
    // 429 is how a guard says that it is enough.
    while (refused.length < guesses && !refused.some(isRefused))
      refused.push(await verify({ key: guess(refused.length), once: true }));
    yield { refused };
    yield { after: await verify() };
  },
  given: ({ before }) => [
    succeeds(before, 'verifying the key before'),
    inapplicableIf(
      !!before && expectVerified(before).length > 0,
      'it is not told valid before either: other rules report that',
    ),
  ],
  judge: ({ after }) => (statusFits(after, [429, '5xx']) ? [] : expectVerified(after)),
  fix: 'Answer 429 with Retry-After to callers that guess too often, and look at each key by itself.',
});
