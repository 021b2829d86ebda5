/** What a profile says about limits: what may be spent on probing them, and what the service documents. */
import * as z from 'zod';
import { duration, isToken } from './scalars.ts';
import { flag, former, record, text, whole } from './shape-parts.ts';

const aPeriod = 'a duration such as 1s, 1m or 24h';
const aNumber = 'a whole number from 1 to 10000000';
const aTolerance = 'a share from 0 to 1, such as 0.1';
const aTrial = 'gate, certify, or a whole number from 1 to 1000';

const limit = record({
  requests: whole(1, 10_000_000, aNumber).describe('The number of calls …'),
  per: z
    .union([z.string(), z.number()], { error: aPeriod })
    .refine((value) => (duration(value) ?? 0) > 0, { error: aPeriod })
    .describe('… in this time: a duration such as 1s, 1m, 24h.'),
  burst: whole(1, 10_000_000, aNumber)
    .optional()
    .describe('Calls at once after a rest, if it differs from `requests`.'),
});

const byTier = z.record(z.string(), limit, { error: 'a mapping of tiers to limits' });

/** The one place where a profile says how high the limits are: rules, `limits` and `load` read it. */
const documented = record({
  key: limit.optional().describe('The limit of each key, if its tier has none of its own below.'),
  tiers: byTier.optional().describe('The limits of keys by tier: the service must keep them.'),
  address: limit.optional().describe('The limit of each client address.'),
});

export const limitsShape = record({
  max_requests: whole(1, 10_000_000, aNumber)
    .optional()
    .describe('The most calls to spend on limits. With this or max_seconds, `check` probes limits too.'),
  max_seconds: whole(1, 86_400, 'a whole number of seconds from 1 to 86400')
    .optional()
    .describe('The longest time to probe limits.'),
  quick: flag('Only whose limits exist and whether they hold; no kinds and no rates.'),
  trials: z
    .union([z.enum(['gate', 'certify']), whole(1, 1000, aTrial)], { error: aTrial })
    .optional()
    .describe('How many Retry-After waits to test: gate (10, the default), certify (59), or a number.'),
  allow: flag('A service on another machine may be probed; the command line must allow it too.'),
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6()], { error: 'an IP address' }), { error: 'a list of IP addresses' })
    .min(1, { error: 'a list of IP addresses' })
    .max(64, { error: 'at most 64 addresses' })
    .optional()
    .describe(
      'Addresses of this machine to call from, which the service sees as different callers. Default on loopback: 127.0.0.1, 127.0.0.2, 127.0.0.3 and 127.0.5.1.',
    ),
  trusted_header: text('the name of a header')
    .refine(isToken, { error: 'the name of a header' })
    .optional()
    .describe('A header such as X-Forwarded-For that the service trusts from any caller.'),
  route: z
    .enum(['verify', 'read', 'run'], { error: 'verify, read or run' })
    .optional()
    .describe('The request to repeat. Default: verify, or run if verify is not limited.'),
  documented: documented
    .optional()
    .describe('How high the limits are, by the documentation of the service. `check`, `limits` and `load` use it.'),
  tiers: former(byTier, 'limits.documented.tiers'),
  address: former(limit, 'limits.documented.address'),
  tolerance: z
    .number({ error: aTolerance })
    .min(0, { error: aTolerance })
    .max(1, { error: aTolerance })
    .optional()
    .describe('How far a number may be from the documented one. Default: 0.1, a tenth.'),
});

export type WrittenLimits = z.output<typeof limitsShape>;
