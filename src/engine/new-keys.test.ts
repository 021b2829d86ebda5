/** Keys that a service accepts a while after it made them: it is accused of nothing, and the run says what that cost. */
import { expect, it } from 'vitest';
import type { KeyRecord, Overlay } from '../../fixtures/service/index.ts';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue } from '../../suites/index.ts';

const acceptedAfter =
  (ms: number): Overlay =>
  (base, { clock }) => {
    const made = new WeakMap<KeyRecord, number>();
    return {
      createdBody: (call, record, key) => {
        made.set(record, clock.now());
        return base.createdBody(call, record, key);
      },
      recogniseKey: (call, presented) => {
        const record = base.recogniseKey(call, presented);
        const since = record === undefined ? undefined : made.get(record);
        return since !== undefined && clock.now() - since < ms ? undefined : record;
      },
    };
  };

it.each([
  ['soon', 0, []],
  [
    'a while later',
    350,
    [
      expect.stringMatching(
        /^New keys take a while to be accepted: \d+ were made, and each was first used 0\.8 s later\.$/,
      ),
    ],
  ],
] as const)('%s', async (_, ms, remarks) => {
  const rules = catalogue.filter(({ id }) => id.startsWith('admin.') || id.startsWith('verify.'));
  const run = await tryOn(
    { rules, version: 'test', specification: 'test' },
    { name: 'a test', overlays: [acceptedAfter(ms)] },
    { depth: 'quick', seed: 1 },
  );
  const bad = run.findings.filter(({ verdict }) => ['fail', 'warn', 'inconclusive', 'error'].includes(verdict));
  expect(bad.map(({ rule, because, reasons }) => [rule, because, reasons[0]])).toEqual([]);
  expect(run.footer?.remarks).toEqual(remarks);
});
