/** Work on all cores: each thread takes the next job when it is done with its last. */
import { availableParallelism } from 'node:os';
import { parentPort, Worker } from 'node:worker_threads';

/** The answers of a program that calls `answerJobs`, in the order of the jobs. */
export async function inThreads<Job, Answer>(program: URL, jobs: readonly Job[]): Promise<Answer[]> {
  const answers = new Map<number, Answer>();
  let next = 0;
  const lane = async (): Promise<void> => {
    // Nearly all that is made here is short-lived.
    const thread = new Worker(program, { resourceLimits: { maxYoungGenerationSizeMb: 96 } });
    try {
      for (let at = next++; at < jobs.length; at = next++) answers.set(at, await answerOf<Answer>(thread, jobs[at]));
    } catch (error) {
      // The others end with what they are at.
      next = jobs.length;
      throw error;
    } finally {
      await thread.terminate();
    }
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), jobs.length) }, lane));
  return jobs.map((_, at) => answers.get(at)!);
}

function answerOf<Answer>(thread: Worker, job: unknown): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = (code: number): void => reject(new Error(`a thread ended with ${code} and without an answer`));
    const heard = (answer: Answer): void => {
      thread.off('error', reject).off('exit', ended);
      resolve(answer);
    };
    thread.once('message', heard).once('error', reject).once('exit', ended);
    thread.postMessage(job);
  });
}

/** In the thread. What it throws ends the whole. */
export function answerJobs<Job, Answer>(work: (job: Job) => Promise<Answer>): void {
  parentPort?.on('message', async (job: Job) => parentPort?.postMessage(await work(job)));
}
