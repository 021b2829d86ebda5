/** All rules, in the order of their areas. A rule is in the catalogue by being exported from the file of its area. */
import type { Rule } from '../src/index.ts';
import * as access from './access.ts';
import * as actor from './actor.ts';
import * as address from './address.ts';
import * as admin from './admin.ts';
import * as adminKeys from './admin-keys.ts';
import * as adminPayloads from './admin-payloads.ts';
import * as adminRecords from './admin-records.ts';
import * as auth from './auth.ts';
import * as authActors from './auth-actors.ts';
import * as authOpen from './auth-open.ts';
import * as disabled from './disabled.ts';
import * as error from './error.ts';
import * as errorShapes from './error-shapes.ts';
import * as input from './input.ts';
import * as inputBodies from './input-bodies.ts';
import * as inputSendings from './input-sendings.ts';
import * as limit from './limit.ts';
import * as limitKeys from './limit-keys.ts';
import * as limitOpen from './limit-open.ts';
import * as limitWaiting from './limit-waiting.ts';
import * as partial from './partial.ts';
import * as route from './route.ts';
import * as run from './run.ts';
import * as runPartial from './run-partial.ts';
import * as upstream from './upstream.ts';
import * as verify from './verify.ts';

/** Raised when a rule judges otherwise than before. */
export const rulesVersion = '1';

const isRule = (value: unknown): value is Rule =>
  typeof value === 'object' && value !== null && 'id' in value && 'clause' in value && 'ask' in value;

const rulesIn = (...files: readonly object[]): readonly Rule[] =>
  files.flatMap((file) => Object.values(file).filter(isRule));

export const catalogue: readonly Rule[] = [
  ...rulesIn(verify),
  ...rulesIn(auth, authActors, authOpen),
  ...rulesIn(access),
  ...rulesIn(actor),
  ...rulesIn(run, runPartial),
  ...rulesIn(input, inputBodies, inputSendings),
  ...rulesIn(partial),
  ...rulesIn(upstream),
  ...rulesIn(error, errorShapes),
  ...rulesIn(route),
  ...rulesIn(admin, adminKeys, adminPayloads, adminRecords),
  ...rulesIn(disabled),
  ...rulesIn(limit, limitKeys, limitWaiting, limitOpen),
  ...rulesIn(address),
];
