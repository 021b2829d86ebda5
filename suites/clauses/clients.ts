/** What the specification says of clients, and what the standards and plain safety say of them. Services are not judged by these. */
import { expected, named, observed, required } from './levels.ts';

export const clientClauses = named({
  clientCallsTheRoute: required(
    '§4 Endpoints',
    'A client runs an actor by POST to /v1/actors/{name}/run-sync-get-dataset-items, below the base address.',
  ),
  clientEncodesTheName: expected(
    'RFC 3986 §2',
    'A name in a path is percent-encoded, whatever letters it has: a slash in it is no separator.',
  ),
  clientSendsTheInput: required(
    '§4 Endpoints',
    "The body of a run is a JSON object with the actor's input fields, and nothing around them.",
  ),
  clientKeepsTheInput: expected(
    'RFC 8259 §6, §7',
    'An input reaches the service as it was given: no value is dropped, and none becomes another.',
  ),
  clientSaysJson: required('§4', 'A request with a body says Content-Type: application/json.'),
  clientSendsTheKey: required('§5 Data requests', 'Every data request of a client carries its key in X-API-Key.'),
  clientSendsItOnlyThere: expected(
    'plain safety',
    'A key stands in its header and nowhere else: addresses, bodies and other headers are logged.',
  ),
  clientSendsOneKey: expected('RFC 9110 §5.3', 'A request has one X-API-Key, with one key.'),
  clientPrintsNoKey: expected('plain safety', 'A client writes its key to no output and to no log.'),
  clientHidesTheKey: expected(
    'plain safety',
    'A client puts its key into the arguments of no other program: everybody on the machine reads those.',
  ),
  clientKeepsTheKeyHome: expected('RFC 9110 §15.4', 'A key is not sent to another host because an answer leads there.'),
  clientChecksCertificates: expected(
    'RFC 9110 §4.3.4',
    'A certificate that cannot be trusted ends the connection before anything is sent.',
  ),

  clientReadsItems: required(
    '§2 Run result',
    'On success a client reads the items from `items`, and from nowhere else.',
  ),
  clientChecksStatus: required('§2 Run result', 'A client always checks `status`: PARTIAL is told from complete.'),
  clientKeepsPartialItems: required(
    '§2 Run result',
    'The items of a PARTIAL result are usable, and a client reads them as of any success.',
  ),
  clientTakesUnknownStatus: expected('§3', 'Only PARTIAL is named: another status word is no failure.'),
  clientTakesNoItems: expected('§2 Run result', '`items` is an array, and an array may be empty.'),
  clientTakesMore: expected('§2', 'Members and headers that a client does not know are passed over.'),
  clientReadsJson: expected(
    'RFC 8259, RFC 9112 §7',
    'An answer is read in every form that JSON and HTTP give it: spaces, escapes, chunks, size.',
  ),
  clientDecodes: expected('RFC 9110 §8.4, §12.5.3', 'Whoever asks for a compressed answer can read it.'),
  clientClaimsNoSuccess: required(
    '§2 Run result, §7',
    'A client says that a run succeeded only where an answer of success was read to its end.',
  ),
  clientTellsHowItEnded: expected('plain safety', 'A client says of every run what became of it.'),
  clientTakesAnyErrorBody: expected(
    'RFC 9110 §15',
    'An error is one by its status, whatever body it has: a page, nothing, megabytes, half a JSON.',
  ),
  clientEnds: expected('plain safety', 'A client that has its answer ends.'),
  clientLeavesNothing: expected('plain safety', 'A client leaves no process behind.'),

  clientWaits: expected(
    '§4 rule 2, §7',
    'A client that is told 429 waits for the seconds in Retry-After before it repeats the call.',
  ),
  clientWaitsByTheNewest: expected('§7', 'Each 429 says anew how long to wait: the newest counts.'),
  clientDoesNotHammer: expected(
    '§7',
    'A client that is not told how long to wait still backs off: it does not repeat a call without a pause.',
  ),
  clientSucceedsInTheEnd: expected('§4 rule 2, §7', 'A run that succeeds when it is repeated has succeeded.'),
  clientBacksOff: expected('§7', 'Repetitions after a 500 back off: the pause between them grows.'),
  clientGivesUp: expected('§7', 'A failure that persists is repeated a bounded number of times.'),
  clientRepeatsNoRefusal: expected(
    '§7',
    'What is refused with 400, 401, 403, 404 or 422 is corrected, not repeated as it was.',
  ),
  clientRunsOnce: expected('§1', 'A run that was answered with success is not run again.'),
  clientWaitsForTheAnswer: expected(
    '§1',
    'The call is synchronous: while a run goes on, the same run is not asked for a second time.',
  ),

  clientDefaultWait: observed(
    '§8',
    'A client that finds no Retry-After may wait 2 seconds; dates and absurd values are not spoken of.',
  ),
  clientRetries: observed(
    '§7',
    'Whether a client repeats what failed, or an answer of success that it cannot read, and how often, is its own choice.',
  ),
  clientHerd: observed(
    '§7',
    'Whether many copies of a client that fail at the same moment come back at the same moment is seen here.',
  ),
  clientPatience: observed(
    '§1',
    'The longest time that a run takes is not shown: how long a client waits for an answer that never arrives is seen here.',
  ),
  clientCallsMeanwhile: observed(
    '§4 rule 2, §8',
    'Whether a client that waits as a 429 says makes other calls with the same key meanwhile is seen here.',
  ),
  clientBrokenConnections: observed('§7', 'What a client does about a connection that breaks is not shown.'),
  clientFollowsTheBase: observed(
    '§4',
    'How a client puts a base address that has a path together with the paths is seen here.',
  ),
  clientSuccessCode: observed(
    '§4 Endpoints',
    'Which 2xx a success has is not shown; how a client takes 201 is seen here.',
  ),
  clientExactNumbers: observed(
    'RFC 8259 §6',
    'Whether a client keeps the digits of a number that a double cannot hold.',
  ),
});
