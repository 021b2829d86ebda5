/** How long a 429 says that a client has to wait. */
import { type Exchange, headerValues } from '../../src/vocabulary.ts';

/** Whole seconds, and not so many that nobody would wait. */
export function toldMs(answer: Exchange): number | undefined {
  const [value, ...more] = headerValues(answer, 'retry-after');
  return value === undefined || more.length > 0 || !/^\d{1,4}$/.test(value) ? undefined : Number(value) * 1000;
}
