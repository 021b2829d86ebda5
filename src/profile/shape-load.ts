/** The section of a profile about load: what may be done to the service, what is sent, and what is promised. */
import * as z from 'zod';
import { duration, share } from './scalars.ts';
import { former, record, text, whole } from './shape-parts.ts';

const aDuration = 'a duration such as 250ms, 10s, 2m or 1h, at most 24h';
const lasting = (says: string) =>
  z
    .union([z.string(), z.number()], { error: aDuration })
    .refine((value) => (duration(value) ?? 0) > 0, { error: aDuration })
    .optional()
    .describe(says);

const aShare = 'a share such as 0.1% or 0.001';
const part = (says: string) =>
  z
    .union([z.string(), z.number()], { error: aShare })
    .refine((value) => share(value) !== undefined, { error: aShare })
    .optional()
    .describe(says);

const aRate = 'requests a second: a number above 0, at most 100000';
export const mostPerSecond = 100_000;
const rate = (says: string) =>
  z.number({ error: aRate }).gt(0, { error: aRate }).max(mostPerSecond, { error: aRate }).optional().describe(says);

/** As load used to state a limit. */
const limit = (whose: string) =>
  record({
    per_second: z
      .number({ error: aRate })
      .gt(0, { error: aRate })
      .max(mostPerSecond, { error: aRate })
      .describe('Accepted a second, in the long run.'),
    burst: whole(1, 1_000_000, 'a whole number from 1').optional().describe('Accepted at once after a rest.'),
  })
    .optional()
    .describe(`The declared limit of ${whose}.`);

export const loadShape = record({
  allow: z
    .array(text('a host name or address'), { error: 'a list of host names' })
    .optional()
    .describe('Other machines that may be loaded, if the command line allows it too (--allow-remote-load).'),
  max_rate: rate('The highest rate that a command may ask for. Default: 1000 on this machine, 20 elsewhere.'),
  max_duration: lasting(
    'The longest measurement that a command may ask for. Default: 10m on this machine, 1m elsewhere.',
  ),
  rate: rate('Requests a second, unless the command sets it. Default: 50, or 10 on another machine.'),
  duration: lasting('How long to measure, unless the command sets it. Default: 10s.'),
  warm_up: lasting('How long to send before measuring. Default: 3s.'),
  slowest: lasting('The slowest response that must not delay the schedule. Default: 2s.'),
  actor: text('the name of an actor of this profile')
    .optional()
    .describe('The actor to run. Default: the first echo, else the first clean one.'),
  keys: z
    .array(text('the name of a key of this profile'), { error: 'a list of names of keys' })
    .min(1, { error: 'a list of names of keys' })
    .optional()
    .describe('The keys that take turns. Default: all entitled ones.'),
  addresses: text('addresses such as 127.0.0.2-127.0.0.9')
    .regex(/^[0-9a-fA-F.:,/-]+$/, { error: 'addresses such as 127.0.0.2-127.0.0.9' })
    .optional()
    .describe('Addresses of this machine that requests are sent from, in turn: addresses, ranges, CIDR blocks.'),
  mix: z
    .record(z.string(), whole(1, 1000, 'a whole number from 1 to 1000'), {
      error: 'a mapping of what to do to how often',
    })
    .optional()
    .describe('For the scenario mixed: actors of this profile, `verify`, and `read <actor>`, each with its weight.'),
  limits: former(record({ key: limit('a key'), address: limit('an address') }), 'limits.documented'),
  latency: z
    .record(
      z.string(),
      z
        .union([z.string(), z.number()], { error: aDuration })
        .refine((value) => (duration(value) ?? 0) > 0, { error: aDuration }),
      { error: 'a mapping of percentiles to durations' },
    )
    .optional()
    .describe('Thresholds: p50, p99, p99.9, max … of the 2xx, from the intended start. A missed one is exit code 1.'),
  errors: part('Threshold: at most this share is answered neither 2xx nor 429, or not at all.'),
  admitted: part('Threshold: at least this share is not answered 429.'),
});

export type WrittenLoad = z.output<typeof loadShape>;
