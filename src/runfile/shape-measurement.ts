/** What a measurement must be in a run file. */
import * as z from 'zod';
import { scenarioNames } from '../../load/shared/scenarios.ts';
import { invalidCauses } from '../model/measurement.ts';

const { strictObject, string, array, boolean } = z;
const count = z.int().min(0);
const amount = z.number().min(0);
const oneOf = z.enum;

const latencies = strictObject({
  count,
  histogram: string()
    .regex(/^[A-Za-z0-9+/]+={0,2}$/)
    .exactOptional(),
}).refine((each) => each.count > 0 === (each.histogram !== undefined), {
  error: 'a histogram exists exactly where something was counted',
});

const byStatus = <T extends z.ZodType>(each: T) => strictObject({ ok: each, limited: each, other: each });

const sample = strictObject({
  at: z.number(),
  cpuCores: amount,
  rssBytes: count,
  sockets: count.exactOptional(),
});

const processFigures = { cpuSeconds: amount, samples: array(sample) };

const reason = strictObject({ cause: oneOf(invalidCauses), says: string(), change: string() });

export const measurement = strictObject({
  id: string().regex(/^[a-z0-9][a-z0-9.-]{0,80}$/),
  scenario: oneOf(scenarioNames),
  engine: strictObject({
    name: oneOf(['k6', 'autocannon']),
    version: string(),
    model: oneOf(['open', 'closed']),
    workers: z.int().min(1),
  }),
  target: string(),
  seed: count,
  started: string(),
  plan: strictObject({
    perSecond: amount.exactOptional(),
    connections: count.exactOptional(),
    warmUpSeconds: amount,
    seconds: amount,
    times: z.int().min(2).exactOptional(),
    keys: count,
    addresses: count,
    refusalsExpected: boolean(),
    changing: strictObject({ from: amount, mean: amount }).exactOptional(),
  }),
  achieved: strictObject({ intended: count.exactOptional(), begun: count, seconds: amount }),
  from: oneOf(['intended-start', 'sending']),
  latencies: byStatus(latencies),
  calm: strictObject({
    share: z.number().min(0).max(1),
    seconds: amount,
    lostSeconds: amount,
    outside: byStatus(count),
  }).exactOptional(),
  series: array(
    strictObject({
      at: z.int(),
      counts: byStatus(count),
      intended: count.exactOptional(),
      p50Us: amount.exactOptional(),
      p99Us: amount.exactOptional(),
      maxUs: amount.exactOptional(),
      lagP99Us: amount,
    }),
  ),
  groups: array(
    strictObject({
      name: string(),
      plannedPerSecond: amount,
      from: z.number(),
      to: z.number(),
      latencies: byStatus(latencies),
    }),
  ),
  others: array(strictObject({ what: string(), count })),
  answers: strictObject({ checked: count, wrong: count, examples: array(string()) }),
  generator: strictObject({
    ...processFigures,
    cores: amount,
    dropped: count,
    lag: latencies,
    vus: strictObject({ allowed: count, usedAtMost: count }),
    stallP99Ms: amount,
    failure: string().exactOptional(),
    exhausted: count,
  }),
  service: strictObject(processFigures).exactOptional(),
  machine: strictObject({ cpu: string(), cores: count, memoryBytes: count, system: string(), node: string() }),
  // A valid measurement with reasons, or an invalid one without, is nothing that the program writes.
  validity: strictObject({ verdict: oneOf(['valid', 'invalid', 'inconclusive']), reasons: array(reason) }).refine(
    ({ verdict, reasons }) => (verdict === 'valid') === (reasons.length === 0),
    { error: 'a valid measurement has no reasons against it, and any other has' },
  ),
  thresholds: array(
    strictObject({
      name: string(),
      demanded: string(),
      came: string().exactOptional(),
      outcome: oneOf(['met', 'missed', 'unknown']),
    }),
  ),
  capacity: strictObject({
    constraint: oneOf(['server', 'limiter', 'generator', 'ladder']),
    held: amount.exactOptional(),
    broke: amount.exactOptional(),
    gone: amount.exactOptional(),
    confirmed: boolean(),
    promise: string(),
    steps: array(
      strictObject({ perSecond: amount, verdict: oneOf(['held', 'broke', 'unsure', 'invalid']), why: string() }),
    ),
  }).exactOptional(),
  conclusions: array(string()),
  interrupted: z.literal(true).exactOptional(),
});
