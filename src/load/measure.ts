/** One measurement: a plan and an engine make it, and it is judged before anybody sees it. */
import { highestRate, isSteady, type Phase, vusFor, warmUpSlots } from '../../load/shared/phases.ts';
import { scenarios } from '../../load/shared/scenarios.ts';
import type { Clock } from '../clock.ts';
import type { MeasuredSecond, Measurement } from '../model/measurement.ts';
import { thresholdsOf } from '../statistics/figures.ts';
import { conclusionsOf } from './conclusions.ts';
import type { Engine, Generated } from './engine.ts';
import { coresAllowed, thisMachine } from './machine.ts';
import { type LoadPlan, type MeasuredPlan, nameOf } from './plan.ts';
import { Tally } from './tally.ts';
import { type Unjudged, validityOf } from './validity.ts';

export interface Measuring {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called once a second or so, with the last whole seconds. */
  readonly onSeconds?: (latest: readonly MeasuredSecond[]) => void;
}

const watchMs = 500;

export async function measure(
  plan: LoadPlan,
  engine: Engine,
  { clock, signal, onSeconds }: Measuring,
): Promise<Measurement> {
  const tally = tallyFor(plan);
  const started = clock.date();
  let cancel = (): void => {};
  const watch = (): void => {
    onSeconds?.(tally.seconds.latest(3));
    cancel = clock.later(watchMs, watch);
  };
  cancel = clock.later(watchMs, watch);
  let generated: Generated;
  try {
    generated = await engine.generate(plan, { clock, signal, onSample: (worker, sample) => tally.add(worker, sample) });
  } finally {
    cancel();
  }
  tally.settle();
  return judged(unjudgedOf(plan, engine, tally, generated, started), plan);
}

export function tallyFor({ operations, phases }: MeasuredPlan): Tally {
  const total = operations.reduce((sum, { weight }) => sum + weight, 0);
  return new Tally(
    phases,
    operations.map((each) => ({ name: nameOf(each), share: each.weight / total })),
  );
}

export function judged(measured: Unjudged, plan: Pick<LoadPlan, 'limits' | 'thresholds'>): Measurement {
  const validity = validityOf(measured, plan.limits);
  return {
    ...measured,
    validity,
    thresholds: thresholdsOf(plan.thresholds, measured.latencies),
    conclusions: validity.verdict === 'valid' ? conclusionsOf(measured, plan.limits) : [],
  };
}

export function unjudgedOf(
  plan: MeasuredPlan,
  engine: Pick<Engine, 'name' | 'version' | 'model'>,
  tally: Tally,
  generated: Generated,
  started: string,
): Unjudged {
  const open = engine.model === 'open';
  const intended = intendedOf(plan);
  const { from, to } = tally.began;
  const period = tally.begun > 1 ? (to - from) / (tally.begun - 1) : 0;
  const busiest = busiestPhase(plan, tally);
  const { failure, notes } = generated;
  // A script that fails in each iteration ends well, as k6 sees it.
  const silent = tally.begun === 0 && !generated.interrupted ? (notes.at(-1) ?? 'nothing was sent') : undefined;
  const why = failure ?? silent;
  return {
    id: plan.id,
    scenario: plan.scenario,
    engine: { name: engine.name, version: engine.version, model: engine.model, workers: plan.workers },
    target: plan.target,
    seed: plan.seed,
    started,
    plan: {
      ...(open ? { perSecond: Math.max(...plan.phases.map(highestRate)) } : {}),
      ...(plan.connections === undefined ? {} : { connections: plan.connections }),
      warmUpSeconds: plan.settings.warmUpSeconds,
      seconds: plan.settings.seconds,
      keys: plan.keys.length,
      addresses: plan.addresses?.count ?? 1,
      refusalsExpected: scenarios[plan.scenario].expects?.refusals === true,
      ...changingIn(plan.phases),
    },
    achieved: { ...(open ? { intended } : {}), begun: tally.begun, seconds: Math.max(0, to - from + period) },
    from: open ? 'intended-start' : 'sending',
    latencies: tally.toLatencies(),
    series: open ? withIntended(tally.series(), plan.phases) : tally.series(),
    groups: tally.groups(),
    others: tally.others(),
    answers: tally.answers,
    generator: {
      ...generated.process,
      cores: generated.cores ?? coresAllowed(),
      dropped: open && !generated.interrupted ? Math.max(0, intended - tally.begun) : 0,
      lag: open ? tally.lag.toLatencies() : { count: 0 },
      vus: open ? busiest : { allowed: plan.connections ?? 0, usedAtMost: plan.connections ?? 0 },
      stallP99Ms: generated.stalledMs ?? 0,
      exhausted: tally.exhausted,
      ...(why === undefined ? {} : { failure: why }),
    },
    ...(generated.service === undefined ? {} : { service: generated.service }),
    machine: thisMachine(),
    ...(generated.interrupted ? { interrupted: true } : {}),
  };
}

/** Slots that count: those of the warm-up don't. */
const intendedOf = ({ phases }: MeasuredPlan): number =>
  phases.reduce((sum, phase) => sum + phase.slotsWithin() - warmUpSlots(phase), 0);

/** Slots that were to begin in each second, the warm-up included. */
function withIntended(series: readonly MeasuredSecond[], phases: readonly Phase[]): MeasuredSecond[] {
  const zero = Math.min(...phases.map(({ measuredFrom }) => measuredFrom));
  return series.map((second) => {
    const within = phases.map(({ from, slotsWithin }) => {
      const begins = second.at + zero - from;
      return begins <= -1 ? 0 : slotsWithin(Math.max(0, begins), begins + 1);
    });
    return { ...second, intended: within.reduce((sum, each) => sum + each, 0) };
  });
}

/** Of one part only: several have a rate each, which their groups name. */
function changingIn(phases: readonly Phase[]): Pick<Measurement['plan'], 'changing'> {
  const [phase, ...more] = phases;
  if (phase === undefined || more.length > 0 || isSteady(phase)) return {};
  const first = warmUpSlots(phase);
  const slots = phase.slotsWithin() - first;
  const seconds = (phase.slotAt(first + slots - 1) - phase.slotAt(first)) / 1000;
  const from = phase.rateAt(phase.measuredFrom - phase.from);
  return { changing: { from, mean: seconds > 0 ? (slots - 1) / seconds : from } };
}

/** The phase that came nearest to having nobody free. */
function busiestPhase(plan: MeasuredPlan, tally: Tally): { readonly allowed: number; readonly usedAtMost: number } {
  const all = plan.phases.map((phase, at) => ({
    allowed: vusFor(phase, plan.slowestMs / 1000, plan.mostVus),
    usedAtMost: tally.usedAtMost(at),
  }));
  return all.reduce((most, each) => (each.usedAtMost / each.allowed > most.usedAtMost / most.allowed ? each : most));
}
