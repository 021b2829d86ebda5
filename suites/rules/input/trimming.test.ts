/** A service that trims texts, or whose language has another `$`, takes a line feed behind what a pattern ends with: worth a word, no more. */
import { expect, test } from 'vitest';
import type { Exchange } from '../../../src/vocabulary.ts';
import { schemaViolations } from './fields.ts';

const answered = (status: number): Exchange =>
  ({ request: {}, response: { status, headers: [] } }) as unknown as Exchange;
const about = { field: 'code', fault: 'pattern' };

test.each<[string, number, number | null, string[]]>([
  ['refuses both', 422, null, []],
  ['takes the line feed alone', 200, 422, ['warning']],
  ['takes blanks in front as well', 200, 200, ['warning']],
])('who %s', (_, lineFeed, blanks, weights) => {
  const evidence = { exchange: answered(lineFeed), trims: blanks === null ? null : answered(blanks) };
  const reasons = schemaViolations.judge(evidence as never, about as never);
  expect(reasons.map(({ weight }) => weight)).toEqual(weights);
});
