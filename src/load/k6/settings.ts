/** The settings of a script from its environment, except secrets. */
import type { MeasuredPlan } from '../plan.ts';

const duration = (ms: number): string => `${Math.round(ms)}ms`;

export function scriptSettings(plan: MeasuredPlan): Readonly<Record<string, string>> {
  const { settings } = plan;
  return {
    SAMPLES: '1',
    BASE_URL: plan.target,
    OPERATIONS: JSON.stringify(plan.operations),
    RATE: String(settings.perSecond),
    DURATION: duration(settings.seconds * 1000),
    WARM_UP: duration(settings.warmUpSeconds * 1000),
    LIMIT: String(settings.limitPerSecond),
    QUIET_RATE: String(settings.quietPerSecond),
    REST: duration(settings.restSeconds * 1000),
    SEED: String(plan.seed),
    TIMEOUT: duration(plan.timeoutMs),
    SLOWEST: duration(plan.slowestMs),
    VUS: String(plan.mostVus),
  };
}
