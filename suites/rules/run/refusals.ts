/** What is refused on a kept connection before something valid follows on it. */
import type { Case, RawRequest, RunOptions, Subject } from '../../../src/vocabulary.ts';
import { invented } from '../../language/asking.ts';
import { fieldCases } from '../../language/wrong-inputs.ts';

export interface Refused extends Case {
  /** What is refused; undefined: nothing, the runs follow on each other. */
  readonly options?: (random: () => number) => RunOptions;
  /** The same for what is no run. */
  readonly request?: RawRequest;
  /** Nothing is refused: this many calls on one connection. */
  readonly calls?: number;
  /** What follows. If omitted: runs. */
  readonly of?: 'read' | 'verify';
}

/** Rows of runs and reads end soon after what they are known to find: no program that calls now and then has longer ones. */
const refusals: readonly Refused[] = [
  { name: 'runs in a row' },
  { name: 'many calls in a row', calls: 40, of: 'verify' },
  { name: 'many runs in a row', calls: 22 },
  { name: 'many reads in a row', calls: 20, of: 'read' },
  { name: 'a read after an unknown actor', of: 'read', options: (random) => ({ actor: invented(random) }) },
  { name: 'a read after a missing key', of: 'read', options: () => ({ key: null }) },
  { name: 'a verification after a missing key', of: 'verify', options: () => ({ key: null }) },
  { name: 'a run after malformed JSON', options: () => ({ body: '{"cut": ' }) },
  { name: 'a run after a missing key', options: () => ({ key: null }) },
  { name: 'a run after an unknown actor', options: (random) => ({ actor: invented(random) }) },
  {
    name: 'a run after an unknown route',
    options: () => ({ respell: (path) => path.replace(/[^/]*$/, 'run-later') }),
  },
];

const body = JSON.stringify({ note: 'a body that nobody has to look at' });

/** Guards answer before anybody has read the body. */
function guarded({ actors, admin }: Subject): readonly Refused[] {
  const barred = actors.restricted.find(({ restrictedKey }) => restrictedKey !== undefined);
  return [
    ...(barred?.restrictedKey === undefined
      ? []
      : [{ name: 'a run after one without access', options: () => ({ actor: barred, key: barred.restrictedKey! }) }]),
    // An answer without a body, or one that nobody expected to have any.
    ...['HEAD', 'OPTIONS'].map((method) => ({
      name: `a run after ${method}`,
      request: { method, target: '/v1/auth/verify' },
    })),
    // The name of an actor is never sent a method that might change it.
    { name: 'a run after another method', request: { method: 'PUT', target: '/v1/auth/verify', body } },
    ...(admin === undefined
      ? []
      : [
          {
            name: 'a run after a body without an admin token',
            request: { method: 'POST', target: admin.collection, body, key: null },
          },
        ]),
  ];
}

/** For each actor one input that it refuses as invalid. */
function invalidRuns(subject: Subject): readonly Refused[] {
  const cases = fieldCases(subject, ['missing', 'wrong-type']);
  const each = new Map(typeof cases === 'string' ? [] : cases.toReversed().map((one) => [one.actor.name, one]));
  return [...each.values()].map(({ name, mutant, ...own }) => ({
    ...own,
    name: `a run after ${name}`,
    options: () => ({ input: mutant.input }),
  }));
}

export const refusedBefore = (subject: Subject): readonly Refused[] => [
  ...refusals,
  ...guarded(subject),
  ...invalidRuns(subject),
];
