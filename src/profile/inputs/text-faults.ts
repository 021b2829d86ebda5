/** What can be wrong with a text: its length and its pattern. */
import { fillPlausibly } from '../templates.ts';
import type { Proposal } from './faults.ts';
import type { Schema } from './keywords.ts';
import type { Place } from './places.ts';
import { sampleOf } from './samples.ts';

const wideZero = 0xff10;
const repeated = [1, 2, 4, 8, 16, 32];
const longestText = 5_000;
/** Longer than what usual guards against slow patterns let through, and long enough to be told from an ordinary text. */
const guardedFrom = 1_100;
const longEnough = 40;

export function* textFaults(root: Schema, { schemas, path, value }: Place): Generator<Proposal> {
  const holdsPattern = schemas.some((schema) => typeof schema.pattern === 'string');
  const own = value === undefined && holdsPattern ? sampleOf(root, schemas) : value;
  const filled = own === undefined ? '' : fillPlausibly(own);
  const base = typeof filled === 'string' ? filled : '';
  const isPlain = filled === own && base !== '';
  for (const { minLength, maxLength, pattern } of schemas) {
    const length = (put: string, keyword: string): Proposal => ({
      fault: 'length',
      path,
      put,
      keywords: [keyword],
      rank: 0,
    });
    if (typeof minLength === 'number' && minLength > 0 && minLength <= longestText)
      yield length(base.slice(0, minLength - 1).padEnd(minLength - 1, 'x'), 'minLength');
    // As many bytes as it wants characters, or more.
    if (typeof minLength === 'number' && minLength > 1 && minLength <= longestText)
      yield length('ü'.repeat(Math.ceil(minLength / 2)), 'minLength');
    if (typeof maxLength === 'number' && maxLength < longestText)
      yield length(base.slice(0, maxLength).padEnd(maxLength + 1, 'x'), 'maxLength');
    if (typeof pattern !== 'string') continue;
    for (const [rank, put] of [`${base}~`, '~', '~~~~~~~~', ' ', 'x', '0', ''].entries())
      yield { fault: 'pattern', path, put, keywords: ['pattern'], rank };
    // Digits are those of ASCII, where a pattern writes them as a range.
    const digit = /[0-9]/.exec(base);
    if (isPlain && digit !== null && pattern.includes('0-9') && !/\\[dw]/.test(pattern)) {
      const other = (zero: number): string => base.replace(digit[0], String.fromCodePoint(zero + Number(digit[0])));
      yield { fault: 'pattern', path, put: other(0x660), keywords: ['pattern'], rank: 1, apart: 'digits' };
      // Who normalises a text first makes ordinary ones of these.
      yield { fault: 'pattern', path, put: other(wideZero), keywords: ['pattern'], rank: 1, apart: 'wide' };
    }
    // And letters those of ASCII.
    const letter = /[A-Za-z]/.exec(base);
    if (isPlain && letter !== null && /A-Z|a-z/.test(pattern) && !/\\[wp]/.test(pattern)) {
      const put = base.replace(letter[0], letter[0] === letter[0].toUpperCase() ? 'É' : 'é');
      yield { fault: 'pattern', path, put, keywords: ['pattern'], rank: 1, apart: 'letters' };
    }
    // An address that was filled in means the same in capitals.
    const cases = isPlain ? [base.toLowerCase(), base.toUpperCase()] : [];
    // Who looks for it anywhere finds it behind something else.
    if (isPlain) yield { fault: 'pattern', path, put: `~${base}`, keywords: ['pattern'], rank: 1, apart: 'front' };
    // In several languages `$` lets a line feed pass behind what fits.
    if (isPlain)
      yield {
        fault: 'pattern',
        path,
        put: `${base}\n`,
        keywords: ['pattern'],
        rank: 1,
        apart: 'line-feed',
        trims: ` ${base}`,
      };
    // Who looks at each line by itself is content with one that fits.
    const lines = isPlain ? [`~\n${base}`, `${base}\n~`] : [];
    for (const [at, put] of lines.entries())
      yield { fault: 'pattern', path, put, keywords: ['pattern'], rank: 1, apart: `line ${at}` };
    // Who fears long texts does not look at them.
    const long = Math.min(guardedFrom, typeof maxLength === 'number' ? maxLength : guardedFrom);
    if (long > longEnough)
      yield { fault: 'pattern', path, put: '~'.repeat(long), keywords: ['pattern'], rank: 1, apart: 'long' };
    // Who counts nothing from above takes more of the same; the fewest that are too many.
    const last = base.slice(-1);
    if (isPlain)
      for (const more of repeated)
        yield {
          fault: 'pattern',
          path,
          put: base + last.repeat(more),
          keywords: ['pattern'],
          rank: 2,
          apart: 'longer',
        };
    // An address of another scheme is one that nobody here can read.
    const elsewhere = base.replace(/^https?:/, 'ftp:');
    if (elsewhere !== base)
      yield { fault: 'pattern', path, put: elsewhere, keywords: ['pattern'], rank: 1, apart: 'scheme' };
    for (const put of cases)
      if (put !== base) yield { fault: 'pattern', path, put, keywords: ['pattern'], rank: 1, apart: 'case' };
  }
}
