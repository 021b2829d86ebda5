/** A service that gives one key out for two requests: that is what it is accused of, by the name of the first. */
import { expect, it } from 'vitest';
import type { Overlay } from '../../fixtures/service/index.ts';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue } from '../../suites/index.ts';

const everySecondAgain: Overlay = (base) => {
  let before: string | undefined;
  return {
    createdBody: (call, record, key) => {
      const body = { ...(base.createdBody(call, record, key) as object), key: before ?? key };
      before = before === undefined ? key : undefined;
      return body;
    },
  };
};

it.each([
  ['each key once', [], 'pass'],
  ['each key twice', [everySecondAgain], 'fail'],
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
