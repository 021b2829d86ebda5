/** §7 and §8: what an error says, and the limits. */
import { aboutClients, expected, named, observed, required, untestable } from './levels.ts';

export const failures = named({
  errorBodyShape: required(
    '§7',
    'An error is a JSON object with `error` and `detail`, strings with something in them.',
  ),
  invalidInputCode: required('§7 Fields', 'The code of bad input, answered with 400, is `invalid_input`.'),
  otherErrorCodesNotShown: observed('§7 Fields', 'Which error codes there are beside invalid_input is not shown.'),
  detailNamesTheField: required('§7 Fields', 'Where an input fails validation, `detail` names the field that fails.'),
  errorNamesTheActor: required('§7 Fields', 'An error on the route of an actor names that actor in `actor`.'),

  badInputIs400or422: required('§7 Statuses', 'Bad input is answered with 400 or 422.'),
  schemaViolationIs400or422: required('§7 Statuses', 'An input that violates its schema is answered with 400 or 422.'),
  refusedRunDoesNotRun: required(
    '§7 Statuses',
    'A run that is refused (400, 401, 403, 422) is not run: nothing is fetched for it.',
  ),
  unknownActorIs404: required('§7 Statuses', 'An actor that does not exist is answered with 404.'),
  unknownRouteIs404: required('§7 Statuses', 'A route that does not exist is answered with 404.'),
  serverErrorIs500: required('§7 Statuses', 'A failure inside the service is answered with 500.'),
  slowSourceIs502or504: required(
    '§7 Statuses',
    'A run whose every source is too slow is answered with 502 or 504, if it is answered with an error.',
  ),
  runStatusIsItsOwn: required(
    '§7 Statuses',
    'The status of a run is about the run: that of one of its sources is never passed on for it.',
  ),
  failedSourceNotShown: observed('§7 Statuses', 'Whether a source that answers with an error has failed is not shown.'),
  otherErrorsHaveTheBody: expected(
    '§7, by plain meaning',
    'Errors with other statuses have the body of all errors too.',
  ),
  failureDoesNotStick: required(
    '§7 Statuses',
    'A failure of sources is about one run: repeating the call can succeed, and does when the sources work.',
  ),
  clientActions: untestable('§7 Statuses', 'For each status there is advice on what a client should do.', aboutClients),

  limitPerKey: required('§8', 'Requests are limited per key; beyond the limit the answer is 429.'),
  limitOfOneKey: required('§8', 'A key that is beyond its limit costs no other key its calls.'),
  limitOutlivesConnection: required('§8', 'The limit of a key is no matter of its connection.'),
  limitHoldsAtOnce: required('§8', 'A limit holds for calls at the same time as it does for calls one after another.'),
  refusalForgivesNothing: required('§8', 'A refusal gives its caller nothing back.'),
  otherCallsForgiveNothing: required(
    '§8',
    'Asking for something else gives a key that is beyond its limit nothing back.',
  ),
  everyKeyIsLimited: required('§8', 'Requests are limited for every key of a plan: live, test, made or changed.'),
  everyRouteIsLimited: expected('§8, plain safety', 'A route is not limited in name only while another one is.'),
  limitIgnoresForgedAddress: expected('§8, plain safety', 'An address that a key invents does not lift its limit.'),
  limitedShape: required('§8, §7', 'A 429 is an error like the others, with `error` and `detail`.'),
  limitPerAddress: required('§8', 'Requests are limited per client address as well.'),
  limitsScaleWithPlan: required('§8', 'The limits of a higher plan are not lower.'),
  addressAnswers429: expected('§8, plain safety', 'Beyond the limit of an address the answer is 429.'),
  addressIsNoConnection: expected('§8, plain safety', 'The limit of an address is no matter of its connections.'),
  limitOfOneAddress: required('§8', 'An address that is beyond its limit costs no other address its calls.'),
  addressRetryAfter: required('§8', 'The 429 of an address tells in Retry-After how many seconds to wait.'),
  addressWaitingAdmits: required('§8', 'A client that has waited as long as the 429 of its address told is admitted.'),
  limitedRunDoesNotRun: required('§8', 'A run that is refused with 429 is not run.'),
  retryAfterStands: required('§8', 'Every 429 carries Retry-After.'),
  retryAfterIsSeconds: required('§8', 'Retry-After is a number of seconds.'),
  waitingAdmits: required('§8', 'A client that has waited as long as it was told is admitted.'),
  defaultWait: untestable('§8', 'A client that finds no Retry-After may wait 2 seconds.', aboutClients),
  limitsAsStated: required('§8, as the profile states it', 'A limit is as high as its owner has written down.'),
  numericLimitsNotShown: observed('§8', 'How many requests a plan allows is not shown.'),
  limiterKindNotShown: observed('§8', 'What kind of limiter there is is not shown.'),
  limiterHeadersNotShown: observed('§8', 'Which headers tell of limits, beside Retry-After, is not shown.'),
  limitedRoutesNotShown: observed('§8', 'Which requests count against a limit is not shown.'),
  impatienceGainsNothing: expected(
    '§8, plain safety',
    'Calling on instead of waiting admits no more than waiting does.',
  ),
  limitFollowsTheKey: expected('§8, plain safety', 'The limit of a key holds from every address.'),
  strangersAreLimited: expected('§8, plain safety', 'Requests without a valid key are limited per address too.'),
  forgedAddressGainsNothing: expected(
    '§8, plain safety',
    'A forwarded-for header that any client can invent does not lift the limit of its address.',
  ),
});
