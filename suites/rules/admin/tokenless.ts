/** Who manages keys without a token, or with one elsewhere. */
import {
  type AdminOperation,
  type AdminOptions,
  type Case,
  rule,
  type Secret,
  type Subject,
  statusFits,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import {
  expectRefused,
  gentlest,
  type Operation,
  operationCases,
  refusedBeside,
  rightTokenWorks,
  tokenOf,
} from '../../language/operations.ts';

interface Tokenless extends Operation {
  /** Where the right token stands instead. */
  readonly elsewhere?: (token: Secret) => Pick<AdminOptions, 'query' | 'headers'>;
  /** By another method, behind a guard that knows the usual one: a framework may answer HEAD too, or take it from a header. */
  readonly overridden?: Pick<AdminOptions, 'headers' | 'method'>;
  /** By one that the route need not have. */
  readonly isOther?: true;
}

const overridden: Required<Tokenless>['overridden'] = {
  method: 'POST',
  headers: [['X-HTTP-Method-Override', 'DELETE']],
};

/** What is in a query is in logs, too. */
const namesInQueries = ['token', 'admin_token'];

const base64 = (text: string): string => Buffer.from(text, 'latin1').toString('base64');

const places: readonly (Case & Required<Pick<Tokenless, 'elsewhere'>>)[] = [
  ...namesInQueries.map((name) => ({
    name: `in the query, as ${name}`,
    elsewhere: (token: Secret) => ({ query: [name, token] as const }),
  })),
  {
    name: 'as a bearer has it',
    elsewhere: (token) => ({ headers: [['Authorization', token.derive('bearer', (value) => `Bearer ${value}`)]] }),
  },
  {
    name: 'as the password of a user',
    elsewhere: (token) => ({
      headers: [['Authorization', token.derive('basic', (value) => `Basic ${base64(`admin:${value}`)}`)]],
    }),
  },
];

function tokenless(subject: Subject): readonly Tokenless[] | string {
  const all = operationCases(subject);
  const operation = gentlest(subject);
  if (typeof all === 'string' || operation === undefined) return all;
  const revoke = all.find(({ operation: each }) => each === 'revoke');
  return [
    ...all,
    ...(revoke === undefined
      ? []
      : [{ ...revoke, name: 'revoke by POST that X-HTTP-Method-Override calls DELETE', overridden }]),
    // Of a list it is asked with all other methods.
    ...all
      .filter((each) => each.operation === 'read')
      .map((each) => ({ ...each, name: 'read by HEAD', overridden: { method: 'HEAD' } as const })),
    ...all
      .filter((each) => each.operation === 'change')
      .flatMap((each) =>
        ['PUT', 'PATCH', 'POST'].map((method) => ({
          ...each,
          name: `change by ${method}`,
          overridden: { method },
          isOther: true as const,
        })),
      ),
    ...places.map(({ name, elsewhere }) => ({ name: `${operation} with the token ${name}`, operation, elsewhere })),
  ];
}

export const withoutToken = rule({
  id: 'admin.without-token',
  clause: clauses.adminNeedsToken,
  needs: ['admin.token'],
  without: everything,
  cases: tokenless,
  // Runs of other times know only of queries.
  about: ({
    case: { operation, elsewhere, isOther = false },
  }): { readonly operation: AdminOperation; readonly inQuery?: boolean; readonly isOther?: boolean } => ({
    operation,
    inQuery: elsewhere !== undefined,
    ...(isOther ? { isOther } : {}),
  }),
  ask: (ask) => {
    const { operation, elsewhere, overridden: how } = ask.case;
    return refusedBeside(ask, operation, null, elsewhere?.(tokenOf(ask.subject)) ?? how);
  },
  given: (so, { operation }) => rightTokenWorks(so, operation),
  // That a key elsewhere is left open says nothing of tokens, but is a reason not to be strict.
  judge: (so, { inQuery, isOther = false }) =>
    (isOther && statusFits(so.exchange, 501) ? [] : expectRefused(so)).map((reason) =>
      inQuery ? { ...reason, weight: 'warning' as const } : reason,
    ),
  fix: 'Check X-Admin-Token before every operation, even if the header is missing.',
});
