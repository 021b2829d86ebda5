import { expect, it } from 'vitest';
import { inThreads } from './threads.ts';

const program = (does: string): URL => {
  const threads = JSON.stringify(new URL('./threads.ts', import.meta.url).href);
  return new URL(`data:text/javascript,${encodeURIComponent(`import { answerJobs } from ${threads}; ${does}`)}`);
};

it('gives the answers in the order of the jobs, whichever is done first', async () => {
  const slowFirst = program('answerJobs((ms) => new Promise((done) => setTimeout(() => done(ms * 2), ms)))');
  expect(await inThreads(slowFirst, [40, 1, 20, 2, 0])).toEqual([80, 2, 40, 4, 0]);
});

it('starts no thread for nothing', async () => {
  expect(await inThreads(new URL('file:///there-is-no-such-program'), [])).toEqual([]);
});

it('fails with the error of a job', async () => {
  const failing = program('answerJobs(async (job) => { if (job === 2) throw new Error(`job ${job}`); return job; })');
  await expect(inThreads(failing, [1, 2, 3])).rejects.toThrow('job 2');
});

it('fails where a thread ends without an answer', async () => {
  await expect(inThreads(program('answerJobs(async () => process.exit(3))'), [1])).rejects.toThrow('ended with 3');
});
