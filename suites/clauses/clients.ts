/** What the specification says about clients, and what the standards and plain safety say about them. Services are not judged by these. */
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
    'A key is in its header and nowhere else: addresses, bodies and other headers are logged.',
  ),
  clientSendsOneKey: expected('RFC 9110 §5.3', 'A request has one X-API-Key, with one key.'),
  clientPrintsNoKey: expected('plain safety', 'A client writes its key to no output and to no log.'),
  clientHidesTheKey: expected(
    'plain safety',
    'A client passes its key to no other program as an argument: everybody on the machine can read arguments.',
  ),
  clientKeepsTheKeyHome: expected(
    'RFC 9110 §15.4',
    'A client does not send its key to another host because an answer redirects there.',
  ),
  clientChecksCertificates: expected(
    'RFC 9110 §4.3.4',
    'A client closes the connection if it cannot trust the certificate, before it sends anything.',
  ),

  clientReadsItems: required(
    '§2 Run result',
    'On success a client reads the items from `items`, and from nowhere else.',
  ),
  clientChecksStatus: required(
    '§2 Run result',
    'A client always checks `status`, and distinguishes PARTIAL from complete.',
  ),
  clientKeepsPartialItems: required(
    '§2 Run result',
    'The items of a PARTIAL result are usable, and a client reads them like those of any success.',
  ),
  clientTakesUnknownStatus: expected('§3', 'The specification names only PARTIAL: another status is not a failure.'),
  clientTakesNoItems: expected('§2 Run result', '`items` is an array, and an array may be empty.'),
  clientTakesMore: expected('§2', 'A client ignores members and headers that it does not know.'),
  clientReadsJson: expected(
    'RFC 8259, RFC 9112 §7',
    'A client reads an answer in every form that JSON and HTTP allow: spaces, escapes, chunks, size.',
  ),
  clientDecodes: expected('RFC 9110 §8.4, §12.5.3', 'A client that accepts a compressed answer can read it.'),
  clientClaimsNoSuccess: required(
    '§2 Run result, §7',
    'A client reports success only if it read a successful answer to its end.',
  ),
  clientTellsHowItEnded: expected('plain safety', 'A client reports the outcome of every run.'),
  clientTakesAnyErrorBody: expected(
    'RFC 9110 §15',
    'The status alone makes an answer an error, whatever its body is: a page, nothing, megabytes, half a JSON document.',
  ),
  clientEnds: expected('plain safety', 'A client ends once it has its answer.'),
  clientLeavesNothing: expected('plain safety', 'A client leaves no process behind.'),

  clientWaits: expected(
    '§4 rule 2, §7',
    'A client that gets 429 waits for the seconds in Retry-After before it repeats the call.',
  ),
  clientWaitsByTheNewest: expected('§7', 'Each 429 says again how long to wait: the newest one counts.'),
  clientSaysNoOtherAddress: expected(
    'plain safety',
    'A client that gets 429 does not pretend to be at another address.',
  ),
  clientDoesNotHammer: expected(
    '§7',
    'A client backs off even without Retry-After: it does not repeat a call without a pause.',
  ),
  clientSucceedsInTheEnd: expected('§4 rule 2, §7', 'A run that succeeds on a retry has succeeded.'),
  clientBacksOff: expected('§7', 'Repetitions after a 500 back off: the pause between them grows.'),
  clientGivesUp: expected('§7', 'A client retries a persistent failure only a bounded number of times.'),
  clientRepeatsNoRefusal: expected('§7', 'A client does not repeat a call unchanged after 400, 401, 403, 404 or 422.'),
  clientRunsOnce: expected('§1', 'A client does not repeat a run that succeeded.'),
  clientWaitsForTheAnswer: expected(
    '§1',
    'The call is synchronous: a client does not start the same run again while it is in progress.',
  ),

  clientDefaultWait: observed(
    '§8',
    'A client that finds no Retry-After may wait 2 seconds; the specification leaves open dates and absurd values.',
  ),
  clientRetries: observed(
    '§7',
    'Whether a client repeats what failed, or an answer of success that it cannot read, and how often, is its own choice.',
  ),
  clientHerd: observed(
    '§7',
    'Whether many copies of a client that fail at the same moment retry at the same moment is recorded.',
  ),
  clientPatience: observed(
    '§1',
    'The specification states no longest time of a run: how long a client waits for an answer that never arrives is reported.',
  ),
  clientCallsMeanwhile: observed(
    '§4 rule 2, §8',
    'Whether a client that waits after a 429 makes other calls with the same key meanwhile is reported.',
  ),
  clientBrokenConnections: observed('§7', 'The specification leaves open what a client does when a connection breaks.'),
  clientFollowsTheBase: observed(
    '§4',
    'How a client joins a base address that has a path with the paths of the interface is recorded.',
  ),
  clientSuccessCode: observed(
    '§4 Endpoints',
    'The specification leaves open which 2xx a success returns; how a client handles 201 is recorded.',
  ),
  clientExactNumbers: observed(
    'RFC 8259 §6',
    'Whether a client keeps the digits of a number that a double cannot hold is recorded.',
  ),
});
