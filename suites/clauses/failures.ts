/** §7 and §8: what an error says, and the limits. */
import { aboutClients, expected, named, observed, required, untestable } from './levels.ts';

export const failures = named({
  errorBodyShape: required('§7', 'An error is a JSON object with `error` and `detail`, both non-empty strings.'),
  invalidInputCode: required('§7 Fields', 'A 400 for bad input has the code `invalid_input`.'),
  otherErrorCodesNotShown: observed('§7 Fields', 'Error codes other than invalid_input are not shown.'),
  detailNamesTheField: required('§7 Fields', 'If an input fails validation, `detail` names the field that fails.'),
  errorNamesTheActor: required('§7 Fields', 'An error on the route of an actor names that actor in `actor`.'),

  badInputIs400or422: required('§7 Statuses', 'Bad input gets 400 or 422.'),
  schemaViolationIs400or422: required('§7 Statuses', 'An input that violates its schema gets 400 or 422.'),
  refusedRunDoesNotRun: required('§7 Statuses', 'A refused run (400, 401, 403, 422) does not run: it fetches nothing.'),
  unknownActorIs404: required('§7 Statuses', 'An actor that does not exist gets 404.'),
  unknownRouteIs404: required('§7 Statuses', 'A route that does not exist gets 404.'),
  serverErrorIs500: required('§7 Statuses', 'A failure inside the service gets 500.'),
  statusesAreForEveryPlan: required(
    '§7 Statuses',
    'An error means the same for the keys of all plans; only 403 depends on the plan.',
  ),
  slowSourceIs502or504: required(
    '§7 Statuses',
    'If all sources of a run are too slow and the answer is an error, it is 502 or 504.',
  ),
  runStatusIsItsOwn: required(
    '§7 Statuses',
    'The status of a run is its own: the status of a source is never passed on.',
  ),
  failedSourceNotShown: observed(
    '§7 Statuses',
    'The specification leaves open whether a source that answers with an error counts as failed.',
  ),
  otherErrorsHaveTheBody: expected(
    '§7, by plain meaning',
    'Errors with other statuses have the same body as all errors.',
  ),
  failureDoesNotStick: required(
    '§7 Statuses',
    'A failure of sources affects one run only: a repeated call succeeds once the sources work.',
  ),
  crashDoesNotStick: required('§7 Statuses', 'A run that fails inside makes no later run fail.'),
  callersMayLeave: required('§1, by plain meaning', 'A caller that hangs up before its answer affects no later run.'),
  clientActions: untestable('§7 Statuses', 'Clients follow the advice for each status.', aboutClients),

  limitPerKey: required('§8', 'Requests are limited per key; calls beyond the limit get 429.'),
  limitOfOneKey: required('§8', 'A key beyond its limit takes no calls from another key.'),
  limitOutlivesConnection: required('§8', 'The limit of a key does not depend on its connection.'),
  limitHoldsAtOnce: required('§8', 'A limit holds for simultaneous calls as for calls one after another.'),
  refusalForgivesNothing: required('§8', "A refusal does not restore any of its caller's quota."),
  otherCallsForgiveNothing: required(
    '§8',
    'Calling another route does not restore the quota of a key beyond its limit.',
  ),
  otherCallersForgiveNothing: required('§8', 'Calls with a valid key do not restore the quota of their address.'),
  everyKeyIsLimited: required('§8', 'Requests are limited for every key of a plan: live, test, created or changed.'),
  limitIsOfTheKeyAlone: required('§8', 'The limit of a key does not depend on what else its requests say.'),
  everyRouteIsLimited: expected(
    '§8, plain safety',
    'If one route is limited, every other limited route enforces its limit too.',
  ),
  limitIgnoresForgedAddress: expected(
    '§8, plain safety',
    'An address that a caller invents does not lift the limit of its key.',
  ),
  limitedShape: required('§8, §7', 'A 429 is an error like any other, with `error` and `detail`.'),
  limitPerAddress: required('§8', 'Requests are limited per client address too.'),
  limitsScaleWithPlan: required('§8', 'The limits of a higher plan are not lower.'),
  addressAnswers429: expected('§8, plain safety', 'Calls beyond the limit of an address get 429.'),
  addressIsNoConnection: expected('§8, plain safety', 'The limit of an address does not depend on its connections.'),
  limitOfOneAddress: required('§8', 'An address beyond its limit takes no calls from another address.'),
  addressRetryAfter: required('§8', 'The 429 of an address says in Retry-After how many seconds to wait.'),
  addressWaitingAdmits: required('§8', 'A client that waits as long as the 429 of its address says is admitted.'),
  limitedRunDoesNotRun: required('§8', 'A run that gets 429 does not run.'),
  retryAfterStands: required('§8', 'Every 429 carries Retry-After.'),
  retryAfterIsSeconds: required('§8', 'Retry-After is a number of seconds.'),
  waitingAdmits: required('§8', 'A client that waits as long as Retry-After says is admitted.'),
  defaultWait: untestable('§8', 'A client that finds no Retry-After may wait 2 seconds.', aboutClients),
  limitsAsStated: required('§8, as the profile states it', 'A limit is as high as the profile documents.'),
  numericLimitsNotShown: observed('§8', 'How many requests a plan allows is not shown.'),
  limiterKindNotShown: observed('§8', 'The specification leaves open the kind of the limiter.'),
  limiterHeadersNotShown: observed(
    '§8',
    'The specification leaves open which headers besides Retry-After describe limits.',
  ),
  limitedRoutesNotShown: observed('§8', 'The specification leaves open which requests count against a limit.'),
  impatienceGainsNothing: expected(
    '§8, plain safety',
    'Continuing to call instead of waiting gains no more calls than waiting does.',
  ),
  limitFollowsTheKey: expected('§8, plain safety', 'The limit of a key holds from every address.'),
  strangersAreLimited: expected('§8, plain safety', 'Requests without a valid key are limited per address too.'),
  forgedAddressGainsNothing: expected(
    '§8, plain safety',
    'A header that any client can invent, such as forwarded-for, does not lift the limit of its address.',
  ),
});
