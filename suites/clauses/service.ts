/** Opening, §1 to §3 and §9: what the service is, what it handles, what states there are, how it is versioned. */
import { aboutClients, named, observed, required, untestable } from './levels.ts';

export const service = named({
  plainHttp: untestable(
    'opening',
    'The service is reached by plain HTTP below one base address.',
    'every request of a run rests on it: were it otherwise, nothing at all would succeed',
  ),
  noClientLibrary: untestable(
    'opening',
    'There is no client library; clients speak HTTP with JSON bodies.',
    aboutClients,
  ),

  runGivesItsOwnItems: required(
    '§1',
    'One synchronous call runs a named actor on a JSON input, and its answer brings the items which that input produced.',
  ),
  keyManagementIsApart: required(
    '§1',
    'Keys are managed through an interface of its own, with a credential of its own: an API key does not open it.',
  ),
  catalogueNotShown: observed('§1', 'Which actors there are and what each does is not shown.'),

  inputIsObject: required('§2 Actor', 'The input of an actor is a JSON object; any other JSON value is bad input.'),
  schemaIsWhatIsEnforced: required(
    '§2 Actor',
    "The schema that is shown is the actor's input schema: what it admits is not refused as bad input.",
  ),
  inputIsValidated: required(
    '§2 Actor',
    "An input is held against the actor's schema before it is run; one that violates it is refused as bad input.",
  ),
  runResultShape: required(
    '§2 Run result',
    'A successful run answers a JSON object with `items`, an array, and `status`, a string.',
  ),
  clientsReadItems: untestable(
    '§2 Run result',
    'Clients read the items from `items`, and from nowhere else.',
    aboutClients,
  ),
  partialMeansSomeFailed: required(
    '§2 Run result',
    'The status PARTIAL says that some sources failed: a success with failed sources says it, one without does not.',
  ),
  partialHasUsableItems: required(
    '§2 Run result',
    'A PARTIAL result still brings items, those of the sources that worked.',
  ),
  partialDoesNotStick: required(
    '§2 Run result',
    'PARTIAL is about one run and its sources: it says nothing about the run after it.',
  ),
  clientsCheckStatus: untestable('§2 Run result', 'Clients look at the status of every result.', aboutClients),
  issuedKeyFormat: required('§2 API key', 'A key that the service issues begins with vk_live_ or vk_test_.'),
  bothKindsAreKeys: required('§2 API key', 'Production keys and test keys alike are API keys.'),
  onlyHashIsStored: required('§2 API key', 'Of a key its SHA-256 is stored, and nothing from which it could be read.'),
  plaintextShownOnce: required(
    '§2 API key',
    'The plaintext of a key is shown when it is created, and in no later answer.',
  ),
  keyHasTier: required('§2 API key', 'Every key has a tier, a string, which verifying the key reports.'),
  runFieldsNotShown: observed('§2', 'What a run result holds beside `items` and `status` is not shown.'),
  numbersNotShown: observed('§2', 'How many digits of a number a service keeps is not shown.'),
  inputAndItemFieldsNotShown: observed('§2', 'The fields of inputs and of items are not shown.'),
  unknownInputNotShown: observed('§2', 'What happens to properties that the schema does not know is not shown.'),
  keyRecordNotShown: observed('§2', 'What a key record holds beside tier and hash is not shown.'),

  otherStatusesNotShown: observed('§3', 'Which values a run status has beside PARTIAL is not shown.'),
  transitionsNotShown: observed('§3', 'How a run passes from state to state is not shown.'),

  versionInPath: untestable(
    '§9',
    'The version stands in the path, as the prefix /v1.',
    'every request of a run carries it: were it otherwise, nothing at all would succeed',
  ),
  otherVersionsNotShown: observed('§9', 'Other versions, and how one is given up, are not shown.'),
});
