/** The interface as OpenAPI 3.1: shapes by zod, every sentence from the clauses, and what is not shown marked as such. */
import { stringify } from 'yaml';
import * as z from 'zod';
import type { Clause } from '../../src/model/clause.ts';
import { clauses } from '../../suites/clauses/index.ts';
import * as shapes from './shapes.ts';

type Name = keyof typeof clauses;

const schema = (shape: z.ZodType): object => {
  const { $schema: _, ...rest } = z.toJSONSchema(shape, { target: 'draft-2020-12', io: 'input' });
  return rest;
};

const ref = (kind: string, name: string) => ({ $ref: `#/components/${kind}/${name}` });
const json = (name: string) => ({ 'application/json': { schema: ref('schemas', name) } });

const says = (...names: readonly Name[]): string => names.map((name) => clauses[name].says).join(' ');

/** Clauses of level `observed`: a reader must not take silence for a promise. */
function notShown(...names: readonly Name[]) {
  const silent = names.map((name): Clause => clauses[name]);
  const wrong = silent.find(({ level }) => level !== 'observed');
  if (wrong !== undefined) throw new Error(`${wrong.id} is shown`);
  return { 'x-not-shown': silent.map((clause) => clause.says) };
}

const errorOf = (body: string, ...names: readonly Name[]) => ({ description: says(...names), content: json(body) });

const retryAfter = {
  'Retry-After': {
    description: says('retryAfterStands', 'retryAfterIsSeconds', 'waitingAdmits'),
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
  },
};

/** The specification is silent on further statuses of a call, but not on the body of an error. */
const refusals = (body: string) => ({
  401: errorOf(body, 'keyOnEveryDataRequest', 'invalidKeyIs401'),
  429: { ...errorOf(body, 'limitPerKey', 'limitPerAddress'), headers: retryAfter },
  500: errorOf(body, 'serverErrorIs500'),
  default: errorOf(body, 'errorBodyShape'),
});

const named = {
  name: 'name',
  in: 'path',
  required: true,
  description: 'The name of an actor.',
  schema: { type: 'string', minLength: 1 },
  ...notShown('catalogueNotShown'),
};

const run = {
  operationId: 'runActor',
  summary: says('runGivesItsOwnItems'),
  description: says('inputIsValidated', 'partialMeansSomeFailed', 'partialHasUsableItems', 'refusedRunDoesNotRun'),
  security: [{ apiKey: [] }],
  requestBody: { required: true, content: json('ActorInput') },
  responses: {
    '2XX': {
      description: says('runResultShape'),
      content: json('RunResult'),
      ...notShown('successCodeNotShown', 'runFieldsNotShown', 'inputAndItemFieldsNotShown'),
    },
    400: errorOf('InputError', 'badInputIs400or422', 'invalidInputCode'),
    403: errorOf('ActorError', 'keyWithoutAccessIs403'),
    404: errorOf('ActorError', 'unknownActorIs404'),
    422: errorOf('ActorError', 'schemaViolationIs400or422', 'detailNamesTheField'),
    502: errorOf('ActorError', 'slowSourceIs502or504'),
    504: errorOf('ActorError', 'slowSourceIs502or504'),
    ...refusals('ActorError'),
  },
  ...notShown('unknownInputNotShown', 'transitionsNotShown', 'precedenceNotShown', 'limitedRoutesNotShown'),
};

const read = {
  operationId: 'readActor',
  summary: says('readGivesSchema'),
  security: [{ apiKey: [] }],
  responses: {
    '2XX': {
      description: says('readGivesSchema'),
      // Any JSON: the specification only says that it contains a schema.
      content: { 'application/json': { schema: true } },
      ...notShown('readShapeNotShown', 'successCodeNotShown'),
    },
    403: errorOf('ActorError', 'keyWithoutAccessIs403'),
    404: errorOf('ActorError', 'unknownActorIs404'),
    ...refusals('ActorError'),
  },
  ...notShown('restrictedReadNotShown', 'readStabilityNotShown'),
};

const verify = {
  operationId: 'verifyKey',
  summary: says('verifyReports'),
  security: [{ apiKey: [] }],
  responses: {
    '2XX': { description: says('verifyReports'), content: json('Verification'), ...notShown('verifyFieldsNotShown') },
    ...refusals('Error'),
  },
};

export const openapi = () => ({
  openapi: '3.1.0',
  info: {
    title: 'Actor Execution Service Interface',
    version: 'v1',
    description:
      'What an implementation promises, made from the clauses that Touchstone judges by. `x-not-shown` lists what the specification leaves open: there, every behaviour is lawful. Which rule holds a sentence is in rules.md.',
    ...notShown('otherVersionsNotShown', 'eventsNotShown', 'otherEndpointsNotShown', 'tiersNotShown'),
  },
  servers: [
    {
      url: '{base_url}',
      description: says('plainHttp'),
      variables: { base_url: { default: 'http://127.0.0.1:8080' } },
    },
  ],
  paths: {
    '/v1/actors/{name}/run-sync-get-dataset-items': { parameters: [ref('parameters', 'ActorName')], post: run },
    '/v1/actors/{name}': { parameters: [ref('parameters', 'ActorName')], get: read },
    '/v1/auth/verify': { get: verify },
    '/v1/admin/keys': {
      summary: says('keyManagementIsApart'),
      description: `${says('adminNeedsToken', 'disabledWithoutToken', 'issuedKeyFormat', 'plaintextShownOnce')} No operation is listed here, because none is shown.`,
      ...notShown('adminCallsNotShown', 'keyRecordNotShown', 'disabledLooksNotShown'),
    },
  },
  components: {
    parameters: { ActorName: named },
    schemas: {
      ActorInput: schema(shapes.actorInput),
      RunResult: schema(shapes.runResult),
      Verification: schema(shapes.verification),
      Error: schema(shapes.errorBody),
      ActorError: schema(shapes.actorErrorBody),
      InputError: schema(shapes.inputErrorBody),
    },
    securitySchemes: {
      apiKey: { type: 'apiKey', in: 'header', name: 'X-API-Key', description: says('bothKindsAreKeys') },
      adminToken: { type: 'apiKey', in: 'header', name: 'X-Admin-Token', description: says('adminNeedsToken') },
    },
    'x-not-shown': [clauses.numericLimitsNotShown.says, clauses.limiterKindNotShown.says],
  },
});

export const openapiText = (): string =>
  `# Made from the clauses and shapes by \`UPDATE_DOCS=1 npx vitest run docs\`; a test holds that it is current.\n${stringify(openapi(), { lineWidth: 120, aliasDuplicateObjects: false })}`;
