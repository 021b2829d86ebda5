/** A service that refuses everything keeps no promise by it: what was never served was never looked at. */
import { expect, test } from 'vitest';
import type { Overlay } from '../../fixtures/service/index.ts';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import type { Exchange, Waits } from '../../src/vocabulary.ts';
import { catalogue, rulesVersion } from '../index.ts';
import { isWaitedOut } from './limit/waiting.ts';

const asking = {
  rules: catalogue.filter(({ id }) => id === 'run.empty-result'),
  version: rulesVersion,
  specification: 'none',
};

const answering =
  (status: number): Overlay =>
  (base) => ({ finish: (call, response) => ({ ...base.finish(call, response), status }) });

test.each([
  [200, 'fail'],
  [303, 'inconclusive'],
  [418, 'untested'],
  [500, 'untested'],
  [999, 'inconclusive'],
])('%s to everything, and run.empty-result: %s', async (status, verdict) => {
  const overlays = [
    answering(status),
    (base) => ({ runBody: (call, outcome) => (status === 200 ? {} : base.runBody(call, outcome)) }),
  ] satisfies Overlay[];
  const run = await tryOn(asking, { name: 'refusing', overlays }, { depth: 'quick', seed: 1 });
  expect(run.findings.map((each) => each.verdict)).toEqual([verdict]);
});

test('waits that never helped, none of them after a rest, say nothing', () => {
  const trial = (status: number, rested: boolean) => ({
    answer: { response: { status } } as Exchange,
    why: null,
    rested,
  });
  const waits = (...trials: ReturnType<typeof trial>[]) => ({ trials, planned: trials.length }) as unknown as Waits;
  expect(isWaitedOut(waits(trial(429, false), trial(429, false)))).toMatchObject({
    inconclusive: expect.stringContaining('no wait helped'),
  });
  for (const useful of [waits(trial(429, false), trial(200, false)), waits(trial(429, false), trial(429, true))])
    expect(isWaitedOut(useful)).toBeUndefined();
});
