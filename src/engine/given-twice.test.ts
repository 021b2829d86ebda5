/** A service that gives one key out for several requests: that is what it is accused of, by the name of the first. */
import { expect, it } from 'vitest';
import type { Overlay } from '../../fixtures/service/index.ts';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue } from '../../suites/index.ts';

/** The run has made a key of its own before the rule makes two. */
const threeTimes: Overlay = (base) => {
  const given: string[] = [];
  return {
    createdBody: (call, record, key) => {
      given.push(given.length % 3 === 0 ? key : given.at(-1)!);
      return { ...(base.createdBody(call, record, key) as object), key: given.at(-1) };
    },
  };
};

it.each([
  ['each key once', [], 'pass'],
  ['each key three times', [threeTimes], 'fail'],
] as const)('%s', async (_, overlays, verdict) => {
  const rules = {
    rules: catalogue.filter(({ id }) => id === 'admin.keys-are-distinct'),
    version: 'test',
    specification: 'test',
  };
  const run = await tryOn(rules, { name: 'a test', overlays }, { depth: 'quick', seed: 1 });
  expect(run.findings[0]?.verdict).toBe(verdict);
  if (verdict === 'fail')
    expect(run.findings[0]?.reasons[0]).toMatchObject({
      expected: 'nothing of the key created before',
      came: expect.stringMatching(/^«created-\d+» in it$/),
    });
});
