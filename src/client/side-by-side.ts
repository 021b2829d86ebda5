/**
 * Many starts at once. Most of what takes long is waiting, which costs nothing: the starts that wait longest begin first, on most of
 * the workers, while the others take what does not wait. A worker without work of its own takes what is left.
 */
import type { Situation } from '../model/client.ts';
import type { TrialPlan } from '../verdict/client-plan.ts';

type One = (plan: TrialPlan) => Promise<void>;

/** What is expected to take longer than this waits for most of it. */
const briskMs = 400;
/** Of all workers, the part that takes what does not wait; and the part that may be starting up at once, which keeps a processor busy. */
const briskShare = 4;

export async function sideBySide(
  plans: readonly TrialPlan[],
  concurrency: number,
  one: One,
  signal: AbortSignal | undefined,
): Promise<void> {
  const jobs = jobsOf(plans)
    .map((job) => ({ job, ms: job.reduce((sum, plan) => sum + expectedMs(plan), 0) }))
    // What takes longest begins first, or the end of the run waits for it alone.
    .sort((a, b) => b.ms - a.ms);
  const patient = jobs.filter(({ ms }) => ms > briskMs);
  const brisk = jobs.filter(({ ms }) => ms <= briskMs);
  const worker = async (...lanes: readonly (typeof jobs)[]): Promise<void> => {
    for (;;) {
      const next = lanes.find((lane) => lane.length > 0)?.shift();
      if (next === undefined) return;
      for (const plan of next.job) if (!signal?.aborted) await one(plan);
    }
  };
  const workers = Math.max(1, concurrency);
  await Promise.all(
    Array.from({ length: workers }, (_, at) =>
      at % briskShare === 0 ? worker(brisk, patient) : worker(patient, brisk),
    ),
  );
}

export async function atOnce(plans: readonly TrialPlan[], one: One, signal: AbortSignal | undefined): Promise<void> {
  await Promise.all(plans.map((plan) => (signal?.aborted ? undefined : one(plan))));
}

/** What must follow upon something is one job with it. */
function jobsOf(plans: readonly TrialPlan[]): TrialPlan[][] {
  const jobs: TrialPlan[][] = [];
  for (const plan of plans) {
    const { after } = plan.situation;
    const job = after === undefined ? undefined : jobs.findLast((each) => each.at(-1)?.situation.name === after);
    if (job === undefined) jobs.push([plan]);
    else job.push(plan);
  }
  return jobs;
}

/** How long a correct client waits. */
function expectedMs({ situation, deviations = [] }: TrialPlan): number {
  return (situation.watchedMs ?? waitsIn(situation)) + (deviations.includes('repeated') ? 1000 : 0);
}

/** A failure that is repeated, and a wait that nobody would wait out. */
const afterFailureMs = 500;
const longestMs = 60_000;

const waitsIn = ({ answers }: Situation): number =>
  answers({ items: [], decoys: [], elsewhere: '', inAnHour: '' }).reduce(
    (sum, { status, headers = [], afterMs = 0 }) => {
      const told = Number(headers.find(([name]) => name.toLowerCase() === 'retry-after')?.[1]) * 1000;
      const wait = told > 0 && told <= longestMs ? told : status === 429 || status >= 500 ? afterFailureMs : 0;
      return sum + wait + afterMs;
    },
    0,
  );

export interface Gate {
  /** Resolves when there is room; what it gives makes room again. */
  enter(): Promise<() => void>;
}

/** Programs that start up keep the processors busy, some for a second: only so many at once. */
export function gateFor(concurrency: number): Gate {
  let room = Math.max(1, Math.ceil(concurrency / briskShare));
  const waiting: (() => void)[] = [];
  return {
    async enter() {
      if (room > 0) room -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
      let done = false;
      return () => {
        if (done) return;
        done = true;
        const next = waiting.shift();
        if (next === undefined) room += 1;
        else next();
      };
    },
  };
}
