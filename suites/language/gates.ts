/**
 * Gates: what must be so before an answer proves anything. Each looks at what was recorded and says why nothing can be judged
 * from it, or nothing at all. What was not asked yet shuts no gate.
 */
import {
  type Created,
  type Exchange,
  type Gate,
  type Reached,
  type StatusSet,
  statusFits,
  succeeded,
  whatCame,
} from '../../src/vocabulary.ts';
import { isPartial } from './expectations.ts';

type Maybe<T> = T | null | undefined;

export const inconclusiveIf = (is: boolean, why: string): Gate => (is ? { inconclusive: why } : undefined);

export const inapplicableIf = (is: boolean, why: string): Gate => (is ? { inapplicable: why } : undefined);

/** The request is one that must succeed. */
export const succeeds = (exchange: Maybe<Exchange>, what: string): Gate =>
  exchange && !succeeded(exchange)
    ? { inconclusive: `${what}, which must succeed, got ${whatCame(exchange)} (exchange ${exchange.id})` }
    : undefined;

/** A clean run that shows whether a key is accepted: other failures are not about the key. */
export const tellsOfKey = (exchange: Maybe<Exchange>): Gate =>
  exchange && !statusFits(exchange, [401, 403]) ? succeeds(exchange, 'a clean run') : undefined;

/** A clean run of the actor has shown that it reaches so many sources. */
export function reaches(clean: Maybe<Exchange>, reached: Maybe<Reached>, wanted: number): Gate {
  const failed = succeeds(clean, 'a clean run');
  if (failed !== undefined || !reached || reached.times >= wanted) return failed;
  return {
    inconclusive:
      reached.times === 0
        ? 'a run that should reach its source did not: the service cannot reach the source server'
        : `a clean run reached only ${reached.times} of the ${wanted} sources in its input`,
  };
}

/** What is asked about was refused; that it was not is said by another rule. */
export const isRefusedRun = (refused: Maybe<Exchange>): Gate =>
  refused && succeeded(refused)
    ? { inconclusive: `the run was not refused but got ${whatCame(refused)}; another rule reports that` }
    : undefined;

/** A refusal with one of these statuses, as another rule demands. */
export const isAnswered = (exchange: Maybe<Exchange>, wanted: StatusSet, what: string): Gate =>
  exchange && !statusFits(exchange, wanted)
    ? { inconclusive: `${what} got ${whatCame(exchange)}; another rule reports that` }
    : undefined;

/** A key was made, and its answer showed it. */
export const showsKey = (created: Maybe<Created>): Gate =>
  succeeds(created?.answer, 'creating a key') ??
  inconclusiveIf(
    created?.name === null,
    'the answer of create shows no key at the place that the profile names (`admin.create.key`)',
  );

/** A record was made that can be named afterwards. */
export const showsIdentifier = (created: Maybe<Created>): Gate =>
  succeeds(created?.answer, 'creating a key') ??
  inconclusiveIf(
    created?.identified === false,
    'the answer of create shows no identifier at the place that the profile names',
  );

/** A run of which one source failed was PARTIAL. A service that refuses such a run as a whole has no PARTIAL to look at. */
export function isPartialRun(exchange: Maybe<Exchange>): Gate {
  if (!exchange || isPartial(exchange)) return undefined;
  if (statusFits(exchange, [502, 504])) return { inapplicable: 'the run was refused as a whole' };
  return { inconclusive: `no PARTIAL result when one source of two failed, but ${whatCame(exchange)}` };
}

/** For `workOf`: the clean run reached a source, and the other one was refused. */
export const refusedWork = (work: CleanRun & { readonly refused?: Exchange }): readonly Gate[] => [
  ...reachesOne(work),
  isRefusedRun(work.refused),
];

interface CleanRun {
  readonly clean?: Exchange;
  readonly reachedByClean?: Reached | null;
}

/** For `cleanRunOf`: it reached a source, or two of them. */
export const reachesOne = ({ clean, reachedByClean }: CleanRun): readonly Gate[] => [reaches(clean, reachedByClean, 1)];
export const reachesTwo = ({ clean, reachedByClean }: CleanRun): readonly Gate[] => [reaches(clean, reachedByClean, 2)];
