/** Errors whose statuses are in no table, and errors of calls at the same time. */
import {
  type Actor,
  type Exchange,
  expectErrorBody,
  expectFieldNamed,
  isRefused,
  type Key,
  kindOf,
  type Mutant,
  member,
  namesField,
  ownName,
  type RunOptions,
  rule,
  type Subject,
  statusFits,
  sweep,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { hasBodyByRight, isAdmin, isError } from '../../language/answers.ts';
import { expectWaitTold } from '../../language/expectations.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import { fieldCases } from '../../language/wrong-inputs.ts';

const tabled = [400, 401, 403, 404, 422, 429, 500, 502, 504];

export const shapeOthers = sweep({
  id: 'error.shape-others',
  clause: clauses.otherErrorsHaveTheBody,
  needs: ['key'],
  provoke: ({ send }) => send({ method: 'DELETE', target: '/v1/auth/verify' }),
  includes: (exchange, scene) =>
    isError(exchange) &&
    !statusFits(exchange, tabled) &&
    // What a server says on a connection on which it has waited too long is no answer of the service.
    !(statusFits(exchange, 408) && exchange.connection.use > 1) &&
    exchange.request.target.includes('/v1/') &&
    hasBodyByRight(exchange, scene) &&
    !isAdmin(exchange),
  judge: expectErrorBody,
  fix: 'Answer every error below /v1 with `error` and `detail`: your framework has a hook for its own errors.',
});

/** Whoever does not ask for limits meets some all the same: of calls that are under way, say. */
export const refusalsTellTheWait = sweep({
  id: 'error.429-tells-the-wait',
  clause: clauses.retryAfterStands,
  needs: [],
  provoke: null,
  includes: (exchange) => isRefused(exchange) && exchange.purpose !== 'probe',
  judge: expectWaitTold,
  fix: 'Send Retry-After with every 429, whichever limit it is for.',
});

interface Faulty {
  readonly actor: Actor;
  readonly key?: Key;
  readonly mutant: Mutant;
}

/** One missing field of each of two actors, with other names. */
function twoFaulty(subject: Subject): readonly Faulty[] {
  const cases = fieldCases(subject, ['missing']);
  if (typeof cases === 'string') return [];
  const [first] = cases;
  const second = cases.find(
    ({ actor, mutant }) =>
      actor.name !== first?.actor.name && ownName(mutant.field) !== ownName(first?.mutant.field ?? ''),
  );
  return first === undefined || second === undefined ? [] : [first, second];
}

const together = 6;

export const ofItsOwnCall = rule({
  id: 'error.of-its-own-call',
  clause: clauses.errorNamesTheActor,
  needs: ['key'],
  without: ['actor', 'company', 'history'],
  cases: (subject) =>
    twoFaulty(subject).length === 0
      ? 'no two actors have required fields with different names'
      : [{ name: 'two actors in turn, at the same time and on one connection' }],
  about: ({ subject }) => ({
    faults: twoFaulty(subject).map(({ actor, mutant }) => ({ actor: actor.name, field: mutant.field })),
  }),
  async ask({ run, key, subject, line }) {
    const faulty = twoFaulty(subject);
    const call = ({ actor, key: own = key, mutant: { input } }: Faulty, how: Pick<RunOptions, 'on'> = {}) =>
      run({ actor, key: own, input, ...how });
    const alone = [];
    for (const each of faulty) alone.push(await call(each, { on: line() }));
    const calls = Array.from({ length: together }, (_, at) => faulty[at % 2]!);
    // What stays behind on a connection is met by the next call on it.
    const on = line();
    const inTurn = [];
    for (const each of calls.slice(0, 2)) inTurn.push(await call(each, { on }));
    return { alone, inTurn, answers: await Promise.all(calls.map((each) => call(each))) };
  },
  given: ({ alone = [] }, { faults }) => [
    inconclusiveIf(
      alone.some((each, at) => wrongIn(each, faults, at).length > 0),
      'these calls also fail one after another; another rule reports that',
    ),
  ],
  // Runs of other times asked nothing on one connection.
  judge: ({ inTurn = [], answers }, { faults }) =>
    [inTurn, answers].flatMap((calls) => calls.flatMap((each, at) => wrongIn(each, faults, at))),
  fix: 'Build each error from its own request: keep validator results out of variables that calls share.',
});

interface Fault {
  readonly actor: string;
  readonly field: string;
}

const isOfOtherCall = (named: unknown, other: Fault): boolean => named === other.actor;

/** What is not of its own call in the answer at that place: they are in turn. */
function wrongIn(exchange: Exchange, faults: readonly Fault[], at: number) {
  const own = faults[at % 2]!;
  const other = faults[(at + 1) % 2]!;
  if (!statusFits(exchange, [400, 422]))
    return [violation(exchange, '400 or 422', kindOf(exchange.response?.status ?? null))];
  const named = member(exchange, 'actor');
  const detail = member(exchange, 'detail');
  const isFieldOfOther =
    typeof detail === 'string' &&
    namesField(detail, ownName(other.field)) &&
    expectFieldNamed(exchange, own.field).some(({ weight }) => weight === 'violation');
  return [
    ...(isOfOtherCall(named, other) ? [violation(exchange, `\`actor\` to be "${own.actor}"`, kindOf(named))] : []),
    ...(isFieldOfOther
      ? [violation(exchange, `\`detail\` to name the field \`${ownName(own.field)}\``, kindOf(detail))]
      : []),
  ];
}
