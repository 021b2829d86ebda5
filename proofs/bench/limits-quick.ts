/** What a quick look owes: whether calls come back together or bit by bit, how many there are, and the rate within a tenth. */
import type { Drawn } from '../../fixtures/limiters/index.ts';
import type { LimitModel } from '../../src/model/limit-model.ts';
import { isNear, judge, type Outcome } from './limits-table.ts';

const families: readonly (readonly string[])[] = [
  [
    'window aligned',
    'window from first call',
    'sliding log',
    'counting log',
    'restarting window',
    'window undetermined',
  ],
  ['token bucket', 'GCRA', 'leaky bucket', 'stepped refill', 'sliding counter', 'trickle undetermined'],
  ['concurrency'],
];

const familyOf = (kind: string): number => families.findIndex((family) => family.includes(kind));

const paceOf = (burst: number | undefined, perSecond: number | undefined, windowMs: number | undefined) =>
  perSecond ?? (burst === undefined || windowMs === undefined ? undefined : (1000 * burst) / windowMs);

export function judgeQuick(drawn: Drawn, model: LimitModel, requests: number): Outcome {
  const whole = judge(drawn, model, requests);
  const family = familyOf(model.kind);
  // A limiter that is not a single limit of one kind has no family: only a wrong name counts there.
  if (familyOf(drawn.kind) < 0) return whole;
  const isOne = drawn.burst === 1 && family >= 0;
  if (whole.is === 'wrong' || whole.is === 'fits badly' || family < 0) return whole;
  if (family !== familyOf(drawn.kind) && !isOne) return { ...whole, is: 'wrong', notes: [`WRONG: ${model.kind}`] };
  const truth = paceOf(drawn.burst, drawn.perSecond, drawn.windowMs);
  const found = paceOf(model.burst?.value, model.perSecond?.value, model.windowMs?.value);
  return {
    ...whole,
    is: 'right',
    ...(drawn.burst === undefined ? {} : { burst: model.burst?.value === drawn.burst }),
    ...(truth === undefined ? {} : { rate: isNear(found, truth, 0.1) }),
  };
}
