/** Tokens that nobody was given and that no code expects. */
import { rule, type Subject, succeeded, violation, whatCame } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { hasControl, letsIn, type Odd, odd } from '../../language/odd-credentials.ts';
import { plainList } from '../../language/twins.ts';

const ofTokens = (subject: Subject): readonly Odd[] => odd(subject).filter(({ call }) => call === 'list');

export const oddTokens = rule({
  id: 'admin.odd-tokens-open-nothing',
  clause: clauses.adminNeedsToken,
  needs: ['admin.token'],
  without: everything,
  cases: (subject): readonly Odd[] | string => {
    const cases = ofTokens(subject);
    return cases.length === 0 ? 'the profile does not describe how to list keys: add `admin.list`' : cases;
  },
  twin: plainList,
  answering: true,
  byStatus: true,
  ask: letsIn,
  given: hasControl,
  judge: ({ exchange }) =>
    succeeded(exchange) ? [violation(exchange, 'a refusal of a wrong token', whatCame(exchange))] : [],
  fix: 'Compare the token as it was presented, byte for byte, and only where there is one.',
});
