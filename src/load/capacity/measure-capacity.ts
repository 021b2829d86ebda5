/** The search, with measurements: from a plan for the first rate to one measurement that states the capacity of the service. */
import { scenarios } from '../../../load/shared/scenarios.ts';
import type { CapacityFigures, Measurement } from '../../model/measurement.ts';
import type { LoadPlan } from '../plan.ts';
import { describeCapacity } from './describe.ts';
import { type Search, type StepPlan, searchCapacity } from './search.ts';
import { type Promised, stepOf } from './step.ts';

/** Measures one step; the search takes many. */
export type MeasureStep = (plan: LoadPlan) => Promise<Measurement>;

export async function measureCapacity(
  plan: LoadPlan,
  search: Search,
  measure: MeasureStep,
  onStep: (step: CapacityFigures['steps'][number]) => void,
): Promise<Measurement> {
  const done: { readonly perSecond: number; readonly measured: Measurement }[] = [];
  const found = await searchCapacity(
    search,
    async (perSecond, step) => {
      const measured = await measure(planOf(plan, perSecond, step, done.length + 1));
      done.push({ perSecond, measured });
      return stepOf(measured, search.promise);
    },
    onStep,
  );
  const { figures } = found;
  const shown = shownOf(done, figures.held);
  return {
    ...shown,
    id: plan.id,
    capacity: figures,
    // Of the step that is shown: whether it is valid says nothing about the others, which the figures do.
    conclusions: describeCapacity(found),
    ...(found.interrupted ? interrupted(shown) : {}),
  };
}

/** Every step is a measurement of its own: another rate, another process, warmed up again. */
function planOf(plan: LoadPlan, perSecond: number, { seconds, warmUpSeconds }: StepPlan, number: number): LoadPlan {
  const settings = { ...plan.settings, perSecond, seconds, warmUpSeconds };
  // Thresholds are for what is shown at the end, not for steps that are made to miss them.
  return { ...plan, id: `${plan.id}.${number}`, settings, phases: scenarios[plan.scenario].phases(settings) };
}

/** The longest look at a rate that held; where none held, the last valid one, so that there is something to see. */
function shownOf(
  done: readonly { readonly perSecond: number; readonly measured: Measurement }[],
  held: number | undefined,
): Measurement {
  const valid = done.filter(({ measured }) => measured.validity.verdict === 'valid');
  const holding = valid.filter(({ perSecond }) => held !== undefined && perSecond <= held);
  const longest = holding.toSorted(
    (a, b) => b.measured.plan.seconds - a.measured.plan.seconds || b.perSecond - a.perSecond,
  )[0];
  return (longest ?? valid.at(-1) ?? done.at(-1)!).measured;
}

function interrupted({ validity }: Measurement): Pick<Measurement, 'interrupted' | 'validity'> {
  const reason = {
    cause: 'interrupted',
    says: 'the search was interrupted',
    change: 'let it run to its end',
  } as const;
  return { interrupted: true, validity: { verdict: 'inconclusive', reasons: [...validity.reasons, reason] } };
}

/** What the profile promises, as far as a rate can keep it: its strictest latency, and its errors. */
export function promisedBy(thresholds: LoadPlan['thresholds']): Promised {
  const latency = thresholds.flatMap(({ name, bound }) => {
    const percent = /^latency\.p(\d+(?:\.\d+)?)$/.exec(name)?.[1];
    return percent === undefined ? [] : [{ percent: Number(percent), withinMs: bound / 1000 }];
  });
  const strictest = latency.toSorted((a, b) => b.percent - a.percent)[0];
  const errors = thresholds.find(({ name }) => name === 'errors')?.bound;
  return { ...usualPromise, ...strictest, ...(errors === undefined ? {} : { errors }) };
}

/** As load/capacity.ts has it. */
export const usualPromise: Promised = { percent: 99, withinMs: 250, errors: 0.001 };
