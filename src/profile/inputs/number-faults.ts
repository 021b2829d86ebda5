/** What can be wrong with a number: beyond a bound, or between two steps. */
import type { Json } from '../../model/json.ts';
import type { Proposal } from './faults.ts';
import { typesOf } from './keywords.ts';
import type { Place } from './places.ts';

/** Below it, what is a multiple is a matter of rounding. */
const leastFraction = 1e-6;

export function* numberFaults({ schemas, path, value }: Place): Generator<Proposal> {
  const types = typesOf(schemas);
  const integral = types.includes('integer');
  for (const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } of schemas) {
    const bound = (put: number, keyword: string, ...beyond: number[]): Proposal => ({
      fault: 'bound',
      path,
      put,
      keywords: [keyword],
      rank: 0,
      ...(beyond.length > 0 && { beyond }),
    });
    // Whoever compares whole parts takes the one for the other.
    const half = types.length === 1 && types[0] === 'number' ? [0.5] : [];
    // Kept in 32 bits it is what the valid input has. Not above: a service whose bounds fail now and then would take it for
    // that many items.
    const own = [value, minimum, maximum].find((each) => Number.isInteger(each) && Math.abs(Number(each)) < 2 ** 31);
    const wrapped = integral && own !== undefined ? [Number(own) - 2 ** 32] : [];
    if (typeof minimum === 'number')
      yield bound(
        Math.floor(minimum) - 1,
        'minimum',
        ...half.map((more) => minimum - more),
        ...wrapped,
        ...shorterOnes(minimum, maximum),
      );
    if (typeof maximum === 'number')
      yield bound(
        Math.ceil(maximum) + 1,
        'maximum',
        ...half.map((more) => maximum + more),
        ...longerOnes(minimum, maximum),
      );
    if (typeof maximum === 'number' && integral && Number.isInteger(value))
      if (maximum < 256)
        // Kept in eight bits it is a valid one. A service without bounds would take a number of more bits for that many items.
        yield bound(Number(value) + 256, 'maximum');
    if (typeof exclusiveMinimum === 'number')
      yield bound(integral ? Math.floor(exclusiveMinimum) : exclusiveMinimum, 'exclusiveMinimum', ...wrapped);
    if (typeof exclusiveMaximum === 'number')
      yield bound(integral ? Math.ceil(exclusiveMaximum) : exclusiveMaximum, 'exclusiveMaximum');
    if (
      typeof multipleOf === 'number' &&
      multipleOf >= leastFraction &&
      (multipleOf > 1 || !Number.isInteger(multipleOf))
    ) {
      const from = [minimum, exclusiveMinimum].find((each) => typeof each === 'number') ?? 0;
      // Half of a fraction more: no rounding makes it a multiple.
      const more = Number.isInteger(multipleOf) ? 1 : multipleOf / 2;
      const put = (Math.floor(from / multipleOf) + 1) * multipleOf + more;
      const beyond = largeOnes(multipleOf, [maximum, exclusiveMaximum]).filter((each) => each > put);
      yield {
        fault: 'multipleOf',
        path,
        put,
        keywords: ['multipleOf'],
        rank: 0,
        ...(beyond.length > 0 && { beyond }),
      };
    }
  }
}

/** Whoever accepts a number makes that many items at most. */
const largestAsText = 20_000;

const isWithinAsText = (put: number, minimum: Json | undefined, maximum: Json | undefined): boolean =>
  (typeof minimum !== 'number' || String(put) >= String(minimum)) &&
  (typeof maximum !== 'number' || String(put) <= String(maximum));

/** Above the largest, but within both bounds for whoever compares digits as letters: 16000 is between 1600 and 2100. */
function longerOnes(minimum: Json | undefined, maximum: number): readonly number[] {
  const least = 10 ** String(Math.floor(maximum)).length;
  const digits = typeof minimum === 'number' && minimum > 0 ? String(Math.floor(minimum)) : '';
  return [least, Number(digits.padEnd(String(least).length, '0'))]
    .filter((put) => put > Math.ceil(maximum) + 1 && put <= largestAsText && isWithinAsText(put, minimum, maximum))
    .slice(0, 1);
}

/** Below the smallest in the same way: 210 is between 1600 and 2100. */
function shorterOnes(minimum: number, maximum: Json | undefined): readonly number[] {
  const length = String(Math.floor(minimum)).length - 1;
  const put = Number(typeof maximum === 'number' ? String(maximum).slice(0, length) : '9'.repeat(length));
  return length > 0 && put > 0 && put < minimum && isWithinAsText(put, minimum, maximum) ? [put] : [];
}

/** A step holds for large numbers too. */
const sizes = [100, 1_000];
/** With more steps than that, half of one may be lost in arithmetic that is less exact than doubles. */
const mostSteps = 1e6;

/**
 * Large numbers between two steps. Whole steps are often those of counts, and a service that accepts a large count makes that many
 * items: there only a number next to the largest that is allowed is tried.
 */
function largeOnes(step: number, bounds: readonly (Json | undefined)[]): readonly number[] {
  const most = Math.min(...bounds.filter((each) => typeof each === 'number'));
  if (Number.isInteger(step)) {
    const put = (Math.floor(most / step) - 1) * step + 1;
    return Number.isFinite(put) ? [put] : [];
  }
  const digits = String(step / 2).split('.')[1]?.length ?? 0;
  return sizes
    .filter((size) => size < most && size / step <= mostSteps)
    .map((size) => Number((Math.ceil(size / step) * step + step / 2).toFixed(digits)));
}
