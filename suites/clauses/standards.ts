/** What the specification leaves to the standards that it builds on, and to plain safety. */
import { expected, named } from './levels.ts';

export const standards = named({
  headerNamesAreCaseless: expected('RFC 9110 §5.1', 'Header names are case-insensitive.'),
  jsonSaysSo: expected('RFC 9110 §8.3', 'An answer with a JSON body has Content-Type: application/json.'),
  jsonHasNoMark: expected('RFC 8259 §8.1', 'JSON in a body does not begin with a byte order mark.'),
  membersAreUnique: expected('RFC 8259 §4', 'Names within an object are unique, so that all readers read the same.'),
  textsAreForPeople: expected(
    '§7, by plain meaning',
    'A text that explains an error to people has visible characters.',
  ),
  answersEndWhereTheySay: expected('RFC 9112 §6.3', 'Nothing follows the end of an answer that its head announces.'),
  waitsAreReadable: expected(
    'RFC 9110 §10.2.3',
    'A client can read the time to wait, and it is short enough to wait for.',
  ),
  mediaTypeParameters: expected(
    'RFC 9110 §8.3.1',
    'A media type is the same in any case and may have parameters, and an unknown one causes no server error.',
  ),
  bodiesMayBeChunked: expected('RFC 9112 §7.1', 'A body in chunks is read like any other, or refused with 411.'),
  connectionsPersist: expected(
    'RFC 9112 §9.3',
    'A connection serves one request after another, even after a refusal, unless the service announces that it closes it.',
  ),
  unknownMethodIsRefused: expected('RFC 9110 §9.1', 'A method that a route does not have gets 404, 405 or 501.'),
  badInputIsNoServerError: expected('RFC 9110 §15.6', 'Bad input never gets a 5xx.'),
  hostileNamesAreClientErrors: expected(
    'RFC 9110 §15.5, RFC 3986 §2',
    'An actor name that no actor could have gets a 4xx.',
  ),
  schemaIsJsonSchema: expected('JSON Schema', 'An input schema that is shown is a valid JSON Schema.'),
  brokenSourceIsGatewayError: expected('RFC 9110 §15.6.3', 'A run gets 502 or 504 if all of its sources are broken.'),
  answersComeInTime: expected('plain safety', 'A slow source does not delay the answer forever.'),
  noInternals: expected('plain safety', 'An error shows no stack trace, no file path and no SQL.'),
  sourcesSeeNoKey: expected('plain safety', 'A source is not told the key of the call that it is read for.'),
  noSecrets: expected('plain safety', 'No answer repeats a key or a token.'),
  noVersionNoRoute: expected('§9, by plain meaning', 'A path without /v1 is not a path of the service.'),
  adminErrorShape: expected('§7, by plain meaning', 'Errors of the admin interface have the same body as all errors.'),
  adminBadPayloads: expected(
    'RFC 9110 §15.5',
    'Key management answers a payload that is not a JSON object with a 4xx and creates nothing.',
  ),
  failedSourcesLeaveNoNull: expected('§2, by plain meaning', 'A source that failed leaves no null among the items.'),
  typesAreKept: expected(
    'JSON Schema',
    'A value of another type is not accepted for the type in the schema, even if it converts easily.',
  ),
  repeatsDoNotGrow: expected('plain safety', 'The same run, repeated, does not return more items each time.'),
  runsGoOnWorking: expected(
    'plain safety',
    'A run that worked works again later, whatever others have asked meanwhile.',
  ),
  keysSurviveRestart: expected('plain safety', 'A key survives a restart of the service.'),
  changeIsKnown: expected('plain safety', 'After a key changes its tier, verify reports the new one.'),
});
