/** What the rules about limits have in common: what they need, and how they read the evidence. */
import {
  admittedIn,
  type Capability,
  type Cell,
  cellOf,
  type DimensionName,
  type Exchange,
  favoursNew,
  type Gate,
  isRefused,
  type LimitModel,
  modelOfProbed,
  type Neighbours,
  noneMet,
  type OtherRefusal,
  type Paces,
  type Probed,
  type Reconnected,
  type Round,
  type Subject,
  statusOf,
  succeeded,
} from '../../src/vocabulary.ts';

const without: readonly DimensionName[] = ['key', 'actor', 'connection', 'history', 'company'];

/** Spread into a rule: it is asked once, last of all, and takes as long as its budget. */
export const probing = {
  without,
  deadlineMs: (subject: Subject): number => subject.limits.maxSeconds * 1000 + 60_000,
} as const;

export const probes: readonly Capability[] = ['key', 'limits', 'limits.allowed'];

/** Whether test keys have limits of their own is not said. */
export const isTestSort = (sort: string): boolean => sort === 'a test key' || sort === 'an issued test key';

export const otherKeyHere = 'another key at the same address';
export const otherKeyElsewhere = 'another key at another address';
export const sameKeyElsewhere = 'the same key at another address';

export const cellIn = ({ rounds }: Neighbours, other: string): Cell => cellOf(rounds, other);

/** A refusal at another address means something only where the service can see that it is another one. */
export const tellsAddressesApart = (near: Neighbours): boolean =>
  near.seesApart !== 'unknown' ||
  near.rounds.some(({ other }) => /at another address$/.test(other) && cellIn(near, other) === 'apart') === true;

const noLimit = (probed: Probed): string => {
  const model = modelOfProbed(probed);
  return model.certainty.is === 'none within budget' || probed.stopped === null ? noneMet(model) : probed.stopped;
};

type Maybe<T> = T | null | undefined;

/** Where no refusal was met, there is nothing that could be asked of it. */
export const isMet = (probed: Maybe<Probed>): Gate =>
  probed && !probed.calls.some(isRefused) ? { inapplicable: noLimit(probed) } : undefined;

/** That none was met says nothing about a higher one. */
export const metNone = (probed: Probed): Gate => ({ inconclusive: noLimit(probed) });

/** What was met is the key's own limit. */
export function isOfKeys(near: Maybe<Neighbours>): Gate {
  if (!near || cellIn(near, otherKeyHere) !== 'together') return undefined;
  return {
    inapplicable:
      cellIn(near, sameKeyElsewhere) === 'apart'
        ? 'one key meets the limit of its address here; its own limit is unknown'
        : 'all keys are refused together; the limit of one key is unknown',
  };
}

/** Refused with another status while 429 went on before and after it: the same request of the same key, which was served before. */
export function straysIn({ inTurn, stubborn }: Pick<Paces, 'inTurn' | 'stubborn'>): readonly Exchange[] {
  const isOther = (each: Exchange): boolean => (statusOf(each) ?? 0) >= 400 && !isRefused(each);
  const rested = inTurn.flatMap(({ calls }) => calls.slice(0, Math.max(0, calls.findIndex(isRefused))));
  if (rested.some(isOther)) return [];
  return [...inTurn, ...stubborn].flatMap(({ calls }) => {
    const order = calls.toSorted((one, next) => one.at.sent - next.at.sent);
    const first = order.findIndex(isRefused);
    const last = order.findLastIndex(isRefused);
    const isShut = (at: number): boolean => isRefused(order[at]!) || isOther(order[at]!);
    return order.filter((each, at) => isOther(each) && at > first && at < last && isShut(at - 1) && isShut(at + 1));
  });
}

/** One and the same other refusal each time, while another key was served. */
export const refusedAlike = (others: readonly OtherRefusal[]): Exchange | undefined => {
  const statuses = new Set(others.flatMap(({ refused }) => refused.map((each) => statusOf(each) ?? 0)));
  const [status = 0] = statuses;
  const isWhole =
    others.length >= 3 &&
    statuses.size === 1 &&
    status >= 400 &&
    status !== 429 &&
    others.every(({ otherKey }) => (status < 500 && otherKey === null) || (otherKey !== null && succeeded(otherKey)));
  return isWhole ? others[0]?.refused[0] : undefined;
};

/** Keys that are refused whenever the first one is, while others are not: of each the first such round. */
export const sharersIn = (rounds: readonly Round[]): readonly Round[] =>
  [...Map.groupBy(rounds, ({ other }) => other)].flatMap(([name, own]) =>
    cellOf(rounds, name) === 'together' ? own.filter(({ answers }) => answers.some(isRefused)).slice(0, 1) : [],
  );

export const refusalsIn = (calls: readonly Exchange[]): Exchange[] => calls.filter(isRefused);

/** Calls a second in the long run, with what the trace leaves open. */
export function paceOf({
  perSecond,
  windowMs,
  burst,
}: LimitModel): { low: number; value: number; high: number } | undefined {
  if (perSecond !== undefined) return perSecond;
  if (windowMs === undefined || burst === undefined) return undefined;
  return {
    low: (1000 * burst.low) / windowMs.high,
    value: (1000 * burst.value) / windowMs.value,
    high: (1000 * burst.high) / windowMs.low,
  };
}

export const isIdentified = ({ certainty }: LimitModel): boolean => certainty.is === 'identified';

/** With this many refusals on the kept connection, luck does not explain the new ones. */
export const isShut = (kept: readonly Exchange[]): boolean =>
  kept.length >= 5 && refusalsIn(kept).length * 3 >= kept.length;

/** Rounds in which every call on a new connection was admitted, while the old one was shut. */
export function freeRounds(rounds: readonly Reconnected[]): readonly Reconnected[] {
  const free = rounds.filter((each) => isShut(each.kept) && (isLetIn(each) || beyondCopies(each)));
  return free.length > 1 || !beyondCopiesTogether(rounds) ? free : rounds;
}

/**
 * From each address new connections were admitted, in total more often than copies could explain: no rest lay between the rounds, and half
 * of one passed at most, in which all copies gain half of what they have.
 */
function beyondCopiesTogether(rounds: readonly Reconnected[]): boolean {
  const admitted = rounds.map(({ exhausting }) => exhausting.filter((each) => !isRefused(each)).length);
  const own = Math.max(...admitted);
  const isOneStretch = rounds.length > 2 && rounds.every(({ further }, at) => at === 0 || further === true);
  const letIn = rounds.map(({ fresh }) => admittedIn(fresh));
  const all = [...letIn, ...admitted].reduce((sum, each) => sum + each, 0);
  return isOneStretch && rounds.every(favoursNew) && all >= Math.max(4 * notByLot, 1.6 * copies * own);
}

const isLetIn = ({ fresh, most }: Reconnected): boolean => !fresh.some(isRefused) && fresh.length >= most;

/** Copies of a service, each with a limit of its own, would have admitted fewer; if new connections were refused then, it was by another limit. */
const copies = 8;

function beyondCopies(round: Reconnected): boolean {
  const own = round.exhausting.filter((each) => !isRefused(each)).length;
  return own > 0 && newLetIn(round) >= Math.max(4 * notByLot, copies * own);
}

/** As many as no lot gives to the one kind alone: which call is on which connection was drawn for each. */
const notByLot = 10;

/** How many calls on new connections were accepted in turn with calls on the exhausted one that never were; 0 where it was otherwise. */
export function newLetIn({ kept, fresh }: Reconnected): number {
  const admitted = fresh.filter((each) => !isRefused(each)).length;
  const shut = kept.length > 0 && kept.every(isRefused);
  return shut && admitted >= notByLot && fresh.some(isRefused) ? admitted : 0;
}

/** The exhausted caller stayed refused, and so was a caller that tried to evade it. */
export const isHeld = ({ before, answers, after }: Round): boolean =>
  before.some(isRefused) && after.some(isRefused) && answers.some(isRefused);

/** Chance refuses some calls; an exhausted caller is refused nearly always. */
const nearlyAlways = 0.8;

/** Admitted each time, while the same caller without the header was refused before and after it: of each name the first round. */
export const evaded = (rounds: readonly Round[]): readonly Round[] =>
  [...Map.groupBy(rounds, ({ other }) => other)].flatMap(([name, own]) => {
    const calls = own.flatMap(({ before, after }) => [...before, ...after]);
    const isShut = refusalsIn(calls).length >= nearlyAlways * calls.length;
    return isShut && cellOf(rounds, name) === 'apart' ? own.slice(0, 1) : [];
  });

/** A new connection does not lift the limit: otherwise nothing else that is seen of it is the key's. */
export const isNoConnections = (rounds: Maybe<readonly Reconnected[]>): Gate =>
  rounds && freeRounds(rounds).length > 1
    ? { inapplicable: 'the limit belongs to the connection; that of the key is unknown' }
    : undefined;

/** What could not be looked for is not there; whatever else ended the search shuts the gate. */
export const ifFound = <T extends object>(found: T): T | null =>
  'ended' in found && 'inapplicable' in found && found.inapplicable === false ? null : found;

/** Without it the rule goes on: whatever ended the search. */
export const orNothing = <T extends object>(found: T): T | null => ('ended' in found ? null : found);
