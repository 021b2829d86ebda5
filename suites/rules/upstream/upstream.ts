import {
  type Ask,
  type Case,
  type Exchange,
  expectStatus,
  Inapplicable,
  type Key,
  member,
  type Reason,
  type RunOptions,
  rule,
  type SourceBehaviour,
  type Subject,
  statusFits,
  succeeded,
  violation,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { allButActor, cleanRunOf, everySource, patience, runnableRestricted } from '../../language/asking.ts';
import { expectFailureOfSources, isPartial } from '../../language/expectations.ts';
import { furtherKeys, isOpenTo } from '../../language/further-keys.ts';
import { inapplicableIf, reachesOne } from '../../language/gates.ts';
import { cleanRun } from '../../language/twins.ts';
import { takesLongList } from '../partial/many-sources.ts';

interface Listed extends Case {
  readonly one?: true;
  readonly many?: true;
  /** Each begins its answer, and stops in the middle of it. */
  readonly midway?: true;
  /** By a key of another plan. */
  readonly by?: Key;
}

/** A list of one is a list, too. */
const lists = ({ actors }: Subject): readonly Listed[] => [
  { name: 'all of its sources' },
  ...(actors.sources.some(({ sourceLists }) => sourceLists?.one !== undefined)
    ? [{ name: 'one source alone', one: true } as const]
    : []),
];

const restrictedOfSources = (subject: Subject) => runnableRestricted(subject).filter(({ actor }) => actor.sources > 0);

/** As many as are read at once by whoever reads several. */
const longLists = ({ actors }: Subject): readonly Listed[] =>
  actors.sources.some(({ manySources }) => manySources !== undefined) ? [{ name: 'many sources', many: true }] : [];

const listsByPlan = (subject: Subject): readonly Listed[] => {
  const test = subject.keys.filter(({ kind, role }) => kind === 'test' && role === 'entitled').slice(0, 1);
  return [...test, ...furtherKeys(subject)].map((by) => ({ name: `all of its sources, by the key ${by.name}`, by }));
};

const restrictedLists = (subject: Subject): readonly Listed[] =>
  restrictedOfSources(subject).map((each) => ({ ...each, name: `${each.actor.name}: all of its sources` }));

function listOf({ actor, case: { one, many } }: Ask<Listed>): RunOptions {
  if (many) {
    if (actor.manySources === undefined) throw new Inapplicable('this actor takes no longer list of sources');
    return { input: actor.manySources };
  }
  if (one === undefined) return {};
  const input = actor.sourceLists?.one;
  if (input === undefined) throw new Inapplicable('the actor takes no list of one source');
  return { input };
}

/** Runs of other times asked none of these. */
type Which = { readonly many?: boolean; readonly midway?: boolean; readonly byPlan?: boolean };

/** The part before a cut, or before the silence, may be usable. */
function isPartialWithItems(exchange: Exchange): boolean {
  const items = member(exchange, 'items');
  return isPartial(exchange) && Array.isArray(items) && items.length > 0;
}

export const timeout = rule({
  id: 'upstream.timeout',
  waits: true,
  cases: (subject) => [
    ...lists(subject),
    { name: 'all of its sources, which stop in the middle of their answers', midway: true },
    ...longLists(subject),
    ...restrictedLists(subject),
    ...listsByPlan(subject),
  ],
  clause: clauses.slowSourceIs502or504,
  needs: ['key', 'sources'],
  actor: 'sources',
  without: allButActor,
  deadlineMs: patience,
  about: ({ case: { many = false, midway = false, by } }): Which => ({
    many,
    midway,
    byPlan: by !== undefined,
  }),
  async *ask(ask) {
    const { by, midway } = ask.case;
    const list = { ...listOf(ask), ...(by === undefined ? {} : { key: by }) };
    yield* cleanRunOf({ run: () => ask.run(list), reached: ask.reached });
    yield { exchange: await ask.run({ ...list, sources: everySource(midway ? 'stalled' : 'slow') }) };
  },
  given: ({ exchange, ...clean }, { many = false, byPlan = false }) => [
    byPlan ? isOpenTo(clean.clean) : undefined,
    many ? takesLongList(clean.clean) : undefined,
    ...reachesOne(clean),
    inapplicableIf(
      many && exchange !== undefined && exchange.response === undefined,
      'many sources that are read one after the other take longer than a run is waited for',
    ),
  ],
  judge: ({ exchange }, { midway = false }) =>
    midway && isPartialWithItems(exchange) ? [] : expectFailureOfSources(exchange, true),
  fix: 'Give up on a source that is too slow, and answer 504 (or 502) if no other source returned items.',
});

interface Broken extends Listed {
  readonly behaviour: SourceBehaviour;
}

const ways: readonly Broken[] = [
  { name: 'refused connections', behaviour: 'refused' },
  { name: 'reset connections', behaviour: 'reset' },
  { name: 'answers cut off', behaviour: 'cut-off' },
  { name: 'garbage for answers', behaviour: 'garbage' },
];

const ofRestricted = (subject: Subject): readonly Broken[] =>
  restrictedOfSources(subject).map((each) => ({
    ...each,
    name: `${each.actor.name}: refused connections`,
    behaviour: 'refused',
  }));

export const brokenSource = rule({
  id: 'upstream.broken-source',
  clause: clauses.brokenSourceIsGatewayError,
  needs: ['key', 'sources'],
  actor: 'sources',
  cases: (subject) => [
    ...ways,
    ...ofRestricted(subject),
    ...lists(subject)
      .filter(({ one }) => one)
      .map((each): Broken => ({ ...each, name: 'refused connections of one source alone', behaviour: 'refused' })),
  ],
  async *ask(ask) {
    const list = listOf(ask);
    yield* cleanRunOf({ run: () => ask.run(list), reached: ask.reached });
    yield { exchange: await ask.run({ ...list, sources: everySource(ask.case.behaviour) }) };
  },
  given: reachesOne,
  judge: ({ exchange }) => expectGatewayError(exchange),
  fix: 'Distinguish a broken source from a failure of your own: 502, not 500, and no success without items.',
});

function expectGatewayError(exchange: Exchange): readonly Reason[] {
  if (isPartialWithItems(exchange)) return [];
  return statusFits(exchange, [502, 504]) ? [] : [violation(exchange, '502 or 504', whatCame(exchange))];
}

const noAnswer: Broken = { name: 'answers that do not come', behaviour: 'slow' };

const unending: readonly Broken[] = [
  noAnswer,
  // Something comes again and again: a limit for each read is none for the whole.
  { name: 'answers that do not end', behaviour: 'endless' },
];

/** A bound is often stated as the service's own time limit, to which the way there and back and this machine are added. */
const leastSlackMs = 50;

export function expectWithin(exchange: Exchange, withinMs: number): readonly Reason[] {
  const tookMs = Math.round(exchange.at.end - exchange.at.sent);
  if (exchange.response === undefined || exchange.failure !== undefined)
    return [violation(exchange, `an answer within ${withinMs} ms`, whatCame(exchange))];
  return tookMs <= withinMs + Math.max(leastSlackMs, withinMs / 10)
    ? []
    : [violation(exchange, `an answer within ${withinMs} ms`, `an answer after ${tookMs} ms`)];
}

export const bounded = rule({
  id: 'upstream.bounded',
  waits: true,
  clause: clauses.answersComeInTime,
  needs: ['key', 'sources', 'upstream-bound'],
  actor: 'sources',
  without: allButActor,
  cases: () => unending,
  answering: true,
  deadlineMs: patience,
  about: ({ subject }) => ({ withinMs: subject.bounds.upstreamMs }),
  async *ask(ask) {
    yield* cleanRunOf(ask);
    yield { exchange: await ask.run({ sources: everySource(ask.case.behaviour) }) };
  },
  given: reachesOne,
  judge: ({ exchange }, { withinMs }) => expectWithin(exchange, withinMs),
  fix: 'Limit the total time that a run waits for its sources to less than clients and proxies wait.',
});

export const recovers = rule({
  id: 'upstream.recovers',
  waits: true,
  clause: clauses.failureDoesNotStick,
  needs: ['key', 'sources'],
  actor: 'sources',
  cases: () => [...ways, noAnswer],
  twin: cleanRun,
  deadlineMs: patience,
  async ask({ run, line, case: { behaviour } }) {
    const on = line();
    return { failed: await run({ on, sources: everySource(behaviour) }), next: await run({ on }) };
  },
  given: ({ failed }) => [
    // A failure that did not happen leaves nothing behind.
    inapplicableIf(
      !!failed && succeeded(failed) && !isPartial(failed),
      'a run of only broken sources is answered like one that worked; another rule reports that',
    ),
  ],
  judge: ({ next }) => expectStatus(next, '2xx'),
  fix: 'Leave nothing behind a failed source that makes the next run fail: no broken connection, no open circuit breaker.',
});
