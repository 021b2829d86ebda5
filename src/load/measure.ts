/** One measurement: a plan and an engine make it, and it is judged before anybody sees it. */
import { slotAtMs, slotsOf, vusFor } from '../../load/shared/phases.ts';
import type { Clock } from '../clock.ts';
import type { MeasuredSecond, Measurement } from '../model/measurement.ts';
import { thresholdsOf } from '../statistics/figures.ts';
import { conclusionsOf } from './conclusions.ts';
import type { Engine, Generated } from './engine.ts';
import { coresAllowed, thisMachine } from './machine.ts';
import { expectsRefusals, type LoadPlan, type MeasuredPlan, nameOf } from './plan.ts';
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
      ...(open ? { perSecond: Math.max(...plan.phases.map(({ perSecond }) => perSecond)) } : {}),
      ...(plan.connections === undefined ? {} : { connections: plan.connections }),
      warmUpSeconds: plan.settings.warmUpSeconds,
      seconds: plan.settings.seconds,
      keys: plan.keys.length,
      addresses: plan.addresses?.count ?? 1,
      refusalsExpected: expectsRefusals(plan.scenario),
    },
    achieved: { ...(open ? { intended } : {}), begun: tally.begun, seconds: Math.max(0, to - from + period) },
    from: open ? 'intended-start' : 'sending',
    latencies: tally.toLatencies(),
    series: tally.series(),
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
  phases.reduce((sum, phase) => {
    const warm = Math.max(0, phase.measuredFrom - phase.from) * 1000;
    const perSlot = slotAtMs(phase, 1);
    return sum + slotsOf(phase) - Math.ceil(warm / perSlot - 1e-9);
  }, 0);

/** The phase that came nearest to having nobody free. */
function busiestPhase(plan: MeasuredPlan, tally: Tally): { readonly allowed: number; readonly usedAtMost: number } {
  const all = plan.phases.map((phase, at) => ({
    allowed: vusFor(phase, plan.slowestMs / 1000, plan.mostVus),
    usedAtMost: tally.usedAtMost(at),
  }));
  return all.reduce((most, each) => (each.usedAtMost / each.allowed > most.usedAtMost / most.allowed ? each : most));
}
