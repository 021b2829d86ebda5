/**
 * What the specification says, sentence by sentence, in our words. `required` clauses are in it, `expected` ones in the
 * standards that it builds on, `observed` ones are "not shown" or silent. `sections.test.ts` holds that none is forgotten.
 */
import { calls } from './calls.ts';
import { failures } from './failures.ts';
import { service } from './service.ts';
import { standards } from './standards.ts';

export const clauses = { ...service, ...calls, ...failures, ...standards };
