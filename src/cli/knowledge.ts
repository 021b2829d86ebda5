/** What this Touchstone knows when it makes or checks a certificate. */
import { clauses } from '../../suites/clauses/index.ts';
import type { Knowledge } from '../certificate/predicate.ts';
import { version } from '../version.ts';
import { catalogue } from './catalogue.ts';
import { readProofs } from './proofs.ts';

export const knowledge = (): Knowledge => ({
  touchstone: version,
  rules: catalogue.rules,
  version: catalogue.version,
  specification: catalogue.specification,
  clauses: Object.values(clauses),
  proven: new Set(readProofs()?.keys() ?? []),
});
