/** What opens no operation that changes something, or that shows one record: an API key in its own header, and an empty token. */
import {
  type AdminOperation,
  type AdminOptions,
  type Case,
  type Credential,
  type Issued,
  type Key,
  rule,
  type Subject,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectRefused, gentlest, operationsOf, refusedBeside, rightTokenWorks } from '../../language/operations.ts';

interface Shown extends Case {
  readonly operation: AdminOperation;
  readonly token: Credential;
  readonly headers?: (record: Issued | null) => NonNullable<AdminOptions['headers']>;
}

const asCaller = (key: Key | undefined): NonNullable<AdminOptions['headers']> =>
  key === undefined ? [] : [['X-API-Key', key.secret]];

/** The gentlest is asked with these by other rules, and creating makes no record that could have a key of its own. */
function casesOf(subject: Subject): readonly Shown[] | string {
  const operations = operationsOf(subject).filter((operation) => operation !== gentlest(subject));
  if (operations.length === 0) return 'the profile describes no operation but the list of keys';
  const key = subject.keys.findLast(({ role }) => role === 'entitled');
  return operations.flatMap((operation): readonly Shown[] => [
    { name: `${operation} with an empty token`, operation, token: '' },
    ...(key === undefined
      ? []
      : [{ name: `${operation} by the API key ${key.name}`, operation, token: null, headers: () => asCaller(key) }]),
    ...(operation === 'create'
      ? []
      : [
          {
            name: `${operation} by the API key that it is about`,
            operation,
            token: null,
            headers: (record: Issued | null) => asCaller(record?.key),
          },
        ]),
  ]);
}

export const otherCredentials = rule({
  id: 'admin.no-other-credential',
  clause: clauses.keyManagementIsApart,
  needs: ['key', 'admin.token'],
  without: everything,
  cases: casesOf,
  about: ({ case: { operation } }) => ({ operation }),
  ask: (ask) => {
    const { operation, token, headers } = ask.case;
    return refusedBeside(ask, operation, token, headers && ((record) => ({ headers: headers(record) })));
  },
  given: (so, { operation }) => rightTokenWorks(so, operation),
  judge: expectRefused,
  fix: 'Compare X-Admin-Token with the configured token before every operation: a valid API key is none, and an empty header neither.',
});
