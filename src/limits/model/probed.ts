/** Pure: the model that the calls of a caller follow. */
import type { Exchange } from '../../model/exchange.ts';
import type { LimitModel } from '../../model/limit-model.ts';
import type { Probed } from '../../model/limits-ask.ts';
import { traceOf } from './decision.ts';
import { modelOf } from './model-of.ts';

const models = new WeakMap<Exchange, { readonly calls: number; readonly model: LimitModel }>();

/** Several rules ask for the same one, and a fit is costly. The same calls begin with the same exchange. */
export function modelOfProbed({ calls, sustainedFrom }: Probed): LimitModel {
  const [first] = calls;
  const known = first === undefined ? undefined : models.get(first);
  if (known?.calls === calls.length) return known.model;
  const model = modelOf(traceOf(calls), sustainedFrom ?? undefined);
  if (first !== undefined) models.set(first, { calls: calls.length, model });
  return model;
}

export function noneMet(model: LimitModel): string {
  const { calls, inMs } = model.atLeast ?? { calls: model.admitted, inMs: model.tookMs };
  return `no limit was met in ${calls} calls within ${(inMs / 1000).toFixed(1)} s, which the budget allowed; that says nothing about a higher one`;
}
