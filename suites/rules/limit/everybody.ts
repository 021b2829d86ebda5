/** What a profile states holds for everybody: each sort of key of each plan, at each route, and so does the wait that it is told. */
import {
  admittedIn,
  type Exchange,
  isRefused,
  type Neighbours,
  type Reason,
  rule,
  slackOf,
  statusOf,
  succeeded,
  type Turn,
  traceOf,
  violation,
  type Wait,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { higherThanStated, lowerThanStated, ofPlan, sharing, type Turns } from '../../language/everybody.ts';
import { inapplicableIf, inconclusiveIf } from '../../language/gates.ts';
import { isOfKeys, isTestSort, orNothing, probes, probing, tellsAddressesApart } from '../../language/probing.ts';
import { isFarBeyond, type StatedTiers, statedTiers } from '../../language/stated-limits.ts';
import { expectAdmitted } from './waiting.ts';

const needs = [...probes, 'limits.declared'] as const;

const inWords = (turn: Turn): string => `${turn.sort}${ofPlan(turn)}, for ${turn.route}`;

const isMet = ({ calls }: Turn): boolean => calls.some(isRefused);

/** Far more than is stated, at a route where others keep to what is stated for them: no copies of the service explain that. */
function beyondStated(turns: Turns, stated: StatedTiers): readonly Reason[] {
  const isBeyond = ({ calls, tier }: Turn): boolean => isFarBeyond(calls.filter(succeeded), stated[tier ?? '']);
  const kept = turns.filter((each) => isMet(each) && !isBeyond(each));
  return turns.filter(isBeyond).flatMap((turn): readonly Reason[] => {
    const isKeptHere = kept.some(({ route }) => route === turn.route);
    // A higher limit is one as well; and whether each route has its own is open, but not that one has none.
    if (kept.length === 0 || (isMet(turn) && (isTestSort(turn.sort) || !isKeptHere))) return [];
    const says = isTestSort(turn.sort) || !isKeptHere ? warning : violation;
    const last = turn.calls.findLast((each) => !isRefused(each));
    return [
      says(
        last,
        `${inWords(turn)}, to have the limit that the profile states`,
        `${admittedIn(turn.calls)} admitted calls`,
      ),
    ];
  });
}

const fewOtherwise = 3;
/** Of what is stated: a service that has too much to do may refuse anybody sooner. */
const aboutAsMany = 0.5;

/** Served as often as is stated, then refused with another status, and served again when the window was over. */
function isShutOtherwise({ calls, wait, tier }: Turn, stated: StatedTiers): boolean {
  const others = calls.filter((each) => !succeeded(each));
  const statuses = new Set(others.map(statusOf));
  const isAgain = wait?.answer != null && succeeded(wait.answer);
  const height = stated[tier ?? '']?.requests ?? Number.POSITIVE_INFINITY;
  return (
    isAgain &&
    others.length >= fewOtherwise &&
    statuses.size === 1 &&
    !statuses.has(429) &&
    !statuses.has(undefined) &&
    calls.slice(0, 1).every(succeeded) &&
    calls.filter(succeeded).length >= aboutAsMany * height
  );
}

/** Twice, for once may have another cause. */
const often = 2;

function refusedOtherwise(turns: Turns, stated: StatedTiers): readonly Reason[] {
  const found = turns.filter((turn) => isShutOtherwise(turn, stated));
  if (found.length < often) return [];
  const [turn] = found as [Turn];
  const other = turn.calls.find((each) => !succeeded(each)) as Exchange;
  // A service that has too much to do may say so at any time.
  const says = (statusOf(other) ?? 0) >= 500 ? warning : violation;
  return [says(other, `429 for ${inWords(turn)}, beyond its limit`, `${whatCame(other)}, until its window was over`)];
}

/** The address that they call from is no reason for a refusal: it takes more than was asked, and the service sees which one it is. */
const isOfKeysAlone = (near: Neighbours | null, isAddressStated: boolean): boolean =>
  isAddressStated && near !== null && tellsAddressesApart(near);

export const asStated = rule({
  id: 'limit.everybody-as-stated',
  clause: clauses.everyKeyIsLimited,
  needs,
  ...probing,
  // Where there is time for few windows; it takes up to eleven where there is more.
  rests: 4,
  about: ({ subject }) => ({
    stated: statedTiers(subject),
    isAddressStated: subject.limits.address !== undefined,
  }),
  async *ask({ limits }) {
    // Before anything that takes long: it needs nothing but a limit that was met.
    yield { turns: await limits.everybody() };
    yield { near: orNothing(await limits.neighbours()) };
  },
  given: ({ near, turns }, { stated, isAddressStated }) => [
    // All keys of a plan may be refused together because they share one account.
    near && turns && !(isOfKeysAlone(near, isAddressStated) && sharing(turns, stated).length > 0)
      ? isOfKeys(near)
      : undefined,
    inconclusiveIf(!!turns && !turns.some(isMet), 'no key met a limit within the budget'),
  ],
  judge: ({ near, turns }, { stated, isAddressStated }) => [
    ...beyondStated(turns, stated),
    ...refusedOtherwise(turns, stated),
    ...higherThanStated(turns, stated),
    ...(isOfKeysAlone(near, isAddressStated) ? [...lowerThanStated(turns, stated), ...sharing(turns, stated)] : []),
  ],
  fix: 'Count every call of every key in one place, before its route is known, and with the numbers of its plan.',
});

/** Of one key, or of one sort and plan. */
const groupsOf = (turns: Turns): readonly Turns[] => [
  ...Map.groupBy(turns, ({ sort, tier }) => `${sort} ${tier}`).values(),
];

/** Far longer than the stated window, when calls were admitted again: each time that it was tried. */
function toldFarTooMuch(turns: Turns): readonly Reason[] {
  return groupsOf(turns).flatMap((own): readonly Reason[] => {
    const early = own.flatMap(({ early }) => early ?? []);
    const slacks = early.map(({ refused, answer }) => slackOf(traceOf([...refused, answer])));
    if (early.length < often || !slacks.every((slack) => slack?.excessive === 1)) return [];
    const came = `a success ${(Math.min(...slacks.map((slack) => slack!.mostMs)) / 1000).toFixed(1)} s earlier, each time`;
    return [
      warning(early[0]!.refused.at(-1), `Retry-After for ${inWords(own[0]!)}, to say about how long it takes`, came),
    ];
  });
}

const inVain = (turns: Turns): readonly Reason[] => {
  const trials = turns.flatMap(({ wait }): Wait[] => (wait === null ? [] : [wait]));
  return expectAdmitted({ trials, planned: trials.length })
    .filter(({ weight }) => weight !== 'note')
    .map((reason) => ({
      ...reason,
      expected: `${inWords(turns[0]!)}, to be accepted after the wait that it was told`,
    }));
};

export const everybodyWaits = rule({
  id: 'limit.everybody-waits',
  clause: clauses.waitingAdmits,
  needs,
  ...probing,
  async *ask({ limits }) {
    // Before anything that takes long: it needs nothing but a limit that was met.
    yield { turns: await limits.everybody() };
    yield { near: orNothing(await limits.neighbours()) };
  },
  given: ({ near, turns }) => [
    isOfKeys(near),
    inapplicableIf(
      !!turns && !turns.some(({ wait }) => wait?.answer),
      'nobody was told a wait that could be waited for',
    ),
  ],
  judge: ({ turns }) => [...groupsOf(turns).flatMap(inVain), ...toldFarTooMuch(turns)],
  fix: 'Work out Retry-After where the call is counted, from the limit that refused it: for every plan, sort of key and route.',
});
