/** The waivers as they are written down. Every `error` is the phrase after "expected", as explain.ts has it. */
import * as z from 'zod';
import { record, text } from '../profile/shape-parts.ts';
import { expectations, isDay } from './waiver.ts';

/** In characters. Shorter ones mean nothing to a reader in a year. */
const shortestReason = 10;

const aReason = `a reason in words, of at least ${shortestReason} characters`;
const aDay = 'a day such as 2027-01-31';
const anOwner = 'a name or an address of the responsible person';

const isSaid = (value: string): boolean => /[\p{L}\p{N}]/u.test(value) && !/\p{Cc}/u.test(value);

export const reasonShape = text(aReason).refine((value) => isSaid(value) && value.trim().length >= shortestReason, {
  error: aReason,
});
export const ownerShape = text(anOwner)
  .max(200, { error: anOwner })
  .refine((value) => isSaid(value) && value.trim().length > 1, { error: anOwner });
export const issueShape = text('an address or a number of an issue').refine(isSaid, {
  error: 'an address or a number of an issue; put a bare number in quotes',
});
export const expiresShape = text(aDay).refine(isDay, { error: aDay });

const waiver = record({
  rule: text('the identifier of a rule').describe('The exact identifier of a rule, as `touchstone rules` lists them.'),
  expectation: z.enum(expectations).describe('Its current verdict.'),
  reason: reasonShape.describe(`Why it is accepted, in at least ${shortestReason} characters.`),
  owner: ownerShape.describe('Who is responsible for it: a name or an address.'),
  issue: issueShape.optional().describe('Where it is tracked.'),
  expires: expiresShape.describe('Its last day, such as 2027-01-31; at most a year ahead.'),
});

export const waiversShape = record({
  waivers: z
    .array(waiver, { error: 'a list of waivers' })
    .max(1000, { error: 'at most 1000 waivers' })
    .describe('The accepted failures, one rule each.'),
});
