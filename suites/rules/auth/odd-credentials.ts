/** Credentials that nobody was given and that no code expects: wrong like any other, and no reason to break. */
import {
  type Case,
  type Credential,
  type Exchange,
  expectNoServerError,
  rule,
  type Secret,
  type Subject,
  succeeded,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { expectNoValidKey } from '../../language/expectations.ts';
import { inapplicableIf } from '../../language/gates.ts';
import { wrongInTheMiddle } from '../../language/near-misses.ts';
import { plainVerify } from '../../language/twins.ts';

interface Odd extends Case {
  readonly call: 'verify' | 'read' | 'run' | 'list';
  readonly of: (right: Secret) => Credential;
  /** In a second header line: some frameworks hand over both as a list. */
  readonly again?: (right: Secret) => Secret | string;
  /** Whoever lets it in has changed it before comparing. */
  readonly refused?: true;
}

/** In parts, so that nobody who reads the record takes it for a key that leaked. */
const long = `vk_live_${'o.'.repeat(2000)}`;

/** Who cleans texts before comparing them finds the right one in it. */
const withInvisible = (value: string): string =>
  value.slice(0, -3) + Buffer.from('\u200b\u00ad\ufeff\u2060').toString('latin1') + value.slice(-3);

const wrong = 'vk_live_no.such.key';

const halfOf = (value: string): number => Math.ceil(value.length / 2);

const oddities: readonly Omit<Odd, 'call'>[] = [
  // Functions that compare in constant time refuse such texts by an exception.
  { name: 'a letter beyond ASCII', of: (right) => right.derive('beyond-ascii', (value) => `${value}é`) },
  // In UTF-8, as some libraries read headers.
  {
    name: 'invisible letters inside',
    of: (right) => right.derive('beyond-ascii-inside', withInvisible),
    refused: true,
  },
  { name: 'letters beyond ASCII alone', of: () => 'éü' },
  { name: '4,000 characters', of: () => long },
  { name: 'a wrong one in two lines', of: () => wrong, again: () => wrong },
  {
    name: 'its two halves in two lines',
    of: (right) => right.derive('first-half', (value) => value.slice(0, halfOf(value))),
    again: (right) => right.derive('second-half', (value) => value.slice(halfOf(value))),
    refused: true,
  },
];

function odd({ actors, admin }: Subject): readonly Odd[] {
  const calls: readonly Odd['call'][] = [
    'verify',
    ...(actors.clean.length > 0 ? (['read', 'run'] as const) : []),
    ...(admin?.token !== undefined && admin.operations.includes('list') ? (['list'] as const) : []),
  ];
  return calls.flatMap((call) =>
    oddities.map(
      (oddity): Odd => ({ ...oddity, name: `${call === 'list' ? 'the list of keys' : call}, ${oddity.name}`, call }),
    ),
  );
}

export const oddCredentials = rule({
  id: 'auth.odd-credentials',
  clause: clauses.badInputIsNoServerError,
  needs: ['key'],
  without: everything,
  cases: odd,
  twin: plainVerify,
  byStatus: true,
  // Of tokens in one line, near misses have rules of their own.
  about: ({ case: { call, again, refused = false } }): { readonly refused?: boolean; readonly ofToken?: boolean } => ({
    refused,
    ofToken: call === 'list' && again !== undefined,
  }),
  async *ask({ admin, verify, read, run, key, subject, case: { call, of, again, refused } }) {
    const [actor] = subject.actors.clean;
    const token = subject.admin?.token;
    const ask = async (wrongOf: (right: Secret) => Credential): Promise<Exchange> => {
      const right = call === 'list' && token !== undefined ? token : key.secret;
      const second = (header: string) => (again === undefined ? [] : [[header, again(right)] as const]);
      const sent = wrongOf(right);
      if (right === token) return admin.list({ token: sent, headers: second('X-Admin-Token') });
      const how = { key: sent, headers: second('X-API-Key') };
      const asked = call === 'read' ? read : run;
      return call === 'verify' || actor === undefined ? verify(how) : asked({ ...how, actor });
    };
    const exchange = await ask(of);
    yield { exchange };
    // Who lets in whatever is sent has changed nothing.
    const control = () =>
      call === 'list' && token !== undefined
        ? admin.list({ token: wrongInTheMiddle.of(token) })
        : ask(wrongInTheMiddle.of);
    yield { control: (refused || call === 'list') && succeeded(exchange) ? await control() : null };
  },
  // Runs of other times asked nobody who is let in for a control.
  given: ({ exchange, control = null }, { refused = false, ofToken = false }) => [
    inapplicableIf(
      (!(refused || ofToken) || (control !== null && succeeded(control))) &&
        exchange !== undefined &&
        succeeded(exchange) &&
        (ofToken || expectNoValidKey(exchange).length > 0),
      'such a credential is not refused; other rules report what is wrong with that',
    ),
  ],
  // So long a header may end the connection.
  judge: ({ exchange }, { ofToken = false }) => {
    if (exchange.response === undefined) return [];
    if (!succeeded(exchange)) return expectNoServerError(exchange);
    return ofToken
      ? [violation(exchange, 'a refusal of a wrong token', whatCame(exchange))]
      : expectNoValidKey(exchange);
  },
  fix: 'Hash what was presented, as bytes, and compare the hashes: an odd credential is a wrong one.',
});
