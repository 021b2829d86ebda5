/** What a cluster was asked to do, kept next to its manifests, so that its samples can be read: plan.json. */
import * as z from 'zod';
import { scenarioNames, scenarios } from '../../../load/shared/scenarios.ts';
import { UserError } from '../../mistakes.ts';
import type { LoadPlan, MeasuredPlan } from '../plan.ts';

const { strictObject, string, array } = z;
const amount = z.number().min(0);
const count = z.int().min(0);

const limit = strictObject({ perSecond: amount, burst: amount.exactOptional() });

const shape = strictObject({
  version: z.literal(1),
  written: string(),
  k6: string(),
  /** What each pod was given. */
  pods: strictObject({ count: z.int().min(1).max(10_000), cpu: string(), memory: string() }),
  plan: strictObject({
    id: string().regex(/^[a-z0-9][a-z0-9.-]{0,80}$/),
    scenario: z.enum(scenarioNames),
    target: string(),
    seed: count,
    settings: strictObject({
      perSecond: z.number().gt(0).max(1e6),
      seconds: z.number().gt(0).max(1e6),
      warmUpSeconds: z.number().min(0).max(1e6),
      limitPerSecond: amount,
      quietPerSecond: amount,
      restSeconds: z.number().min(0).max(1e6),
      keys: z.int().min(1),
    }),
    operations: array(
      strictObject({ kind: z.enum(['run', 'verify', 'read']), actor: string(), input: string(), weight: amount }),
    ).min(1),
    timeoutMs: amount,
    slowestMs: amount,
    mostVus: count,
    limits: strictObject({ key: limit.exactOptional(), address: limit.exactOptional() }),
    thresholds: array(strictObject({ name: string(), demanded: string(), bound: z.number() })),
  }),
});

export type ClusterPlan = z.output<typeof shape>;

export class ClusterPlanError extends UserError {
  override readonly name = 'ClusterPlanError';

  constructor(message: string) {
    super(message, 'load-pieces');
  }
}

export function clusterPlanOf(plan: LoadPlan, k6: string, pods: ClusterPlan['pods'], written: string): ClusterPlan {
  const { id, scenario, target, seed, settings, operations, timeoutMs, slowestMs, mostVus, limits, thresholds } = plan;
  const own = { id, scenario, target, seed, settings, operations, timeoutMs, slowestMs, mostVus, limits, thresholds };
  // There and back, so that what is written is what will be read.
  return readClusterPlan(JSON.stringify({ version: 1, written, k6, pods, plan: own }), 'the plan');
}

export function readClusterPlan(text: string, source: string): ClusterPlan {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new ClusterPlanError(`${source} is not JSON`);
  }
  const shaped = shape.safeParse(value);
  if (shaped.success) return shaped.data;
  const { path = [], message = 'it has the wrong form' } = shaped.error.issues[0] ?? {};
  throw new ClusterPlanError(
    `${source} is not a plan of \`touchstone load --kubernetes\`: ${path.map(String).join('.').slice(0, 120)}: ${message}`,
  );
}

/** The schedule follows from the settings, as it did for the pods. */
export const measuredPlanOf = ({ plan, pods }: ClusterPlan): MeasuredPlan => ({
  ...plan,
  phases: scenarios[plan.scenario].phases(plan.settings),
  keys: { length: plan.settings.keys },
  // Each pod has an address of its own.
  addresses: { ranges: '', count: pods.count },
  workers: pods.count,
});
