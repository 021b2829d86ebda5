/** One measurement: a plan and an engine make it, and it is judged before anybody sees it. */
import { highestRate, isSteady, type Phase, vusFor, warmUpSlots } from '../../load/shared/phases.ts';
import { scenarios } from '../../load/shared/scenarios.ts';
import type { Clock } from '../clock.ts';
import type { MeasuredSecond, Measurement, ProcessFigures } from '../model/measurement.ts';
import { thresholdsOf } from '../statistics/figures.ts';
import { Calm } from './calm/calm.ts';
import type { Witness } from './calm/witness.ts';
import { conclusionsOf } from './conclusions.ts';
import type { Engine, Generated } from './engine.ts';
import { coresAllowed, thisMachine } from './machine.ts';
import { type LoadPlan, type MeasuredPlan, nameOf } from './plan.ts';
import { encoded, Tally } from './tally.ts';
import { isOnlyUntimely, type Unjudged, validityOf } from './validity.ts';

export interface Measuring {
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Called once a second or so, with the last whole seconds. */
  readonly onSeconds?: (latest: readonly MeasuredSecond[]) => void;
  /** Tells when this machine lost time; if omitted, every slot counts. */
  readonly witness?: Witness;
  /** The most repetitions of the schedule, as long as lost machine time is the only problem. */
  readonly times?: number;
}

const watchMs = 500;
/** From a look of the witness until its report. */
const lastWordsMs = 150;

export async function measure(plan: LoadPlan, engine: Engine, measuring: Measuring): Promise<Measurement> {
  const { clock, signal, witness, times = 1 } = measuring;
  const calm = new Calm(plan.timeoutMs, plan.phases.length * plan.operations.length);
  const wanted = scenarios[plan.scenario].anyTime ? witness : undefined;
  const dismiss = await wanted?.(plan, clock, (notice) => calm.tell(notice));
  const witnessed = dismiss === undefined ? undefined : calm;
  const tally = tallyFor(plan, witnessed);
  const started = clock.date();
  let generated: Generated | undefined;
  try {
    for (let time = 1; ; time += 1) {
      // Other nonces: an answer that a service keeps from the time before is another's.
      const now = await generate({ ...plan, seed: plan.seed + time - 1 }, engine, tally, measuring);
      generated = joined(generated, now, (time - 1) * plan.settings.seconds);
      // Reports that arrived meanwhile are counted.
      if (witnessed !== undefined) await clock.sleep(lastWordsMs);
      tally.settle();
      const { measured, wantsTime } = judgedOf(plan, engine, {
        tally,
        calm: witnessed,
        generated,
        started,
        times: time,
      });
      if (time >= times || !wantsTime || signal.aborted) return measured;
      tally.again(plan.settings.seconds);
    }
  } finally {
    await dismiss?.();
  }
}

async function generate(
  plan: LoadPlan,
  engine: Engine,
  tally: Tally,
  { clock, signal, onSeconds }: Measuring,
): Promise<Generated> {
  let cancel = (): void => {};
  const watch = (): void => {
    onSeconds?.(tally.seconds.latest(3));
    cancel = clock.later(watchMs, watch);
  };
  cancel = clock.later(watchMs, watch);
  try {
    return await engine.generate(plan, {
      clock,
      signal,
      onSample: (worker, sample) => tally.add(worker, sample, clock.now()),
    });
  } finally {
    cancel();
  }
}

/** Several measurements in sequence, as one. */
function joined(before: Generated | undefined, now: Generated, seconds: number): Generated {
  if (before === undefined) return now;
  const after = (a: ProcessFigures, b: ProcessFigures): ProcessFigures => ({
    cpuSeconds: a.cpuSeconds + b.cpuSeconds,
    // What it did before its warm-up was over is no part of what is measured.
    samples: [...a.samples, ...b.samples.flatMap((each) => (each.at < 0 ? [] : { ...each, at: each.at + seconds }))],
  });
  const { service = before.service } = now;
  return {
    ...before,
    ...now,
    process: after(before.process, now.process),
    ...(service === undefined
      ? {}
      : { service: before.service === undefined ? service : after(before.service, service) }),
    notes: [...before.notes, ...now.notes],
  };
}

export function tallyFor({ operations, phases }: MeasuredPlan, calm?: Calm): Tally {
  const total = operations.reduce((sum, { weight }) => sum + weight, 0);
  return new Tally(
    phases,
    operations.map((each) => ({ name: nameOf(each), share: each.weight / total })),
    calm,
  );
}

export interface Tallied {
  readonly tally: Tally;
  readonly generated: Generated;
  readonly started: string;
  readonly calm?: Calm | undefined;
  /** How often the schedule was gone through. */
  readonly times?: number;
}

/** All slots where that is valid; else those of calm time, where those are; else all, with what is wrong. */
function judgedOf(plan: LoadPlan, engine: Engine, tallied: Tallied) {
  const all = unjudgedOf(plan, engine, tallied);
  const whole = judged(all, plan);
  const { calm, tally } = tallied;
  if (calm === undefined || whole.validity.verdict === 'valid') return { measured: whole, wantsTime: false };
  const part = judged(
    {
      ...all,
      latencies: encoded(calm.latencies),
      groups: tally.groups(calm),
      generator: { ...all.generator, lag: calm.lag.toLatencies() },
      calm: calm.figures(),
    },
    plan,
  );
  if (part.validity.verdict === 'valid') return { measured: part, wantsTime: false };
  return { measured: whole, wantsTime: isOnlyUntimely(all, plan.limits) };
}

export function judged(measured: Unjudged, plan: Pick<LoadPlan, 'limits' | 'thresholds'>): Measurement {
  const validity = validityOf(measured, plan.limits);
  return {
    ...measured,
    validity,
    thresholds: thresholdsOf(plan.thresholds, measured.latencies, measured.calm?.outside),
    conclusions: validity.verdict === 'valid' ? conclusionsOf(measured, plan.limits) : [],
  };
}

export function unjudgedOf(
  plan: MeasuredPlan,
  engine: Pick<Engine, 'name' | 'version' | 'model'>,
  { tally, generated, started, times = 1 }: Tallied,
): Unjudged {
  const open = engine.model === 'open';
  const intended = times * intendedOf(plan);
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
      seconds: times * plan.settings.seconds,
      ...(times > 1 ? { times } : {}),
      keys: plan.keys.length,
      addresses: plan.addresses?.count ?? 1,
      refusalsExpected: scenarios[plan.scenario].expects?.refusals === true,
      ...changingIn(plan.phases),
    },
    achieved: { ...(open ? { intended } : {}), begun: tally.begun, seconds: Math.max(0, to - from + period) },
    from: open ? 'intended-start' : 'sending',
    latencies: tally.toLatencies(),
    series: open ? withIntended(tally.series(), plan, times) : tally.series(),
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
function withIntended(
  series: readonly MeasuredSecond[],
  { phases, settings }: MeasuredPlan,
  times: number,
): MeasuredSecond[] {
  const zero = Math.min(...phases.map(({ measuredFrom }) => measuredFrom));
  return series.map((second) => {
    const at = zero + (times > 1 && second.at > 0 ? second.at % settings.seconds : second.at);
    const within = phases.map(({ from, slotsWithin }) =>
      at + 1 <= from ? 0 : slotsWithin(Math.max(0, at - from), at - from + 1),
    );
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
