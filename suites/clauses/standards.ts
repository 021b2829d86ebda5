/** What the specification leaves to the standards that it builds on, and to plain safety. */
import { expected, named } from './levels.ts';

export const standards = named({
  headerNamesAreCaseless: expected('RFC 9110 §5.1', 'Header names are case-insensitive.'),
  jsonSaysSo: expected('RFC 9110 §8.3', 'An answer with a JSON body says Content-Type: application/json.'),
  jsonHasNoMark: expected('RFC 8259 §8.1', 'JSON on its way begins with no byte order mark.'),
  membersAreUnique: expected(
    'RFC 8259 §4',
    'The names within an object are unique, so that all readers read the same.',
  ),
  textsAreForPeople: expected('§7, by plain meaning', 'What explains an error to people holds something to see.'),
  answersEndWhereTheySay: expected('RFC 9112 §6.3', 'Nothing comes behind the end of an answer that its head tells.'),
  waitsAreReadable: expected('RFC 9110 §10.2.3', 'A time to wait is one that a client can hold and wait out.'),
  mediaTypeParameters: expected(
    'RFC 9110 §8.3.1',
    'A media type may have parameters, and one that is not understood is no fault of the server.',
  ),
  connectionsPersist: expected(
    'RFC 9112 §9.3',
    'A connection serves one request after the other, also after a refusal, unless the service says that it closes it.',
  ),
  unknownMethodIsRefused: expected(
    'RFC 9110 §9.1',
    'A method that a route does not have is answered with 404, 405 or 501.',
  ),
  badInputIsNoServerError: expected('RFC 9110 §15.6', 'Whatever a client sends, a 5xx is not the answer to bad input.'),
  hostileNamesAreClientErrors: expected(
    'RFC 9110 §15.5, RFC 3986 §2',
    'An actor name that nobody would give an actor is answered with a 4xx.',
  ),
  schemaIsJsonSchema: expected('JSON Schema', 'An input schema that is shown is a valid JSON Schema.'),
  brokenSourceIsGatewayError: expected(
    'RFC 9110 §15.6.3',
    'A run whose every source is broken is answered with 502 or 504.',
  ),
  answersComeInTime: expected('plain safety', 'A slow source does not hold up the answer for ever.'),
  noInternals: expected('plain safety', 'An error shows no stack trace, no path of a file and no SQL.'),
  noSecrets: expected('plain safety', 'No answer repeats a key or a token.'),
  noVersionNoRoute: expected('§9, by plain meaning', 'A path without /v1 is not a path of the service.'),
  adminErrorShape: expected('§7, by plain meaning', 'Errors of the admin interface have the body of all errors.'),
  adminBadPayloads: expected(
    'RFC 9110 §15.5',
    'A payload that is no JSON object is answered with a 4xx by key management, and creates nothing.',
  ),
  failedSourcesLeaveNoNull: expected('§2, by plain meaning', 'A source that failed leaves no null among the items.'),
  typesAreKept: expected(
    'JSON Schema',
    'A value of another type is not taken for one that the schema asks for, be it easily converted.',
  ),
  keysSurviveRestart: expected('plain safety', 'A key outlives a restart of the service.'),
  changeIsKnown: expected('plain safety', 'Once a key has another tier, verify reports that one.'),
});
