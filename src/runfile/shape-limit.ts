/** What was found about a limit, as a line of a run file. */
import * as z from 'zod';
import { limitKinds, limitScopes, penalties, plainKinds } from '../model/limit-model.ts';

const { strictObject, string, array, literal, number } = z;
const count = z.int().min(0);
const whenSo = literal(true).exactOptional();
const kind = z.enum(limitKinds);
const measured = strictObject({ value: number(), low: number(), high: number() });
const some = measured.exactOptional();
const calls = strictObject({ calls: count, inMs: number() });

const numbers = {
  perSecond: some,
  windowMs: some,
  phaseMs: some,
  quantum: number().exactOptional(),
  delays: whenSo,
  countsRefusals: whenSo,
};

const fitted = strictObject({ kind: z.enum(plainKinds), burst: measured, ...numbers, against: count });

const certainty = z.discriminatedUnion('is', [
  strictObject({ is: literal('identified') }),
  strictObject({ is: literal('undetermined'), between: array(kind) }),
  strictObject({ is: literal('fits badly'), why: string() }),
  strictObject({ is: literal('none within budget') }),
]);

const model = strictObject({
  kind,
  certainty,
  same: array(kind),
  burst: some,
  ...numbers,
  penalising: z.enum(penalties).exactOptional(),
  perReplica: strictObject({ copies: count, burst: number(), perSecond: number() }).exactOptional(),
  secondTier: strictObject({ met: calls, between: array(kind), fitted: fitted.exactOptional() }).exactOptional(),
  sustained: calls.exactOptional(),
  atLeast: calls.exactOptional(),
  closedForMs: number().exactOptional(),
  retryAfter: strictObject({
    refusals: count,
    absent: count,
    unreadable: count,
    toldMs: number().exactOptional(),
    slackMs: some,
  }),
  candidates: array(fitted),
  decisions: count,
  admitted: count,
  explained: number(),
  tookMs: number(),
});

export const limitShape = strictObject({
  caller: string(),
  tier: string().exactOptional(),
  scope: z.enum(limitScopes),
  route: string(),
  model,
  calls: array(z.int().min(1)),
  sustainedFrom: number().exactOptional(),
  stopped: string().exactOptional(),
});
