/** The OpenAPI document against what was said in a run: the reference service fits it, and what does not fit is noticed. */
import { Ajv2020 } from 'ajv/dist/2020.js';
import { beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { type Exchange, headerValues, jsonOf } from '../../src/vocabulary.ts';
import { catalogue } from '../../suites/index.ts';
import { openapiText } from './openapi.ts';

interface Response {
  readonly content?: { readonly 'application/json': { readonly schema: object | boolean } };
  readonly headers?: Readonly<Record<string, { readonly schema: { readonly pattern: string } }>>;
}
type Operation = { readonly responses: Readonly<Record<string, Response>> };

const document = parse(openapiText()) as {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation | undefined>>>>;
  readonly components: object;
};

/** The components go along, so that references into them resolve; the rest of an OpenAPI document is no schema. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
const fits = (schema: object | boolean, value: unknown): readonly string[] => {
  const validate = ajv.compile(schema === true ? {} : { ...(schema as object), components: document.components });
  validate(value);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath || 'the body'} ${message}`);
};

const plainName = /^\/v1\/actors\/[^/?]+/;

/** Undefined for what the document does not describe: other routes, other methods, the admin interface. */
function operationOf({ request }: Exchange): { readonly name: string; readonly operation: Operation } | undefined {
  const path = request.target.split('?')[0]!.replace(plainName, '/v1/actors/{name}');
  const operation = document.paths[path]?.[request.method.toLowerCase()];
  return operation === undefined ? undefined : { name: `${request.method} ${path}`, operation };
}

function wrongWith(exchange: Exchange): readonly string[] {
  const found = operationOf(exchange);
  const { response } = exchange;
  if (found === undefined || response === undefined) return [];
  const { responses } = found.operation;
  const described =
    responses[String(response.status)] ??
    responses[`${Math.floor(response.status / 100)}XX`] ??
    (response.status >= 400 ? responses.default : undefined);
  if (described === undefined) return [`the status ${response.status} is not described`];
  const headers = Object.entries(described.headers ?? {}).filter(
    ([name, { schema }]) => !headerValues(exchange, name).some((value) => new RegExp(schema.pattern).test(value)),
  );
  const body = jsonOf(exchange);
  const schema = described.content?.['application/json'].schema ?? true;
  return [
    ...headers.map(([name]) => `${name} is not as described`),
    ...(body.ok ? fits(schema, body.value) : [body.why]),
  ];
}

const rules = { rules: catalogue, version: '1', specification: '0' };
const plain = { name: 'the reference service', overlays: [] };
let exchanges: readonly Exchange[];
let limited: readonly Exchange[];

beforeAll(async () => {
  const run = await tryOn(rules, plain, { depth: 'quick', seed: 1 });
  exchanges = [...run.exchanges.values()];
  const tight = { pro: { burst: 20, perSecond: 50 } };
  const slowed = await tryOn(rules, { ...plain, options: { keyLimits: tight } }, { depth: 'quick', seed: 1 });
  limited = [...slowed.exchanges.values()].filter(({ response }) => response?.status === 429);
});

describe('the exchanges of a run of the reference service', () => {
  test('fit the document, each of them', () => {
    const wrong = exchanges.flatMap((exchange) =>
      wrongWith(exchange).map((why) => `${exchange.request.method} ${exchange.request.target}: ${why}`),
    );
    expect(wrong).toEqual([]);
  });

  test('show every operation and every status that the document names', () => {
    const seen = new Map<string, Set<string>>();
    for (const exchange of [...exchanges, ...limited]) {
      const found = operationOf(exchange);
      const status = exchange.response?.status ?? 0;
      if (found === undefined) continue;
      const statuses = seen.get(found.name) ?? new Set();
      seen.set(found.name, statuses.add(status < 300 ? '2XX' : String(status)));
    }
    const missing = Object.entries(document.paths).flatMap(([path, item]) =>
      ['post', 'get'].flatMap((method) => {
        const operation = item[method];
        const statuses = seen.get(`${method.toUpperCase()} ${path}`);
        return Object.keys(operation?.responses ?? {})
          .filter((status) => status !== 'default' && statuses?.has(status) !== true)
          .map((status) => `${method} ${path} ${status}`);
      }),
    );
    // Only a run fails inside here; which request meets a limit first is the limiter's matter.
    const mayMiss = ['get /v1/actors/{name} 429', 'get /v1/auth/verify 429', 'get /v1/auth/verify 500'];
    expect(missing.filter((each) => !mayMiss.includes(each))).toEqual(['get /v1/actors/{name} 500']);
  });

  test('with a 429 say Retry-After as the document does', () => {
    expect(limited.length).toBeGreaterThan(0);
    expect(limited.flatMap(wrongWith)).toEqual([]);
  });
});

describe('what does not fit is noticed', () => {
  const changed = (status: number, change: (body: Record<string, unknown>) => Record<string, unknown>): Exchange => {
    const exchange = [...exchanges, ...limited].find(
      (each) => each.response?.status === status && operationOf(each)?.name.startsWith('POST'),
    )!;
    const response = exchange.response!;
    const text = JSON.stringify(change(JSON.parse(response.body.text!) as Record<string, unknown>));
    return { ...exchange, response: { ...response, body: { ...response.body, text } } };
  };
  const without = (name: string) => (body: Record<string, unknown>) =>
    Object.fromEntries(Object.entries(body).filter(([each]) => each !== name));

  test.each<[string, number, (body: Record<string, unknown>) => Record<string, unknown>]>([
    ['a result without items', 200, without('items')],
    ['a status that is no text', 200, (body) => ({ ...body, status: 1 })],
    ['an error without detail', 401, without('detail')],
    ['an error of a run that names no actor', 404, without('actor')],
    ['an empty code', 422, (body) => ({ ...body, error: '' })],
    ['another code on a 400', 400, (body) => ({ ...body, error: 'oops' })],
  ])('%s', (_, status, change) => {
    expect(wrongWith(changed(status, (body) => body))).toEqual([]);
    expect(wrongWith(changed(status, change))).not.toEqual([]);
  });

  test('a 429 without Retry-After', () => {
    const exchange = limited.find((each) => operationOf(each) !== undefined);
    const response = { ...exchange!.response!, headers: [] };
    expect(wrongWith({ ...exchange!, response })).toEqual(['Retry-After is not as described']);
  });
});
