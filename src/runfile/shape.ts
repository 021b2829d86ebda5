/** What each line of a run file must be. Unknown members are refused: a file of this version has none. */
import * as z from 'zod';
import { levels } from '../model/clause.ts';
import { dimensions } from '../model/context.ts';
import { failureKinds } from '../model/exchange.ts';
import type { Data } from '../model/json.ts';
import type { RunRecord } from '../model/run.ts';
import { runVersion } from '../model/run.ts';
import { verdicts } from '../model/verdict.ts';
import { limitShape } from './shape-limit.ts';
import { measurement } from './shape-measurement.ts';
import { trialShape } from './shape-trial.ts';

const { strictObject, string, array, boolean, literal, tuple } = z;
const whenSo = literal(true).exactOptional();
const text = string().exactOptional();
const count = z.int().min(0);
const id = z.int().min(1);
const ids = array(id);
const ms = z.number().min(0);
const oneOf = z.enum;

const body = strictObject({
  text,
  base64: z
    .string()
    .regex(/^[A-Za-z0-9+/]*={0,2}$/)
    .exactOptional(),
  bytes: count,
  truncated: whenSo,
  coding: text,
});

const headers = array(tuple([string(), string()]));

const exchange = strictObject({
  id,
  purpose: oneOf(['ask', 'twin', 'prelude', 'company', 'probe', 'setup', 'cleanup']),
  instance: oneOf(['main', 'disabled']),
  request: strictObject({ method: string(), target: string(), head: string(), headers, body: body.exactOptional() }),
  // Three digits, whichever: a service may say 000, and a run file that could not be read again would hide that.
  response: strictObject({
    status: z.int().min(0).max(999),
    head: string(),
    headers,
    body,
    early: text,
    surplus: count.exactOptional(),
  }).exactOptional(),
  failure: strictObject({ kind: oneOf(failureKinds), says: string() }).exactOptional(),
  at: strictObject({
    sent: z.number(),
    connected: z.number().exactOptional(),
    head: z.number().exactOptional(),
    end: z.number(),
  }),
  connection: strictObject({ number: count, use: count, localAddress: text }),
  planted: strictObject({
    nonce: text,
    sources: array(strictObject({ slot: string(), token: string(), behaviour: string() })),
  }).exactOptional(),
  earlier: ids.exactOptional(),
  injected: text,
  waitedMs: ms.exactOptional(),
}).refine((each) => each.response !== undefined || each.failure !== undefined, {
  error: 'an exchange has an answer or a failure',
});

const axes = strictObject({
  cases: array(strictObject({ name: string(), key: oneOf(dimensions.key).exactOptional(), actor: text })),
  keys: array(oneOf(dimensions.key)),
  actors: array(string()),
  connection: array(oneOf(dimensions.connection)),
  history: array(oneOf(dimensions.history)),
  company: array(oneOf(dimensions.company)),
  eachKey: whenSo,
});

const planned = strictObject({
  rule: string().regex(/^[a-z]+\.[a-z0-9-]+$/),
  level: oneOf(levels as ['required', 'expected', 'observed']),
  clause: strictObject({ id: string(), section: string(), says: string() }),
  fix: string(),
  contexts: count,
  axes: axes.exactOptional(),
  provisional: whenSo,
  untested: strictObject({ because: string(), add: text }).exactOptional(),
});

const header = strictObject({
  type: literal('header'),
  version: literal([1, runVersion]),
  touchstone: string(),
  rules: strictObject({ version: string(), specification: string() }),
  target: string(),
  profile: strictObject({
    name: string(),
    digest: string(),
    actors: array(string()).exactOptional(),
    keys: array(string()).exactOptional(),
    command: array(string()).exactOptional(),
  }),
  started: string(),
  seed: count,
  depth: oneOf(['quick', 'standard', 'thorough']),
  repeat: count.exactOptional(),
  strict: boolean(),
  witness: strictObject({ challenge: string(), number: id, entry: string() }).exactOptional(),
  client: strictObject({ actor: boolean(), input: boolean(), keyInArguments: boolean() }).exactOptional(),
  between: strictObject({ sameRuns: boolean(), address: string() }).exactOptional(),
  planned: array(planned),
});

const step = strictObject({
  type: literal('step'),
  rule: string(),
  context: strictObject({
    key: oneOf(dimensions.key),
    connection: oneOf(dimensions.connection),
    history: oneOf(dimensions.history),
    company: oneOf(dimensions.company),
    actor: text,
    case: text,
  }),
  purpose: oneOf(['plan', 'again', 'narrow']),
  about: z
    .record(
      string(),
      z.custom<Data>(() => true),
    )
    .exactOptional(),
  // Any JSON will do; what it names is checked against the exchanges.
  evidence: array(z.custom<Data>(() => true)),
  twin: id.exactOptional(),
  exchanges: ids,
  sent: ids.exactOptional(),
  inapplicable: string().exactOptional(),
  leftOut: whenSo,

  inconclusive: text,
  error: text,
  tookMs: ms,
});

const finding = strictObject({
  rule: string(),
  verdict: oneOf(verdicts),
  reasons: array(
    strictObject({
      weight: oneOf(['violation', 'warning', 'note']),
      expected: string(),
      came: string(),
      exchange: id.exactOptional(),
    }),
  ),
  facts: array(string()).exactOptional(),
  because: text,
  where: text,
  seen: strictObject({ times: count, of: count }).exactOptional(),
  looked: strictObject({ exchanges: count, own: count }).exactOptional(),
  asked: strictObject({ contexts: count, planned: count, leftOut: array(string()) }),
  exchanges: ids,
  waived: strictObject({ reason: string(), owner: string(), issue: text, expires: text }).exactOptional(),
});

const counts = strictObject(
  Object.fromEntries(verdicts.map((verdict) => [verdict, count])) as Record<(typeof verdicts)[number], typeof count>,
);

const footer = strictObject({
  type: literal('footer'),
  ended: string(),
  tookMs: ms,
  interrupted: whenSo,
  unreachable: text,
  counts,
  exchanges: count,
  waits: array(strictObject({ who: string(), times: count, ms })),
  leftBehind: array(string()),
  remarks: array(string()),
  waivers: array(
    strictObject({ rule: string(), problem: oneOf(['expired', 'stale', 'unused']), says: string() }),
  ).exactOptional(),
});

export const recordShape = z.discriminatedUnion('type', [
  header,
  strictObject({ type: literal('exchange'), exchange }),
  step,
  trialShape,
  strictObject({ type: literal('finding'), finding }),
  strictObject({ type: literal('limit'), limit: limitShape }),
  strictObject({ type: literal('measurement'), measurement }),
  footer,
]);

/**
 * The compiler's word that these shapes and the model say the same: a member added there is an error here. Optional
 * members count as demanded ones, because two types that differ in an optional member fit each other.
 */
type Fixed<T> = [Data] extends [T]
  ? T
  : T extends string | number | boolean
    ? T
    : T extends readonly unknown[]
      ? { readonly [K in keyof T]: Fixed<T[K]> }
      : { readonly [K in keyof T]-?: Fixed<T[K]> };
type Written = Fixed<z.output<typeof recordShape>>;
type Same = [Written] extends [Fixed<RunRecord>] ? ([Fixed<RunRecord>] extends [Written] ? true : never) : never;
true satisfies Same;
