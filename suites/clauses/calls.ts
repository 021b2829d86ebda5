/** §4 to §6: the calls, and who may make them. */
import { aboutClients, named, observed, required, untestable } from './levels.ts';

export const calls = named({
  pathsFollowTheBase: untestable(
    '§4',
    'All paths are relative to the base address.',
    'every request of a run is made of the two: were it otherwise, nothing at all would succeed',
  ),
  bodiesAreJson: required('§4', 'Bodies are JSON in both directions: a request body that does not parse is bad input.'),
  clientsSayJson: untestable('§4', 'Requests with a body say Content-Type: application/json.', aboutClients),
  readGivesSchema: required('§4 Endpoints', 'Reading an actor by its name gives the schema of its input, as JSON.'),
  readShapeNotShown: observed('§4 Endpoints', 'Where the schema stands in that answer is not shown.'),
  readStabilityNotShown: observed('§4 Endpoints', 'Whether two reads of an actor give the same is not shown.'),
  verifyReports: required(
    '§4 Endpoints',
    'Verifying a valid key gives a JSON object with `valid`, a boolean, and `tier`, a string.',
  ),
  verifyFieldsNotShown: observed('§4 Endpoints', 'What the answer of verify holds beside the two is not shown.'),
  successCodeNotShown: observed('§4 Endpoints', 'Which 2xx a success has is not shown.'),
  adminCallsNotShown: observed('§4 Endpoints', 'The methods, payloads and answers of key management are not shown.'),
  missingFieldIsNamed: required(
    '§4 rule 1',
    'A run whose input lacks a required field is answered with an error whose detail names that field.',
  ),
  clientsWait: untestable('§4 rule 2', 'Clients that are told 429 wait as long as they are told.', aboutClients),
  otherEndpointsNotShown: observed(
    '§4 rule 3',
    'Other ways to run an actor, and other operations on one, are not shown.',
  ),
  methodsNotShown: observed('§4', 'What HEAD and OPTIONS do is not shown.'),
  spellingNotShown: observed('§4', 'Whether a path spelt differently is the same path is not shown.'),

  keyOnEveryDataRequest: required(
    '§5 Data requests',
    'Every data request carries an API key in X-API-Key; without one it is refused with 401.',
  ),
  invalidKeyIs401: required('§5 Data requests', 'A key that the service does not know is refused with 401.'),
  keyWithoutAccessIs403: required(
    '§5 Data requests',
    'A valid key without access to the tier or feature that a run needs is refused with 403.',
  ),
  keyWithAccessRuns: required('§5 Data requests', 'A key that has access to the tier or feature is let in.'),
  restrictedKeyIsValid: required(
    '§5 Data requests',
    'Lacking access is not being invalid: verifying such a key reports it as valid, with its tier.',
  ),
  restrictedReadNotShown: observed(
    '§5 Data requests',
    'Whether a key may read an actor that it may not run is not shown.',
  ),
  keyElsewhereNotShown: observed(
    '§5 Data requests',
    'Whether a key is taken from anywhere but X-API-Key is not shown.',
  ),
  precedenceNotShown: observed('§5', 'Which of several faults of one request is answered is not shown.'),
  serverSideKeys: untestable(
    '§5 Data requests',
    'Clients keep keys in server-side configuration, never in client-side code.',
    aboutClients,
  ),

  adminNeedsToken: required(
    '§5 Admin interface',
    'Key management is open to who sends the admin token in X-Admin-Token, and to nobody else.',
  ),
  tokenIsNoKey: required(
    '§5 Admin interface',
    'The admin token is a credential apart from API keys: it does not authenticate a data request.',
  ),
  managedKeysWork: required(
    '§5 Admin interface',
    'A key that key management has created is a key: it expectVerified, with its tier, and runs actors.',
  ),
  revokedKeyIsInvalid: required('§5 Admin interface', 'A key that key management has revoked is no longer valid: 401.'),
  tokenIsKeptServerSide: untestable(
    '§5 Admin interface',
    'The admin token is kept on servers.',
    'it is about where people keep it',
  ),
  disabledWithoutToken: required(
    '§5 Admin interface',
    'Where no admin token is configured the admin interface is disabled entirely: no call is served, whatever it presents.',
  ),
  dataWithoutAdmin: required(
    '§5 Admin interface',
    'Only the admin interface is disabled by that: data requests are served as ever.',
  ),
  disabledLooksNotShown: observed('§5 Admin interface', 'How a disabled admin interface answers is not shown.'),
  tiersNotShown: observed('§5', 'Which tiers there are and what each grants is not shown.'),

  eventsNotShown: observed('§6', 'Events, callbacks and webhooks are not shown.'),
});
