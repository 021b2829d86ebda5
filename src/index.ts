/** What rules and reports import: the model, `rule()`, the expectations. Never the engine. */
export {
  type Cell,
  cellOf,
  describe,
  draw,
  failureBound,
  isRefused,
  judgeHammering,
  modelOfProbed,
  noneMet,
  slackOf,
  summary,
  traceOf,
} from './limits/index.ts';
export * from './model/ask.ts';
export * from './model/clause.ts';
export * from './model/context.ts';
export * from './model/exchange.ts';
export * from './model/expect.ts';
export * from './model/json.ts';
export type * from './model/limit-model.ts';
export type * from './model/limits-ask.ts';
export * from './model/measurement.ts';
export * from './model/rule.ts';
export type * from './model/run.ts';
export { exitCodes, isViolation, outcomeOf, runVersion } from './model/run.ts';
export * from './model/secret.ts';
export * from './model/subject.ts';
export * from './model/verdict.ts';
