import { expect, test } from 'vitest';
import { VirtualClock } from '../../proofs/matrix/virtual-clock.ts';
import { Waiting } from './waiting.ts';

test('what waits side by side counts once, what waits in turn is summed, and a failure ends a wait too', async () => {
  const clock = new VirtualClock();
  const waiting = new Waiting(clock);
  await Promise.all([waiting.during(clock.sleep(300)), waiting.during(clock.sleep(200))]);
  expect(waiting.ms).toBe(300);
  await clock.sleep(1000);
  expect(waiting.ms).toBe(300);
  const failing = clock.sleep(50).then(() => {
    throw new Error('cut off');
  });
  await expect(waiting.during(failing)).rejects.toThrow('cut off');
  expect(waiting.ms).toBe(350);
});

test('a wait that still lasts counts already', async () => {
  const clock = new VirtualClock();
  const waiting = new Waiting(clock);
  const lasting = waiting.during(clock.sleep(500));
  await clock.sleep(100);
  expect(waiting.ms).toBe(100);
  await lasting;
  expect(waiting.ms).toBe(500);
});
