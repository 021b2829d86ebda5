/** In what else than its situation a start of a client differs from others. What is omitted is plain. */
import type { Trial } from './client.ts';

/**
 * `repeated`: the first call gets a 429, and the situation is met by the call that is repeated. `among`: two other copies run on
 * the same machine, with the same folder for temporary files. `large`: what is answered is long.
 */
export const deviations = ['repeated', 'among', 'large'] as const;

export type Deviation = (typeof deviations)[number];

export type ClientContext = Pick<Trial, 'key' | 'connection' | 'deviations'>;

const named = ['repeated', 'among', 'large', 'connection', 'key'] as const;

type Part = Readonly<Partial<Record<(typeof named)[number], string>>>;

const phrases: Readonly<Record<string, string>> = {
  repeated: 'when a call is repeated after a 429',
  among: 'when other copies run beside it',
  large: 'when the answer is long',
  'only once': 'when no call is repeated',
  alone: 'when no other copy runs beside it',
  short: 'when the answer is short',
  kept: 'on connections that are kept',
  fresh: 'on connections that close after each answer',
  live: 'with a live key',
  test: 'with a test key',
};

const partsOf = ({ key, connection, deviations: own = [] }: ClientContext): Required<Part> => ({
  repeated: own.includes('repeated') ? 'repeated' : 'only once',
  among: own.includes('among') ? 'among' : 'alone',
  large: own.includes('large') ? 'large' : 'short',
  connection,
  key,
});

export const describeDeviation = (each: Deviation): string => phrases[each]!;

/** All of one context, as a timeline names it. */
export function describeClientContext(context: ClientContext): string {
  const own = context.deviations ?? [];
  return [`${phrases[context.key]} ${phrases[context.connection]}`, ...own.map((each) => phrases[each])].join(', ');
}

/**
 * The one value that sets the contexts that failed apart from those that did not, in words: all of the first have it, and none
 * of the others. Undefined if there is no such value.
 */
export function whatSetsApart(bad: readonly ClientContext[], good: readonly ClientContext[]): string | undefined {
  const [first] = bad.map(partsOf);
  if (first === undefined || good.length === 0) return undefined;
  const name = named.find(
    (each) =>
      bad.every((context) => partsOf(context)[each] === first[each]) &&
      good.every((context) => partsOf(context)[each] !== first[each]),
  );
  return name === undefined ? undefined : phrases[first[name]];
}
