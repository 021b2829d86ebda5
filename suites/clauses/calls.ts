/** §4 to §6: the calls, and who may make them. */
import { aboutClients, named, observed, required, untestable } from './levels.ts';

export const calls = named({
  pathsFollowTheBase: untestable(
    '§4',
    'All paths are relative to the base address.',
    'every request of a run depends on it: otherwise nothing would succeed',
  ),
  bodiesAreJson: required('§4', 'Bodies are JSON in both directions: a request body that does not parse is bad input.'),
  clientsSayJson: untestable(
    '§4',
    'Clients send requests with a body as Content-Type: application/json.',
    aboutClients,
  ),
  readGivesSchema: required('§4 Endpoints', 'Reading an actor by its name gives the schema of its input, as JSON.'),
  readShapeNotShown: observed('§4 Endpoints', 'The specification leaves open where the schema is in that answer.'),
  readStabilityNotShown: observed(
    '§4 Endpoints',
    'The specification leaves open whether two reads of an actor return the same answer.',
  ),
  verifyReports: required(
    '§4 Endpoints',
    'Verifying a valid key gives a JSON object with `valid`, a boolean, and `tier`, a string.',
  ),
  verifyFieldsNotShown: observed(
    '§4 Endpoints',
    'The specification leaves open which further members the answer of verify has.',
  ),
  successCodeNotShown: observed('§4 Endpoints', 'The specification leaves open which 2xx a success returns.'),
  adminCallsNotShown: observed('§4 Endpoints', 'The methods, payloads and answers of key management are not shown.'),
  missingFieldIsNamed: required(
    '§4 rule 1',
    'A run whose input lacks a required field gets an error whose detail names that field.',
  ),
  clientsWait: untestable('§4 rule 2', 'Clients that get a 429 wait as long as it says.', aboutClients),
  otherEndpointsNotShown: observed(
    '§4 rule 3',
    'Other ways to run an actor, and other operations on it, are not shown.',
  ),
  methodsNotShown: observed('§4', 'The specification leaves open what HEAD and OPTIONS do.'),
  spellingNotShown: observed(
    '§4',
    'The specification leaves open whether a differently spelled path is the same path.',
  ),

  keyOnEveryDataRequest: required(
    '§5 Data requests',
    'Every data request needs an API key in X-API-Key; without one it gets 401.',
  ),
  keyAtEveryDoor: required(
    '§5',
    'What needs a key or the admin token needs it in every spelling of its path that the service accepts.',
  ),
  guardsOutliveRestarts: required(
    '§5',
    'What needs a key or the admin token needs it after a restart of the service, too; inputs are validated, and each new key is another, as before.',
  ),
  invalidKeyIs401: required('§5 Data requests', 'A key that the service does not know gets 401.'),
  keyWithoutAccessIs403: required(
    '§5 Data requests',
    'A valid key without access to the tier or feature that a run needs gets 403.',
  ),
  keyWithAccessRuns: required('§5 Data requests', 'A key with access to the tier or feature can run the actor.'),
  restrictedKeyIsValid: required(
    '§5 Data requests',
    'A key without access is still valid: verifying it reports so, with its tier.',
  ),
  restrictedReadNotShown: observed(
    '§5 Data requests',
    'The specification leaves open whether a key may read an actor that it may not run.',
  ),
  keyElsewhereNotShown: observed(
    '§5 Data requests',
    'The specification leaves open whether the service accepts a key from anywhere except X-API-Key.',
  ),
  precedenceNotShown: observed(
    '§5',
    'The specification leaves open which of several faults in one request determines the answer.',
  ),
  serverSideKeys: untestable(
    '§5 Data requests',
    'Clients keep keys in server-side configuration, never in client-side code.',
    aboutClients,
  ),

  adminNeedsToken: required(
    '§5 Admin interface',
    'Key management serves only callers that send the admin token in X-Admin-Token.',
  ),
  tokenIsNoKey: required(
    '§5 Admin interface',
    'The admin token is not an API key: it does not authenticate a data request.',
  ),
  managedKeysWork: required(
    '§5 Admin interface',
    'A key that key management created works like any other: it verifies, with its tier, and runs actors.',
  ),
  revokedKeyIsInvalid: required(
    '§5 Admin interface',
    'A key that key management revoked is no longer valid and gets 401.',
  ),
  otherKeysStayValid: required('§5 Admin interface', 'Revoking one key leaves every other key valid.'),
  tokenIsKeptServerSide: untestable(
    '§5 Admin interface',
    'The admin token stays on servers.',
    'it is about where people store it',
  ),
  disabledWithoutToken: required(
    '§5 Admin interface',
    'Without a configured admin token the admin interface is disabled entirely: no call is served, whatever token it sends.',
  ),
  dataWithoutAdmin: required(
    '§5 Admin interface',
    'This disables the admin interface only: data requests are served as usual.',
  ),
  disabledLooksNotShown: observed(
    '§5 Admin interface',
    'The specification leaves open how a disabled admin interface answers.',
  ),
  tiersNotShown: observed('§5', 'Which tiers exist and what each grants is not shown.'),

  eventsNotShown: observed('§6', 'Events, callbacks and webhooks are not shown.'),
});
