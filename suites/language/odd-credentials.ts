/** Credentials that nobody was given and that no code expects: wrong like any other, and no reason to break. */
import {
  type Ask,
  type Case,
  type Credential,
  type Exchange,
  type Secret,
  type Subject,
  succeeded,
} from '../../src/vocabulary.ts';
import { inapplicableIf } from './gates.ts';
import { wrongInTheMiddle } from './near-misses.ts';

export interface Odd extends Case {
  readonly call: 'verify' | 'read' | 'run' | 'list';
  readonly of: (right: Secret) => Credential;
  /** In a second header line: some frameworks hand over both as a list. */
  readonly again?: (right: Secret) => Secret | string;
}

/** In parts, so that nobody who reads the record takes it for a key that leaked. */
const long = `vk_live_${'o.'.repeat(2000)}`;

/** Who cleans texts before comparing them finds the right one in it. */
const withInvisible = (value: string): string =>
  value.slice(0, -3) + asHeader('\u200b\u00ad\ufeff\u2060') + value.slice(-3);

/** As wide as the letters of Chinese beside them: who normalises texts makes ordinary ones of these. */
export const inFullWidth = (text: string): string =>
  text.replaceAll(/[!-~]/g, (sign) => String.fromCodePoint(sign.charCodeAt(0) + 0xfee0));

/** In UTF-8. */
const asHeader = (text: string): string => Buffer.from(text).toString('latin1');

const wrong = 'vk_live_no.such.key';

const halfOf = (value: string): number => Math.ceil(value.length / 2);

const oddities: readonly Omit<Odd, 'call'>[] = [
  // Functions that compare in constant time refuse such texts by an exception.
  { name: 'a letter beyond ASCII', of: (right) => right.derive('beyond-ascii', (value) => `${value}é`) },
  // In UTF-8, as some libraries read headers.
  {
    name: 'invisible letters inside',
    of: (right) => right.derive('beyond-ascii-inside', withInvisible),
  },
  {
    name: 'its letters in full width',
    of: (right) => right.derive('beyond-ascii-in-full-width', (value) => asHeader(inFullWidth(value))),
  },
  { name: 'letters beyond ASCII alone', of: () => 'éü' },
  { name: '4,000 characters', of: () => long },
  { name: 'a wrong one in two lines', of: () => wrong, again: () => wrong },
  {
    name: 'its two halves in two lines',
    of: (right) => right.derive('first-half', (value) => value.slice(0, halfOf(value))),
    again: (right) => right.derive('second-half', (value) => value.slice(halfOf(value))),
  },
];

export function odd({ actors, admin }: Subject): readonly Odd[] {
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

type Asking = Pick<Ask<Odd>, 'admin' | 'verify' | 'read' | 'run' | 'key' | 'subject'>;

/** The same call, with what is made of the right credential. */
export function withOdd({ admin, verify, read, run, key, subject }: Asking, { call, again }: Odd) {
  const [actor] = subject.actors.clean;
  const token = subject.admin?.token;
  return async (of: (right: Secret) => Credential): Promise<Exchange> => {
    const right = call === 'list' && token !== undefined ? token : key.secret;
    const second = (header: string) => (again === undefined ? [] : [[header, again(right)] as const]);
    const sent = of(right);
    if (right === token) return admin.list({ token: sent, headers: second('X-Admin-Token') });
    const how = { key: sent, headers: second('X-API-Key') };
    const asked = call === 'read' ? read : run;
    return call === 'verify' || actor === undefined ? verify(how) : asked({ ...how, actor });
  };
}

/** Whoever lets it in has changed it before comparing, or compares nothing. */
export const letsIn = async function* (ask: Ask<Odd>) {
  const { again: _, ...alone } = ask.case;
  const exchange = await withOdd(ask, ask.case)(alone.of);
  yield { exchange };
  // Who lets in whatever is sent has changed nothing.
  yield { control: succeeded(exchange) ? await withOdd(ask, alone)(wrongInTheMiddle.of) : null };
};

export const hasControl = ({ control }: { readonly control?: Exchange | null }) => [
  inapplicableIf(
    !!control && succeeded(control),
    'any wrong credential is let in here; other rules report what is wrong with that',
  ),
];
