/** What a profile says of limits: what may be spent on finding them out, and what they are said to be. */
import * as z from 'zod';
import { duration, isToken } from './scalars.ts';
import { flag, record, text, whole } from './shape-parts.ts';

const aPeriod = 'a duration such as 1s, 1m or 24h';
const aNumber = 'a whole number from 1 to 10000000';
const aTolerance = 'a share from 0 to 1, such as 0.1';
const aTrial = 'gate, certify, or a whole number from 1 to 1000';

const declared = record({
  requests: whole(1, 10_000_000, aNumber).describe('So many calls …'),
  per: z
    .union([z.string(), z.number()], { error: aPeriod })
    .refine((value) => (duration(value) ?? 0) > 0, { error: aPeriod })
    .describe('… in so long. A duration such as 1s, 1m, 24h.'),
  burst: whole(1, 10_000_000, aNumber)
    .optional()
    .describe('Calls at once after a rest, where that is another number than `requests`.'),
});

export const limitsShape = record({
  max_requests: whole(1, 10_000_000, aNumber)
    .optional()
    .describe('So many calls at most are spent on limits. With this or max_seconds, `check` looks for limits too.'),
  max_seconds: whole(1, 86_400, 'a whole number of seconds from 1 to 86400')
    .optional()
    .describe('So long, at most, limits are looked for.'),
  quick: flag('Whose limits there are and whether they hold; no kinds and no rates.'),
  trials: z
    .union([z.enum(['gate', 'certify']), whole(1, 1000, aTrial)], { error: aTrial })
    .optional()
    .describe('How often a wait that was told is waited out: gate (10, the default), certify (59), or a number.'),
  allow: flag('A service that is not on this machine may be probed; the command line must say so too.'),
  addresses: z
    .array(z.union([z.ipv4(), z.ipv6()], { error: 'an IP address' }), { error: 'a list of IP addresses' })
    .min(1, { error: 'a list of IP addresses' })
    .max(64, { error: 'at most 64 addresses' })
    .optional()
    .describe(
      'Addresses of this machine to call from, which the service sees apart. Default on loopback: 127.0.0.1 to 127.0.0.4.',
    ),
  trusted_header: text('the name of a header')
    .refine(isToken, { error: 'the name of a header' })
    .optional()
    .describe('A header such as X-Forwarded-For in which the service believes whoever calls.'),
  route: z
    .enum(['verify', 'read', 'run'], { error: 'verify, read or run' })
    .optional()
    .describe('Which request is repeated. Default: verify, and run where that is not limited.'),
  tiers: z
    .record(z.string(), declared, { error: 'a mapping of tiers to limits' })
    .optional()
    .describe('The limits of keys as they are documented, by tier: the service is held to them.'),
  address: declared.optional().describe('The limit of an address as it is documented.'),
  tolerance: z
    .number({ error: aTolerance })
    .min(0, { error: aTolerance })
    .max(1, { error: aTolerance })
    .optional()
    .describe('How far a number may be from the documented one. Default: 0.1, a tenth.'),
});

export type WrittenLimits = z.output<typeof limitsShape>;
