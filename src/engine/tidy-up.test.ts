/** What a run made it removes as a program would that calls now and then: nobody knows the end of a check by its connection. */
import { expect, it } from 'vitest';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue } from '../../suites/index.ts';

it('removes its keys over several connections, each of a dozen calls or so', async () => {
  const rules = catalogue.filter(({ id }) => id.startsWith('admin.') || id.startsWith('access.'));
  const run = await tryOn(
    { rules, version: 'test', specification: 'test' },
    { name: 'a test', overlays: [] },
    { depth: 'quick', seed: 1 },
  );
  const removals = [...run.exchanges.values()].filter(({ purpose }) => purpose === 'cleanup');
  const uses = [...Map.groupBy(removals, ({ connection }) => connection.number).values()].map((each) => each.length);
  expect(removals.length).toBeGreaterThan(40);
  expect(Math.max(...uses)).toBeLessThanOrEqual(14);
  expect(uses.length).toBeLessThan(removals.length / 5);
});
