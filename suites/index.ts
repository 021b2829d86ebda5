/** All rules, in the order of their areas. A rule is in the catalogue by being exported from the file of its area. */
import type { Rule } from '../src/vocabulary.ts';
import * as access from './rules/access/access.ts';
import * as accessBeside from './rules/access/beside-a-run.ts';
import * as accessFewRights from './rules/access/few-rights.ts';
import * as accessIssued from './rules/access/issued.ts';
import * as accessDoors from './rules/access/other-doors.ts';
import * as accessRestarts from './rules/access/over-restarts.ts';
import * as actor from './rules/actor/actor.ts';
import * as actorEnforced from './rules/actor/enforced-schema.ts';
import * as actorPlans from './rules/actor/every-plan.ts';
import * as actorSchema from './rules/actor/own-schema.ts';
import * as address from './rules/address/address.ts';
import * as addressCallers from './rules/address/callers.ts';
import * as addressForged from './rules/address/forged.ts';
import * as addressPaces from './rules/address/paces.ts';
import * as addressStated from './rules/address/stated.ts';
import * as addressStrangers from './rules/address/strangers.ts';
import * as adminLasts from './rules/admin/change-lasts.ts';
import * as adminChanged from './rules/admin/changed.ts';
import * as adminConfigured from './rules/admin/configured.ts';
import * as adminDistinct from './rules/admin/distinct.ts';
import * as adminIdentifier from './rules/admin/identifier.ts';
import * as adminKeys from './rules/admin/keys.ts';
import * as adminOdd from './rules/admin/odd-records.ts';
import * as adminOddTokens from './rules/admin/odd-tokens.ts';
import * as adminOther from './rules/admin/other-credentials.ts';
import * as adminPayloads from './rules/admin/payloads.ts';
import * as adminRecords from './rules/admin/records.ts';
import * as adminRevoked from './rules/admin/revoked.ts';
import * as adminRevokesOne from './rules/admin/revokes-one.ts';
import * as adminStays from './rules/admin/stays-revoked.ts';
import * as adminStored from './rules/admin/stored.ts';
import * as adminToTheEnd from './rules/admin/to-the-end.ts';
import * as adminTokenless from './rules/admin/tokenless.ts';
import * as admin from './rules/admin/tokens.ts';
import * as authRestart from './rules/auth/after-restart.ts';
import * as authBeside from './rules/auth/beside-a-run.ts';
import * as authActors from './rules/auth/every-actor.ts';
import * as auth from './rules/auth/keys.ts';
import * as authOpen from './rules/auth/left-open.ts';
import * as authOdd from './rules/auth/odd-credentials.ts';
import * as authDoors from './rules/auth/other-doors.ts';
import * as disabledAlike from './rules/disabled/alike.ts';
import * as disabledData from './rules/disabled/data.ts';
import * as disabled from './rules/disabled/disabled.ts';
import * as errorAccepted from './rules/error/accepted.ts';
import * as error from './rules/error/bodies.ts';
import * as errorCrashes from './rules/error/crashes.ts';
import * as errorPlans from './rules/error/every-plan.ts';
import * as errorFurther from './rules/error/further.ts';
import * as errorPlain from './rules/error/plain-answers.ts';
import * as errorShapes from './rules/error/shapes.ts';
import * as inputAdmitted from './rules/input/admitted.ts';
import * as inputBodies from './rules/input/bodies.ts';
import * as inputPlans from './rules/input/every-plan.ts';
import * as input from './rules/input/fields.ts';
import * as inputMissing from './rules/input/missing.ts';
import * as inputSendings from './rules/input/sendings.ts';
import * as limitAsides from './rules/limit/asides.ts';
import * as limitEveryKey from './rules/limit/every-key.ts';
import * as limitEverybody from './rules/limit/everybody.ts';
import * as limitHeight from './rules/limit/height.ts';
import * as limitKeys from './rules/limit/keys.ts';
import * as limitOpen from './rules/limit/left-open.ts';
import * as limitPaces from './rules/limit/paces.ts';
import * as limit from './rules/limit/refusals.ts';
import * as limitStated from './rules/limit/stated.ts';
import * as limitThroughout from './rules/limit/throughout.ts';
import * as limitWaiting from './rules/limit/waiting.ts';
import * as partialRestart from './rules/partial/after-restart.ts';
import * as partialEntries from './rules/partial/entries.ts';
import * as partialPlans from './rules/partial/every-plan.ts';
import * as partialHowever from './rules/partial/however-asked.ts';
import * as partialLate from './rules/partial/late.ts';
import * as partialMany from './rules/partial/many-sources.ts';
import * as partial from './rules/partial/partial.ts';
import * as partialSlow from './rules/partial/slow.ts';
import * as partialSticking from './rules/partial/sticking.ts';
import * as routePassing from './rules/route/passing.ts';
import * as route from './rules/route/route.ts';
import * as runAfterRestart from './rules/run/after-restart.ts';
import * as runEmpty from './rules/run/empty.ts';
import * as runPlans from './rules/run/every-plan.ts';
import * as runFraming from './rules/run/framing.ts';
import * as runHowever from './rules/run/however-asked.ts';
import * as runKept from './rules/run/kept-values.ts';
import * as runLateWork from './rules/run/late-work.ts';
import * as runPartial from './rules/run/not-partial.ts';
import * as runNumbers from './rules/run/numbers.ts';
import * as runOwn from './rules/run/own-items.ts';
import * as runPlain from './rules/run/plain-words.ts';
import * as run from './rules/run/run.ts';
import * as runAgain from './rules/run/same-again.ts';
import * as runTexts from './rules/run/texts.ts';
import * as runToTheEnd from './rules/run/to-the-end.ts';
import * as upstreamAddresses from './rules/upstream/addresses.ts';
import * as upstreamAgain from './rules/upstream/again.ts';
import * as upstreamBeside from './rules/upstream/beside.ts';
import * as upstreamForms from './rules/upstream/forms.ts';
import * as upstreamLeaving from './rules/upstream/leaving.ts';
import * as upstreamMany from './rules/upstream/many-slow.ts';
import * as upstreamPrivate from './rules/upstream/private.ts';
import * as upstreamStatuses from './rules/upstream/statuses.ts';
import * as upstreamToTheEnd from './rules/upstream/to-the-end.ts';
import * as upstream from './rules/upstream/upstream.ts';
import * as verifyRefusals from './rules/verify/after-refusals.ts';
import * as verifyEnd from './rules/verify/to-the-end.ts';
import * as verify from './rules/verify/verify.ts';
import { version1 } from './sets/version-1.ts';

/** Raised when the set changes after it was published: `npm run freeze` says when. */
export const rulesVersion = '2';

const isRule = (value: unknown): value is Rule =>
  typeof value === 'object' && value !== null && 'id' in value && 'clause' in value && 'ask' in value;

const rulesIn = (...files: readonly object[]): readonly Rule[] =>
  files
    .flatMap((file) => Object.values(file).filter(isRule))
    .map((rule) => (version1[rule.id] === undefined ? rule : { ...rule, version1: version1[rule.id]! }));

export const catalogue: readonly Rule[] = [
  ...rulesIn(verify, verifyEnd, verifyRefusals),
  ...rulesIn(auth, authActors, authBeside, authDoors, authOdd, authOpen, authRestart),
  ...rulesIn(access, accessBeside, accessDoors, accessFewRights, accessIssued, accessRestarts),
  ...rulesIn(actor, actorSchema, actorEnforced, actorPlans),
  ...rulesIn(
    run,
    runOwn,
    runTexts,
    runKept,
    runAgain,
    runAfterRestart,
    runEmpty,
    runPartial,
    runPlain,
    runFraming,
    runNumbers,
    runPlans,
    runHowever,
    runLateWork,
    runToTheEnd,
  ),
  ...rulesIn(inputMissing, input, inputAdmitted, inputBodies, inputSendings, inputPlans),
  ...rulesIn(
    partial,
    partialLate,
    partialSlow,
    partialSticking,
    partialMany,
    partialEntries,
    partialPlans,
    partialHowever,
    partialRestart,
  ),
  ...rulesIn(
    upstream,
    upstreamAgain,
    upstreamPrivate,
    upstreamStatuses,
    upstreamForms,
    upstreamAddresses,
    upstreamLeaving,
    upstreamBeside,
    upstreamMany,
    upstreamToTheEnd,
  ),
  ...rulesIn(error, errorShapes, errorFurther, errorPlain, errorAccepted, errorPlans, errorCrashes),
  ...rulesIn(route, routePassing),
  ...rulesIn(
    admin,
    adminTokenless,
    adminOddTokens,
    adminOther,
    adminKeys,
    adminChanged,
    adminLasts,
    adminConfigured,
    adminDistinct,
    adminIdentifier,
    adminOdd,
    adminRevokesOne,
    adminPayloads,
    adminRecords,
    adminRevoked,
    adminStays,
    adminStored,
    adminToTheEnd,
  ),
  ...rulesIn(disabled, disabledData, disabledAlike),
  ...rulesIn(
    limit,
    limitEverybody,
    limitKeys,
    limitStated,
    limitWaiting,
    limitPaces,
    limitEveryKey,
    limitAsides,
    limitHeight,
    limitOpen,
    limitThroughout,
  ),
  ...rulesIn(address, addressForged, addressCallers, addressPaces, addressStrangers, addressStated),
];
