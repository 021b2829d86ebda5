/** Runs by keys of other plans give what they give to the usual one. */
import {
  type Actor,
  type Case,
  type Exchange,
  expectStatus,
  type Json,
  type Key,
  type Reason,
  rule,
  type Subject,
  unless,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { echoes } from '../../language/answers.ts';
import { everything } from '../../language/asking.ts';
import { expectVerified } from '../../language/expectations.ts';
import { furtherKeys, isOpenTo, noFurtherKey, usualKey } from '../../language/further-keys.ts';
import { inapplicableIf, succeeds } from '../../language/gates.ts';
import { garbledIn, textsIn } from '../../language/texts.ts';
import { numbered } from '../../language/wrong-inputs.ts';

interface ByPlan extends Case {
  readonly key: Key;
  readonly actor: Actor;
  /** More than ASCII, and the input that it stands in. */
  readonly text?: string;
  readonly input?: Json;
}

const mostActors = 4;
const mostOfSources = 3;

function casesOf(subject: Subject): readonly ByPlan[] | string {
  const keys = furtherKeys(subject);
  const { echo, clean, empty, sources } = subject.actors;
  const usual = [...new Set([...echo, ...clean.slice(0, 1), ...empty])].slice(0, mostActors);
  const ofSources = sources.slice(0, mostOfSources);
  const test = subject.keys.find(({ kind, role }) => kind === 'test' && role === 'entitled');
  if (keys.length === 0 && test === undefined) return noFurtherKey;
  const named = numbered();
  const by = (actors: readonly Actor[]) => (key: Key) =>
    actors.map((actor): ByPlan => {
      const [odd] = actor.texts ?? [];
      const name = named(`${actor.name}, by the key ${key.name}`);
      return { name, key, actor, ...(odd && { text: odd.text, input: odd.input }) };
    });
  const all = [...usual, ...ofSources];
  // Test keys ask everything else in turn with live ones, but not each of these actors.
  return [...keys, ...(test === undefined ? [] : [test])].flatMap(by(all));
}

/** How many items a plan may have is its own matter; whose they are is not. */
export const forEveryPlan = rule({
  id: 'run.for-every-plan',
  clause: clauses.runGivesItsOwnItems,
  needs: ['key', 'clean'],
  without: everything,
  // What others ask at the same time is for other rules.
  alone: true,
  cases: casesOf,
  about: ({ case: { text } }): { readonly text?: string } => (text === undefined ? {} : { text }),
  async *ask({ run, verify, subject, case: { key, input } }) {
    yield { known: await verify({ key }) };
    const own = input === undefined ? {} : { input };
    const usual = usualKey(subject);
    yield { usual: usual === undefined ? null : await run({ key: usual, ...own }) };
    yield { exchange: await run(own) };
  },
  given: ({ known, usual, exchange }) => [
    inapplicableIf(
      !!known && expectVerified(known).length > 0,
      'this key is not valid to the service: another rule reports that',
    ),
    succeeds(usual, 'a run with the usual key'),
    isOpenTo(exchange),
  ],
  judge: ({ usual, exchange }, { text }) =>
    unless(expectStatus(exchange, '2xx'), () => {
      if (usual === null) return [];
      const differs = (so: (of: Exchange) => boolean, expected: string, came: string): readonly Reason[] =>
        so(usual) && !so(exchange) ? [violation(exchange, `${expected}, as for the usual key`, came)] : [];
      const isWhole = (of: Exchange): boolean => text === undefined || garbledIn(textsIn(of), text) === undefined;
      return [
        ...differs(echoes, 'the items to hold what stood in the input', 'items without it'),
        ...differs(isWhole, 'the text as it was sent', 'another one'),
      ];
    }),
  fix: 'Run an actor alike for every key that may run it, whatever its plan.',
});
