/**
 * Asks the whole plan: first each rule in its plainest context, area by area, then what deepens it, so that a limited service is
 * judged by every rule before it is judged in every context. A failure that is not everywhere is asked for again.
 */
import type { Context } from '../model/context.ts';
import { areaOf, areas, isObservation, isProbing, isSweep, type Rule, type SweepRule } from '../model/rule.ts';
import type { PlannedRule, Step } from '../model/run.ts';
import type { Finding } from '../model/verdict.ts';
import { hashOf, seeded, shuffled } from '../random.ts';
import { deriveFinding, judgeWritten } from '../verdict/derive.ts';
import { lostInARow } from '../verdict/lost.ts';
import { plainer } from '../verdict/narrow.ts';
import { sweepOver } from '../verdict/sweeping.ts';
import type { StepInPlan } from './asker.ts';
import { execute, notAsked } from './execute.ts';
import type { Ledger } from './ledger.ts';
import type { EngineOptions } from './options.ts';
import { restep } from './restep.ts';
import { inParallel } from './schedule.ts';
import type { Session } from './session.ts';
import { isTimeUp, whyEnded } from './time-limit.ts';
import { watchOver } from './watch.ts';

/** A failure that is not everywhere is asked for this often in the same way. */
const sameWay = 5;

/** How many steps that only wait are under way next to the lanes of the others. */
const waitingAtOnce = 24;

export interface Asking {
  readonly session: Session;
  readonly ledger: Ledger;
  readonly options: EngineOptions;
  readonly planned: ReadonlyMap<string, PlannedRule>;
}

export interface Asked {
  /** Why contexts that only deepen were not asked, and how many. */
  readonly leftOut: ReadonlyMap<string, number>;
  readonly gone: boolean;
}

export async function askAll(
  asking: Asking,
  steps: readonly StepInPlan[],
  beforeProbing: () => Promise<unknown>,
): Promise<Asked> {
  const { ledger, options } = asking;
  const state = { done: 0, bailed: false };
  const leftOut = new Map<string, number>();
  const watch = watchOver(asking.session);
  const open = new Map<string, number>();
  for (const step of steps) open.set(step.rule.id, (open.get(step.rule.id) ?? 0) + 1);

  const one = async (step: StepInPlan): Promise<void> => {
    const why = whyNotNow(asking, step, state.bailed, await watch());
    if (why !== undefined && 'leftOut' in why) {
      leftOut.set(why.leftOut, (leftOut.get(why.leftOut) ?? 0) + 1);
      ledger.step(notAsked(step, { leftOut: true }));
    } else ledger.step(why === undefined ? await execute(asking.session, step) : notAsked(step, why));
    state.done += 1;
    options.on?.({ type: 'progress', done: state.done, steps: steps.length, rule: step.rule.id });
    const left = (open.get(step.rule.id) ?? 1) - 1;
    open.set(step.rule.id, left);
    if (options.bail) state.bailed ||= failed(asking, step.rule);
    if (left === 0) await finish(asking, step.rule, steps);
  };

  // A restart makes a service forget what it should not remember: rules that need one come last, in the order of their areas.
  const ending = (['end', 'last'] as const).flatMap((when) => steps.filter((step) => step.rule.alone === when));
  // Rules about limits spend quota that all others need.
  const probing = steps.filter((step) => isProbing(step.rule));
  const usual = steps.filter((step) => !ending.includes(step) && !probing.includes(step));
  const limit = lanes(options);
  const beside = async (some: readonly StepInPlan[], ask = one): Promise<void> => {
    const slow = inParallel(some, limit === 1 ? 1 : waitingAtOnce, ask);
    // What ends the run may reach the others first; nobody waits for these then.
    slow.catch(() => {});
    waiting.push(slow);
    if (limit === 1) await slow;
  };
  let waiting: Promise<void>[] = [];
  const [apart, others] = parted(usual, (step) => step.rule.waits === 'apart');
  const { turns } = asking.session;
  await beside(apart, (step) => turns.asking(() => one(step)));
  const waitingApart = waiting.splice(0);
  for (const deepening of [false, true]) {
    for (const area of areas) {
      const own = others.filter((step) => areaOf(step.rule.id) === area && step.first !== deepening);
      const ordered = shuffled(own, seeded(options.seed ^ hashOf(`${area} ${deepening}`)));
      const [alone, together] = parted(ordered, (step) => step.rule.alone === true);
      const [idle, busy] = parted(together, (step) => step.rule.waits === true);
      // A run that waits for a slow source keeps nobody from asking something else meanwhile.
      await beside(idle);
      await inParallel(busy, limit, one);
      if (alone.length === 0) continue;
      await Promise.all(waiting);
      waiting = [];
      await inParallel(alone, 1, (step) => turns.alone(() => one(step)));
    }
  }
  await Promise.all([...waiting, ...waitingApart]);
  await inParallel(ending, 1, one);
  if (probing.length > 0) {
    await beforeProbing();
    const [late, early] = parted(probing, (step) => step.rule.late === true);
    await inParallel([...early, ...late], 1, one);
  }
  return { leftOut, gone: await watch() };
}

const lanes = ({ concurrency, profile }: EngineOptions): number => concurrency ?? profile.concurrency;

function whyNotNow(
  asking: Asking,
  step: StepInPlan,
  bailed: boolean,
  gone: boolean,
): { readonly leftOut: string } | { readonly inconclusive: string } | undefined {
  const { session, options } = asking;
  const { signal } = session;
  if (isTimeUp(signal) && !step.first) return { leftOut: 'the time of the run (--max-duration) was up' };
  if (signal?.aborted) return { inconclusive: whyEnded(signal, 'this was asked') };
  if (bailed) return { inconclusive: 'skipped: --bail ended the run at the first violation' };
  if (gone) return { inconclusive: 'the target stopped answering during the run' };
  const maxWaitMs = options.maxWaitMs ?? options.profile.bounds.maxWaitMs;
  const waited = session.recorder.waitingMs;
  if (!step.first && waited > maxWaitMs) return { leftOut: 'the service made the run wait too long' };
  if (step.context.company === 'among' && lanes(options) === 1)
    return { leftOut: 'requests go one at a time (--concurrency 1)' };
  // What every rule is asked first is worth more patience than what only deepens it, but not any amount.
  if (waited > maxWaitMs * 5) return { inconclusive: 'the service made the run wait for longer than its patience' };
  return undefined;
}

async function finish(asking: Asking, rule: Rule, steps: readonly StepInPlan[]): Promise<void> {
  if (!isObservation(rule)) await narrowDown(asking, rule, steps);
  // Sweeps see the whole run, so their findings wait for its end.
  if (!isSweep(rule)) writeFinding(asking, rule);
}

export function writeFinding(asking: Asking, rule: Rule): void {
  const planned = asking.planned.get(rule.id);
  if (planned === undefined || asking.ledger.has(rule.id)) return;
  const finding = findingSoFar(asking, rule, planned);
  asking.ledger.finding(finding);
  asking.options.on?.({ type: 'finding', finding });
}

function findingSoFar({ ledger, options }: Asking, rule: Rule, planned: PlannedRule): Finding {
  const derived = deriveFinding(rule, planned, ledger.stepsOf(rule.id), ledger.written);
  return options.waiving?.finding(derived) ?? derived;
}

/** Whether the steps so far fail a rule that must hold, and nobody has accepted that. */
function failed(asking: Asking, rule: Rule): boolean {
  const planned = asking.planned.get(rule.id);
  if (planned === undefined || rule.provisional || isSweep(rule) || rule.clause.level !== 'required') return false;
  if (!asking.ledger.stepsOf(rule.id).some((step) => isBad(asking, rule, step))) return false;
  const { verdict, waived } = findingSoFar(asking, rule, planned);
  return verdict === 'fail' && waived === undefined;
}

function isBad(asking: Asking, rule: Rule, step: Step): boolean {
  if (isSweep(rule)) return isBadSweep(asking, rule, step);
  const outcome = judgeWritten(rule, step, asking.ledger.exchanges);
  return outcome.kind === 'judged' && outcome.reasons.some((reason) => reason.weight !== 'note');
}

/** Of a sweep, the exchanges that it brought about itself. */
function isBadSweep({ ledger }: Asking, rule: SweepRule, step: Step): boolean {
  const own = new Map(step.exchanges.flatMap((id) => ledger.exchanges.get(id) ?? []).map((each) => [each.id, each]));
  return sweepOver(rule, [step], { ...ledger.written, exchanges: own }).reasons.some(({ weight }) => weight !== 'note');
}

/** Asks a failing context again in the same way, and in plainer ones, until the smallest description is known. */
async function narrowDown(asking: Asking, rule: Rule, steps: readonly StepInPlan[]): Promise<void> {
  const { ledger, session } = asking;
  if (isProbing(rule)) return;
  const ask = async (step: StepInPlan | undefined): Promise<Step | undefined> => {
    if (step === undefined || session.signal?.aborted || session.recorder.silent) return undefined;
    const again = await execute(session, step);
    ledger.step(again);
    return again;
  };
  const planned = (context: string): StepInPlan | undefined =>
    steps.find((step) => step.rule === rule && JSON.stringify(step.context) === context);
  await askLostAgain(asking, rule, (context) => {
    const step = planned(context);
    return ask(step && { ...step, purpose: 'again' });
  });
  const written = ledger.stepsOf(rule.id).filter((step) => step.leftOut === undefined);
  const bad = written.filter((step) => isBad(asking, rule, step));
  if (bad.length === 0 || (bad.length === written.length && written.length > 1)) return;
  const found = planned(JSON.stringify(bad[0]!.context));
  if (found === undefined) return;
  for (let time = 1; time < sameWay; time += 1) await ask({ ...found, purpose: 'again' });
  const plainest = steps.find((step) => step.rule === rule && step.first)?.context ?? found.context;
  await narrow(asking, rule, found, plainest, ask);
}

/** How many unanswered questions are repeated until they get an answer, or until chance no longer explains it. */
const lostQuestions = 3;

async function askLostAgain(
  { ledger }: Asking,
  rule: Rule,
  again: (context: string) => Promise<Step | undefined>,
): Promise<void> {
  const isLost = (step: Step): boolean => judgeWritten(rule, step, ledger.exchanges).kind === 'unanswered';
  const lost = new Set(
    ledger
      .stepsOf(rule.id)
      .filter(isLost)
      .map(({ context }) => JSON.stringify(context)),
  );
  let proven = false;
  for (const context of [...lost].slice(0, lostQuestions)) {
    for (let time = 1; time < lostInARow && !proven; time += 1) {
      const step = await again(context);
      if (step === undefined || !isLost(step)) break;
      proven = time === lostInARow - 1;
    }
  }
}

/** Greedy: each dimension in turn is made plain and stays so if the failure is still there. */
async function narrow(
  asking: Asking,
  rule: Rule,
  found: StepInPlan,
  plainest: Context,
  ask: (step: StepInPlan | undefined) => Promise<Step | undefined>,
): Promise<void> {
  let current = found;
  for (const { name, context } of plainer(found.context, plainest)) {
    const next = restep(
      current,
      { ...current.context, [name]: context[name] } as Context,
      asking.session.subject,
      'narrow',
    );
    const step = await ask(next);
    if (next !== undefined && step !== undefined && isBad(asking, rule, step)) current = next;
  }
}

function parted<T>(items: readonly T[], test: (item: T) => boolean): [T[], T[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}
