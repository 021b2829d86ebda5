/** What the rest of Touchstone takes from here: the survey, and the pure functions that read what it brought. */

export { isRefused, traceOf } from './decision.ts';
export { describe, summary } from './describe.ts';
export { draw } from './draw.ts';
export { estimate } from './estimate.ts';
export { modelOf } from './identify.ts';
export { cellOf } from './neighbours.ts';
export { modelOfProbed, noneMet } from './probed.ts';
export type { Call, Place, RouteName } from './prober.ts';
export { failureBound, judgeHammering, slackOf } from './retry.ts';
export type { Cell } from './scope.ts';
export { type Surveyed, survey } from './survey.ts';
