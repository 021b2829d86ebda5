/** Whether fields that a schema does not list are refused is left open: a warning where the schema itself forbids them. */
import { expect, test } from 'vitest';
import { blindTo, isOf } from '../../../fixtures/faults/inputs-violations.ts';
import { tryOn } from '../../../proofs/matrix/try-on.ts';
import { catalogue, rulesVersion } from '../../index.ts';

test.each([
  ['additionalProperties', 'warn'],
  ['enum', 'fail'],
])('an input against %s that is taken: %s', async (keyword, verdict) => {
  const asking = {
    rules: catalogue.filter(({ id }) => id === 'input.schema-violations'),
    version: rulesVersion,
    specification: 'none',
  };
  const lying = { name: 'taking', overlays: [blindTo(isOf(keyword))] };
  const { findings } = await tryOn(asking, lying, { depth: 'quick', seed: 1 });
  expect(findings.map((each) => each.verdict)).toEqual([verdict]);
});
