import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { freePort, isFree, isTaken } from './ports.ts';

it('finds ports below those of outgoing connections, and tells whether one is free', async () => {
  const port = await freePort();
  expect(port).toBeGreaterThanOrEqual(20_000);
  expect(port).toBeLessThan(32_768);
  expect(await isFree(port)).toBe(true);
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  expect([await isFree(taken), await isTaken(taken)]).toEqual([false, true]);
  await new Promise((resolve) => server.close(resolve));
  expect([await isFree(taken), await isTaken(taken)]).toEqual([true, false]);
});
