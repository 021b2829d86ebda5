/** What is left open about keys: where else one is taken from, and which of several faults is answered. */
import {
  type Ask,
  type Case,
  type Exchange,
  hasStatus,
  Inconclusive,
  observation,
  type Reason,
  rule,
  succeeded,
  violation,
  whatCame,
} from '../src/index.ts';
import { clauses } from './clauses.ts';
import { nameless } from './sure.ts';
import { cleanRun } from './twins.ts';
