/** What opens no operation that changes something, or that shows one record: an API key in its own header, and an empty token. */
import {
  type AdminOperation,
  type AdminOptions,
  type Ask,
  type Case,
  type Credential,
  type Exchange,
  type Issued,
  type Key,
  rule,
  type Subject,
  statusFits,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { inapplicableIf } from '../../language/gates.ts';
import { expectRefused, gentlest, operationsOf, refusedBeside, rightTokenWorks } from '../../language/operations.ts';

interface Shown extends Case {
  readonly operation: AdminOperation;
  readonly token: Credential;
  readonly headers?: (record: Issued | null) => NonNullable<AdminOptions['headers']>;
}

interface Refused {
  readonly [name: string]: Exchange | null;
  readonly exchange: Exchange;
  readonly before: Exchange | null;
  readonly after: Exchange | null;
}

const listed = (
  { admin, subject }: Pick<Ask<unknown>, 'admin' | 'subject'>,
  options: Required<Pick<Shown, 'token'>> & { readonly headers?: NonNullable<AdminOptions['headers']> },
): Promise<Exchange> =>
  admin.send({ method: 'GET', target: subject.admin?.collection ?? '/v1/admin/keys', ...options });

/** One of each plan: a key may open what its plan opens. */
const callersOf = ({ keys }: Subject): readonly Key[] => [
  ...new Map(
    keys.filter(({ kind, role }) => kind !== 'issued' && role === 'entitled').map((key) => [key.tier, key]),
  ).values(),
];

const asCaller = (key: Key | undefined): NonNullable<AdminOptions['headers']> =>
  key === undefined ? [] : [['X-API-Key', key.secret]];

/** The gentlest is asked with these by other rules, and creating makes no record that could have a key of its own. */
function casesOf(subject: Subject): readonly Shown[] | string {
  const operations = operationsOf(subject).filter((operation) => operation !== gentlest(subject));
  if (operations.length === 0) return 'the profile describes no operation but the list of keys';
  const key = callersOf(subject).at(-1);
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
  async *ask(ask) {
    const { operation, token, headers } = ask.case;
    // What lets them in everywhere, lets in anybody, or breaks at them is found by other rules.
    const gentle: Exchange[] = [];
    if (headers === undefined) gentle.push(await listed(ask, { token }));
    else
      for (const key of callersOf(ask.subject)) gentle.push(await listed(ask, { token: null, headers: asCaller(key) }));
    yield { gentle };
    const plain: Partial<Refused> = {};
    for await (const so of refusedBeside(ask, operation, null)) Object.assign(plain, so);
    yield { plain: plain.exchange === undefined ? null : (plain as Refused) };
    yield* refusedBeside(ask, operation, token, headers && ((record) => ({ headers: headers(record) })));
  },
  given: ({ gentle, plain, ...so }, { operation }) => [
    inapplicableIf(
      gentle?.some((each) => !statusFits(each, '4xx')) === true,
      'the list of keys is not refused to it either: another rule reports that',
    ),
    inapplicableIf(
      !!plain && expectRefused(plain).length > 0,
      'it is not refused without any credential either: another rule reports that',
    ),
    ...rightTokenWorks(so, operation),
  ],
  judge: expectRefused,
  fix: 'Compare X-Admin-Token with the configured token before every operation: no API key and no empty header stands in for it.',
});
