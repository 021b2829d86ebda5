/** Opening, §1 to §3 and §9: what the service is, what it handles, what states there are, how it is versioned. */
import { aboutClients, expected, named, observed, required, untestable } from './levels.ts';

export const service = named({
  plainHttp: untestable(
    'opening',
    'The service speaks plain HTTP below one base address.',
    'every request of a run depends on it: otherwise nothing would succeed',
  ),
  noClientLibrary: untestable(
    'opening',
    'No client library exists; clients speak HTTP with JSON bodies.',
    aboutClients,
  ),

  runGivesItsOwnItems: required(
    '§1',
    'One synchronous call runs a named actor on a JSON input and returns the items that this input produced.',
  ),
  keyManagementIsApart: required(
    '§1',
    'Keys are managed through a separate interface with a separate credential: an API key does not open it.',
  ),
  catalogueNotShown: observed('§1', 'Which actors exist and what each does is not shown.'),

  inputIsObject: required('§2 Actor', 'The input of an actor is a JSON object; any other JSON value is bad input.'),
  schemaIsWhatIsEnforced: required(
    '§2 Actor',
    "The schema that is shown is the actor's input schema: an input that fits it is not refused as bad input.",
  ),
  inputIsValidated: required(
    '§2 Actor',
    "An input is validated against the actor's schema before the run; one that violates it is refused as bad input.",
  ),
  runResultShape: required(
    '§2 Run result',
    'A successful run returns a JSON object with `items`, an array, and `status`, a string.',
  ),
  clientsReadItems: untestable('§2 Run result', 'Clients read the items from `items` and nowhere else.', aboutClients),
  partialMeansSomeFailed: required(
    '§2 Run result',
    'The status PARTIAL means that some sources failed: a success has it if and only if sources failed.',
  ),
  partialHasUsableItems: required(
    '§2 Run result',
    'A PARTIAL result still contains the items of the sources that worked.',
  ),
  workingSourcesGiveItems: expected(
    '§2 Run result, by plain meaning',
    'A run whose sources all work gives the items of each, however many there are.',
  ),
  partialDoesNotStick: required('§2 Run result', 'PARTIAL is about one run and its sources, not about the next run.'),
  clientsCheckStatus: untestable('§2 Run result', 'Clients check the status of every result.', aboutClients),
  issuedKeyFormat: required('§2 API key', 'A key that the service issues begins with vk_live_ or vk_test_.'),
  bothKindsAreKeys: required('§2 API key', 'Production keys and test keys alike are API keys.'),
  onlyHashIsStored: required('§2 API key', 'The service stores the SHA-256 of a key and nothing that reveals the key.'),
  plaintextShownOnce: required(
    '§2 API key',
    'The plaintext of a key is shown when the key is created, and in no later answer.',
  ),
  keyHasTier: required('§2 API key', 'Every key has a tier, a string; verifying the key reports it.'),
  runFieldsNotShown: observed('§2', 'The specification leaves open which further members a run result has.'),
  numbersNotShown: observed('§2', 'The specification leaves open how many digits of a number a service keeps.'),
  inputAndItemFieldsNotShown: observed('§2', 'The fields of inputs and of items are not shown.'),
  unknownInputNotShown: observed('§2', 'The specification leaves open what happens to unknown properties of an input.'),
  keyRecordNotShown: observed('§2', 'Further members of a key record are not shown.'),

  otherStatusesNotShown: observed('§3', 'The specification leaves open the values of a run status other than PARTIAL.'),
  transitionsNotShown: observed('§3', 'How a run passes from state to state is not shown.'),

  versionInPath: untestable(
    '§9',
    'The version is in the path, as the prefix /v1.',
    'every request of a run depends on it: otherwise nothing would succeed',
  ),
  otherVersionsNotShown: observed('§9', 'Other versions, and how one is retired, are not shown.'),
});
