import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { tryOn } from '../../proofs/matrix/try-on.ts';
import { clauses } from '../../suites/clauses/index.ts';
import { everything } from '../../suites/language/asking.ts';
import { rule } from '../vocabulary.ts';
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

it('in a run, a step that waits asks nothing while another one is alone', async () => {
  const about = { clause: clauses.verifyReports, needs: ['key' as const], without: everything, fix: 'Nothing.' };
  const waiting = rule({
    id: 'verify.waiting',
    ...about,
    waits: 'apart',
    async ask({ verify, sleep: pause }) {
      const before = await verify();
      await pause(100);
      return [before, await verify()];
    },
    judge: () => [],
  });
  const alone = rule({
    id: 'verify.alone',
    ...about,
    alone: true,
    async ask({ verify, sleep: pause }) {
      const before = await verify();
      await pause(300);
      return [before, await verify()];
    },
    judge: () => [],
  });
  const rules = { rules: [waiting, alone], version: 'test', specification: 'test' };
  const run = await tryOn(rules, { name: 'a test', overlays: [] }, { depth: 'quick', seed: 1 });
  const askedBy = (id: string): readonly number[] =>
    run.steps.filter((step) => step.rule === id).flatMap((step) => step.exchanges);
  const [first, last] = askedBy('verify.alone');
  expect(askedBy('verify.waiting')).toHaveLength(2);
  expect(askedBy('verify.waiting').filter((each) => each > first! && each < last!)).toEqual([]);
});
