import { expect, it } from 'vitest';
import { gate, noLimit, slidingLog, tokenBucket } from '../../../fixtures/limiters/index.ts';
import { seeded } from '../../random.ts';
import { describe as inWords, summary } from '../model/describe.ts';
import { draw } from '../model/draw.ts';
import { identify } from './identify.ts';
import { virtualProbe } from './testing.ts';

const budget = { maxRequests: 1000, maxSeconds: 600 };

it('says what was found and how', async () => {
  const { model, trace } = await identify(virtualProbe({ gate: gate(slidingLog(20, 4000)) }), budget, seeded(1));
  expect(summary(model)).toBe('sliding log: 20 calls in 4 s');
  const text = inWords(model).join('\n');
  expect(text).toContain('Identified: replayed over all');
  expect(text).toContain('it explains 100.0 %');
  expect(text).toMatch(/Window 4 s.*: from the time from the first calls of a burst/);
  expect(text).toContain('Calls were usually admitted at the time that Retry-After said, to the second.');
  expect(draw(trace)).toMatch(/admitted │.*│ \d+\n {2}refused {2}│/);
});

it('says that no limit was met, and what that is worth', async () => {
  const { model } = await identify(virtualProbe({ gate: gate(noLimit) }), budget);
  expect(summary(model)).toMatch(/^none met: at least 1000 calls in \d+ ms are admitted$/);
});

it('draws a bucket as a burst and a trickle', async () => {
  const { trace } = await identify(virtualProbe({ gate: gate(tokenBucket(20, 4)) }), budget, seeded(1));
  const lines = draw(trace, 40).split('\n');
  expect(Math.max(...lines.map((line) => line.length))).toBeLessThan(70);
  expect(draw([])).toBe('nothing was asked');
});
