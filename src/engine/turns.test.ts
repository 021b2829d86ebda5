import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { Turns } from './turns.ts';

it('a step that is alone waits for whoever asks, and whoever waited asks after it', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  await turns.enter();
  seen.push('asks');
  const alone = turns.alone(async () => {
    seen.push('alone');
    await sleep(5);
    seen.push('not alone any more');
  });
  await sleep(5);
  seen.push('still asks');
  turns.leave();
  // What it waited for comes while the other one is alone.
  await turns.enter();
  seen.push('asks again');
  turns.leave();
  await alone;
  expect(seen).toEqual(['asks', 'still asks', 'alone', 'not alone any more', 'asks again']);
});

it('two that must be alone are so one after the other, also if the first one fails', async () => {
  const turns = new Turns();
  const seen: string[] = [];
  const first = turns.alone(async () => {
    await sleep(5);
    seen.push('first');
    throw new Error('failed');
  });
  const second = turns.alone(async () => {
    seen.push('second');
  });
  await expect(first).rejects.toThrow('failed');
  await second;
  await turns.enter();
  expect(seen).toEqual(['first', 'second']);
});
