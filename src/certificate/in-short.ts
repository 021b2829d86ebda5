/** Pure: limits and measurements as a certificate shows them. */
import type { Json } from '../model/json.ts';
import type { FoundLimit } from '../model/limit-model.ts';
import type { Measurement } from '../model/measurement.ts';

/** Of a limit what it is and how certain that is; the calls that it follows from are in the run. */
export function limitInShort({ caller, tier, scope, route, model }: FoundLimit): Json {
  const { kind, certainty, burst, perSecond, windowMs, decisions, explained } = model;
  return plain({ caller, tier, scope, route, kind, certainty, burst, perSecond, windowMs, decisions, explained });
}

/** Of a measurement what was measured, and whether it is worth anything; its figures are in the run. */
export function measurementInShort({ id, scenario, validity, thresholds }: Measurement): Json {
  return plain({ id, scenario, validity, thresholds });
}

/** As it reads once it is written: without what is not there. */
const plain = (value: unknown): Json => JSON.parse(JSON.stringify(value));
