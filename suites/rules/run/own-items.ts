/** Whose items are they? Every value of an input is one of its own, and every one that comes back belongs to its run. */
import {
  type Actor,
  type Case,
  type Exchange,
  type Json,
  type Key,
  type Reason,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  warning,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { everything } from '../../language/asking.ts';
import { inapplicableIf, inconclusiveIf, succeeds } from '../../language/gates.ts';
import {
  belatedLeaves,
  echoedLeaves,
  inputOf,
  itemsOf,
  lengthOf,
  sentIn,
  textsOfOthers,
  withLeaf,
} from '../../language/leaves.ts';
import { hasDefaults, judgeDefaults, keptDefaults } from './kept-defaults.ts';
import { hasOptional, judgeLeftOut, leftOut } from './left-out.ts';
import { judgeNear, nearlyAlike } from './nearly-alike.ts';

interface Way extends Case {
  readonly actor: Actor;
  readonly way:
    | 'at the same time'
    | 'on one connection'
    | 'one field after the other'
    | 'nearly the same'
    | 'a field left out'
    | 'a default';
}

const ways: readonly Way['way'][] = ['at the same time', 'on one connection', 'one field after the other'];

const ofWay = (actor: Actor, way: Way['way']): Way => ({ name: `${actor.name}, ${way}`, actor, way });

const withVariants = ({ actors }: Subject): readonly Actor[] =>
  actors.clean.filter(({ variants = [] }) =>
    variants.some((set) => new Set(set.map((each) => JSON.stringify(each))).size > 2),
  );

/** Those that read sources too: what is said beside them belongs to the run as well. */
const working = ({ actors: { clean, sources } }: Subject): readonly Actor[] => [
  ...new Map([...clean, ...sources].map((actor) => [actor.name, actor])).values(),
];

/** A schema cannot say everything: which countries there are, say. */
const notTaken = [400, 404, 422, '5xx'] as const;

const entitledKeys = ({ keys }: Subject): readonly Key[] => keys.filter(({ role }) => role === 'entitled');

export const everyFieldIsItsOwn = rule({
  id: 'run.every-field-is-its-own',
  clause: clauses.runGivesItsOwnItems,
  needs: ['key', 'clean'],
  without: everything,
  // What others ask at the same time must not hide what comes back of a run by itself.
  alone: true,
  cases: (subject) => {
    const cases = [
      ...withVariants(subject).flatMap((actor) => ways.map((way) => ofWay(actor, way))),
      ...subject.actors.clean.filter(({ schema }) => schema).map((actor) => ofWay(actor, 'nearly the same')),
      ...working(subject)
        .filter(hasOptional)
        .map((actor) => ofWay(actor, 'a field left out')),
      ...working(subject)
        .filter(hasDefaults)
        .map((actor) => ofWay(actor, 'a default')),
    ];
    return cases.length === 0 ? 'no schema was found from which inputs with other values could be made' : cases;
  },
  about: ({ case: { way } }) => ({ way }),
  async *ask({ run, line, usualLine, key, subject, random, case: { actor, way } }) {
    if (way === 'nearly the same') {
      yield { near: await nearlyAlike({ run: (options) => run({ ...options, on: usualLine() }), random, actor }) };
      return;
    }
    if (way === 'a field left out') {
      yield { left: await leftOut({ run: (options) => run({ ...options, on: usualLine() }), random, actor }) };
      return;
    }
    if (way === 'a default') {
      yield { defaults: await keptDefaults({ run, line, actor }) };
      return;
    }
    let inputs: readonly Json[] = [];
    let alone: readonly Exchange[] = [];
    for (const set of actor.variants ?? []) {
      if (alone.some((each) => !statusFits(each, notTaken))) break;
      inputs = set;
      alone = [await run({ input: set[0]! }), await run({ input: set[1]! }), await run({ input: set[2]! })];
    }
    yield { alone };
    const runs: Exchange[] = [];
    if (way === 'on one connection') {
      const on = line();
      for (const input of inputs) runs.push(await run({ input, on }));
    } else if (way === 'one field after the other') {
      // Who remembers runs by some of their fields does not see the others change.
      const [base, other] = alone as [Exchange, Exchange];
      for (const at of changeable(base, other).slice(0, mostFields))
        runs.push(await run({ again: base, input: withLeaf(sentIn(base), at, inputOf(other).get(at)!) }));
    } else {
      // Two by the same key, and others by others, where there are any.
      const keys = [key, key, ...entitledKeys(subject).filter(({ name }) => name !== key.name)];
      runs.push(...(await Promise.all(inputs.map((input, at) => run({ input, key: keys[at % keys.length] ?? key })))));
    }
    yield { runs: runs.filter(succeeded) };
  },
  given: ({ near, left, defaults, alone = [], runs }, { way }) => [
    inapplicableIf(
      !!near && near.texts.length + near.fields.length === 0,
      'nothing of the input that can be changed a little shows among the items',
    ),
    inapplicableIf(
      defaults?.length === 0,
      'the actor does not run without a field that may be left out, or not with it',
    ),
    inapplicableIf(left?.length === 0, 'no text of a field that may be left out comes back among the items'),
    inapplicableIf(
      alone.some((each) => statusFits(each, notTaken)),
      'the actor does not run with other values than those of the profile',
    ),
    ...alone.map((each) => succeeds(each, 'a run with other values')),
    inapplicableIf(
      !!runs && runs.length < 2 && way === 'one field after the other',
      'no two fields of the input come back among the items',
    ),
    inconclusiveIf(!!runs && runs.length < 2, 'of the runs with other values fewer than two succeeded'),
  ],
  judge: ({ near, left, defaults, alone = [], runs = [] }) => {
    if (near) return judgeNear(near);
    if (left) return left.flatMap(judgeLeftOut);
    if (defaults) return judgeDefaults(defaults);
    const [one, two, three] = alone as readonly [Exchange, Exchange, Exchange];
    const [late] = belatedLeaves([one, two, three]);
    if (late !== undefined)
      return [violation(two, `the items to hold this run's own \`${late.slice(1)}\``, 'that of the run before')];
    const all = [...alone, ...runs].filter((each) => lengthOf(each) !== undefined);
    const echoed = echoedLeaves(one, two);
    return all.flatMap((exchange): readonly Reason[] => {
      const values = [...itemsOf(exchange).values()];
      const foreign = textsOfOthers(exchange, all);
      if (values.some((value) => typeof value === 'string' && foreign.has(value)))
        return [violation(exchange, 'the items of this run alone', 'a value that only another run was given')];
      const lost = echoed.find((at) => isLost(exchange, at, alone, all));
      return lost === undefined
        ? []
        : [violation(exchange, `the items to hold this run's own \`${lost.slice(1)}\``, 'another value, or none')];
    });
  },
  fix: 'Keep what belongs to one run out of module state and shared buffers, every field of it.',
});

/**
 * Its own value is not among the items, and that of another run is, or the same input brought its own when it was asked alone. What a
 * field changes besides, such as how many items there are, is the actor's business.
 */
function isLost(exchange: Exchange, at: string, alone: readonly Exchange[], all: readonly Exchange[]): boolean {
  const values = new Set(itemsOf(exchange).values());
  const own = inputOf(exchange).get(at)!;
  if (values.has(own)) return false;
  const others = all.flatMap((each) => inputOf(each).get(at) ?? []);
  if (others.some((value) => value !== own && values.has(value))) return true;
  return alone.some(
    (each) =>
      each !== exchange && isSameInput(each, exchange) && [...itemsOf(each).values()].includes(inputOf(each).get(at)!),
  );
}

/** Apart from the nonce, which no two runs share. */
function isSameInput(one: Exchange, other: Exchange): boolean {
  const [sent, its] = [inputOf(one), inputOf(other)];
  const nonce = one.planted?.nonce;
  return (
    sent.size === its.size &&
    [...sent].every(([at, value]) => its.get(at) === value || (nonce !== undefined && String(value).includes(nonce)))
  );
}

const mostFields = 6;

/** What comes back and is no nonce: that one stays. */
const changeable = (base: Exchange, other: Exchange): readonly string[] => {
  const nonce = base.planted?.nonce;
  const sent = inputOf(base);
  return echoedLeaves(base, other).filter((at) => nonce === undefined || !String(sent.get(at)).includes(nonce));
};

const repetitions = 4;

export const repeatsDoNotGrow = rule({
  id: 'run.repeats-do-not-grow',
  clause: clauses.repeatsDoNotGrow,
  needs: ['key', 'clean'],
  actor: 'clean',
  without: ['key', 'connection', 'history', 'company'],
  async *ask({ run, line }) {
    // What gathers on a connection gathers nowhere else, and what gathers in the service is met there, too.
    const on = line();
    const runs: Exchange[] = [];
    for (let turn = 0; turn < repetitions; turn += 1) runs.push(await run({ on }));
    yield { runs };
  },
  given: ({ runs = [] }) => [
    ...runs.map((each) => succeeds(each, 'a run')),
    inconclusiveIf(
      runs.some((each) => lengthOf(each) === undefined),
      'a run has no `items` that could be counted: another rule reports that',
    ),
  ],
  judge: ({ runs }) => {
    const lengths = runs.map(lengthOf);
    const grows = lengths.every(
      (length, at) => at === 0 || (length ?? 0) > (lengths[at - 1] ?? Number.POSITIVE_INFINITY),
    );
    return grows ? [warning(runs.at(-1)!, 'as many items as before', `more in each run: ${lengths.join(', ')}`)] : [];
  },
  fix: 'Start each run with its own list: the same run, repeated, returns more items each time.',
});
