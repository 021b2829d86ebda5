/**
 * The specification, section by section and row by row, against the clauses: what it says has one, and what has a clause is
 * said there. The list is written by hand from the document, in its order, in a few words for each sentence or row.
 */
import { expect, test } from 'vitest';
import type { Clause } from '../../src/vocabulary.ts';
import { clauses } from './index.ts';

type Name = keyof typeof clauses;

const document: Readonly<Record<string, Readonly<Record<string, readonly Name[]>>>> = {
  opening: {
    'plain HTTP, JSON': ['plainHttp', 'bodiesAreJson', 'connectionsPersist', 'answersEndWhereTheySay'],
    'no client library': ['noClientLibrary'],
    'base address': ['plainHttp', 'pathsFollowTheBase'],
  },
  '§1 What the service does': {
    'named actors: JSON input, list of items': ['runGivesItsOwnItems', 'repeatsDoNotGrow', 'runsGoOnWorking'],
    'one synchronous call': ['runGivesItsOwnItems', 'callersMayLeave'],
    'every data request is authenticated': ['keyOnEveryDataRequest'],
    'key management is separate': ['keyManagementIsApart', 'tokenIsNoKey'],
    'rate limits depend on the tier': ['limitPerKey', 'limitsScaleWithPlan'],
    'catalogue: not shown': ['catalogueNotShown'],
  },
  '§2 Actor': {
    Identifier: ['readGivesSchema', 'unknownActorIs404'],
    Input: ['inputIsObject', 'inputIsValidated'],
    'Input schema retrieval': ['readGivesSchema', 'schemaIsWhatIsEnforced', 'schemaIsJsonSchema', 'typesAreKept'],
  },
  '§2 Run result': {
    items: ['runResultShape', 'clientsReadItems', 'runFieldsNotShown', 'numbersNotShown'],
    status: [
      'runResultShape',
      'partialMeansSomeFailed',
      'partialHasUsableItems',
      'partialDoesNotStick',
      'workingSourcesGiveItems',
      'clientsCheckStatus',
    ],
  },
  '§2 API key': {
    Format: ['issuedKeyFormat', 'bothKindsAreKeys'],
    Storage: ['onlyHashIsStored', 'plaintextShownOnce', 'keysSurviveRestart'],
    Tier: ['keyHasTier', 'changeIsKnown'],
  },
  '§2 Error body': { 'see section 7': ['errorBodyShape'] },
  '§2 not shown': {
    'fields of inputs and items: not shown': ['inputAndItemFieldsNotShown', 'unknownInputNotShown'],
    'fields of the key record: not shown': ['keyRecordNotShown'],
  },
  '§3 States and transitions': {
    'only PARTIAL is named': ['partialMeansSomeFailed'],
    'other values: not shown': ['otherStatusesNotShown'],
    'transitions: not shown': ['transitionsNotShown'],
  },
  '§4 Endpoints': {
    'paths are relative': ['pathsFollowTheBase'],
    'JSON bodies': [
      'bodiesAreJson',
      'clientsSayJson',
      'jsonSaysSo',
      'jsonHasNoMark',
      'membersAreUnique',
      'mediaTypeParameters',
      'bodiesMayBeChunked',
    ],
    'POST /v1/actors/{name}/run-sync-get-dataset-items': [
      'runGivesItsOwnItems',
      'keyOnEveryDataRequest',
      'inputIsObject',
      'runResultShape',
      'successCodeNotShown',
      'errorBodyShape',
    ],
    'GET /v1/actors/{name}': [
      'readGivesSchema',
      'readShapeNotShown',
      'readStabilityNotShown',
      'restrictedReadNotShown',
    ],
    'GET /v1/auth/verify': ['verifyReports', 'verifyFieldsNotShown'],
    '/v1/admin/keys': ['adminNeedsToken', 'adminCallsNotShown', 'adminBadPayloads'],
    'other methods and spellings: silent': ['methodsNotShown', 'spellingNotShown', 'unknownMethodIsRefused'],
  },
  '§4 rules': {
    '1 a missing field is named': ['missingFieldIsNamed'],
    '2 clients wait': ['clientsWait', 'waitingAdmits'],
    '3 other endpoints: not shown': ['otherEndpointsNotShown'],
  },
  '§5 Data requests': {
    'X-API-Key on every request': [
      'keyOnEveryDataRequest',
      'keyElsewhereNotShown',
      'headerNamesAreCaseless',
      'keyAtEveryDoor',
    ],
    'missing or invalid: 401': [
      'keyOnEveryDataRequest',
      'guardsOutliveRestarts',
      'invalidKeyIs401',
      'precedenceNotShown',
    ],
    'without access: 403': [
      'keyWithoutAccessIs403',
      'keyWithAccessRuns',
      'restrictedKeyIsValid',
      'restrictedReadNotShown',
    ],
    'verify returns valid and tier': ['verifyReports', 'keyHasTier'],
    'keys are kept server-side': ['serverSideKeys', 'sourcesSeeNoKey'],
  },
  '§5 Admin interface': {
    'requires X-Admin-Token': ['adminNeedsToken', 'tokenIsNoKey', 'keyManagementIsApart', 'tokenIsKeptServerSide'],
    'manages keys': ['managedKeysWork', 'revokedKeyIsInvalid', 'otherKeysStayValid'],
    'disabled without a token': ['disabledWithoutToken', 'dataWithoutAdmin', 'disabledLooksNotShown'],
    'tiers: not shown': ['tiersNotShown'],
  },
  '§6 Events': { 'not shown': ['eventsNotShown'] },
  '§7 Fields': {
    'standard codes, JSON body': [
      'errorBodyShape',
      'adminErrorShape',
      'otherErrorsHaveTheBody',
      'noInternals',
      'noSecrets',
      'textsAreForPeople',
    ],
    error: ['errorBodyShape', 'invalidInputCode'],
    detail: ['errorBodyShape', 'detailNamesTheField'],
    actor: ['errorNamesTheActor'],
  },
  '§7 Statuses': {
    '400': ['badInputIs400or422', 'refusedRunDoesNotRun', 'badInputIsNoServerError'],
    '401': ['keyOnEveryDataRequest', 'invalidKeyIs401'],
    '403': ['keyWithoutAccessIs403'],
    '404': ['unknownActorIs404', 'unknownRouteIs404', 'hostileNamesAreClientErrors', 'statusesAreForEveryPlan'],
    '422': ['schemaViolationIs400or422', 'detailNamesTheField'],
    '429': ['limitPerKey', 'limitedShape', 'retryAfterStands', 'limitedRunDoesNotRun'],
    '500': ['serverErrorIs500', 'crashDoesNotStick'],
    '502 / 504': [
      'slowSourceIs502or504',
      'runStatusIsItsOwn',
      'failedSourceNotShown',
      'failureDoesNotStick',
      'brokenSourceIsGatewayError',
      'answersComeInTime',
    ],
    'Client action': ['clientActions'],
    'a success can be PARTIAL': ['partialMeansSomeFailed', 'failedSourcesLeaveNoNull'],
    'other codes: not shown': ['otherErrorCodesNotShown'],
  },
  '§8 Limits': {
    'per key and per address': [
      'limitPerKey',
      'limitPerAddress',
      'limitedRunDoesNotRun',
      'limitOfOneKey',
      'limitOutlivesConnection',
      'limitHoldsAtOnce',
      'refusalForgivesNothing',
      'otherCallsForgiveNothing',
      'otherCallersForgiveNothing',
      'everyKeyIsLimited',
      'limitIsOfTheKeyAlone',
      'everyRouteIsLimited',
      'limitIgnoresForgedAddress',
      'addressAnswers429',
      'addressIsNoConnection',
      'limitOfOneAddress',
      'limitFollowsTheKey',
      'forgedAddressGainsNothing',
    ],
    'of strangers: silent': ['strangersAreLimited'],
    'scale with the plan': ['limitsScaleWithPlan'],
    'Retry-After in seconds': [
      'retryAfterStands',
      'retryAfterIsSeconds',
      'waitsAreReadable',
      'waitingAdmits',
      'addressRetryAfter',
      'addressWaitingAdmits',
      'impatienceGainsNothing',
    ],
    'default of 2 seconds': ['defaultWait'],
    'numbers: not shown': [
      'numericLimitsNotShown',
      'limitsAsStated',
      'limiterKindNotShown',
      'limiterHeadersNotShown',
      'limitedRoutesNotShown',
    ],
  },
  '§9 Versioning': {
    'prefix /v1': ['versionInPath', 'noVersionNoRoute'],
    'other versions: not shown': ['otherVersionsNotShown'],
  },
};

const rows = Object.entries(document).flatMap(([section, parts]) =>
  Object.entries(parts).map(([row, names]) => ({ where: `${section}: ${row}`, names })),
);

test('every section is there, from the opening to §9', () => {
  const sections = new Set(Object.keys(document).map((section) => /^opening|§\d/.exec(section)?.[0]));
  expect([...sections]).toEqual(['opening', ...Array.from({ length: 9 }, (_, at) => `§${at + 1}`)]);
});

test('the tables have as many rows as in the document', () => {
  const count = (section: string): number => Object.keys(document[section] ?? {}).length;
  expect([count('§2 Actor'), count('§2 Run result'), count('§2 API key')]).toEqual([3, 2, 3]);
  const paths = Object.keys(document['§4 Endpoints'] ?? {}).filter((row) => /\/v1\//.test(row));
  const fields = Object.keys(document['§7 Fields'] ?? {}).filter((row) => /^[a-z]+$/.test(row));
  const statuses = Object.keys(document['§7 Statuses'] ?? {}).filter((row) => /^\d/.test(row));
  expect([paths.length, fields.length, statuses.length]).toEqual([4, 3, 8]);
});

test('every row has a clause', () => {
  const bare = rows.filter(({ names }) => names.length === 0 || names.some((name) => clauses[name] === undefined));
  expect(bare.map(({ where }) => where)).toEqual([]);
});

test('every "not shown" row has an observed clause, and every other one a demand', () => {
  for (const { where, names } of rows) {
    const levels = names.map((name) => (clauses[name] as Clause).level);
    if (where.endsWith('not shown')) expect(levels, where).toContain('observed');
    else
      expect(
        levels.some((level) => level !== 'observed'),
        where,
      ).toBe(true);
  }
});

test('every clause has its row', () => {
  const placed = new Set<string>(rows.flatMap(({ names }) => names));
  expect(Object.keys(clauses).filter((name) => !placed.has(name))).toEqual([]);
});

test('a clause of the specification stands in the section that it names', () => {
  const sections = rows.flatMap(({ where, names }) => names.map((name) => ({ name, where })));
  const lost = Object.values<Clause>(clauses)
    .filter(({ section }) => /^§\d$|^§\d [A-Z]|^opening/.test(section))
    .filter(({ id, section }) => {
      const own = /^opening|^§\d/.exec(section)?.[0] ?? '';
      return !sections.some(({ name, where }) => name === id && where.startsWith(own));
    });
  expect(lost.map(({ id }) => id)).toEqual([]);
});
