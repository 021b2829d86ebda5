/** autocannon as an engine: a closed loop, for what needs no schedule and no k6. */
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import { Secret } from '../../model/secret.ts';
import type { Engine, Generated, Generating } from '../engine.ts';
import { MissingTool } from '../missing-tool.ts';
import type { LoadPlan } from '../plan.ts';
import { familyOf, lookAt, type Watch, watchProcesses } from '../watch-processes.ts';
import { type Batch, fieldsOfSample, type Orders } from './orders.ts';

/** `pid` is our own: the thread's memory is a part of ours. */
export function autocannonEngine(pid: number): Engine {
  let worker: Worker | undefined;
  const version = autocannonVersion();
  if (version === undefined)
    throw new MissingTool('autocannon', 'autocannon is not installed: npm install autocannon@9');
  return {
    name: 'autocannon',
    version,
    model: 'closed',
    kill: () => void worker?.terminate(),
    async generate(plan, generating) {
      const file = import.meta.url.endsWith('.ts') ? './worker.ts' : './worker.js';
      worker = new Worker(new URL(file, import.meta.url), { workerData: ordersOf(plan), execArgv: [] });
      try {
        return await watched(worker, pid, plan, generating);
      } finally {
        await worker.terminate();
        worker = undefined;
      }
    },
  };
}

/** Undefined: it is not installed; it is optional. */
export function autocannonVersion(): string | undefined {
  try {
    const { version } = createRequire(import.meta.url)('autocannon/package.json') as { version: string };
    return version;
  } catch {
    return undefined;
  }
}

function ordersOf(plan: LoadPlan): Orders {
  const { origin, pathname } = new URL(plan.target);
  const run = plan.operations.find(({ kind }) => kind === 'run')!;
  return {
    origin,
    base: pathname.replace(/\/$/, ''),
    actor: run.actor,
    input: run.input,
    keys: plan.keys.map((key) => Secret.reveal(key)),
    headers: Object.fromEntries(plan.headers.map(([name, value]) => [name, Secret.reveal(value)])),
    connections: plan.connections ?? 1,
    seconds: plan.settings.warmUpSeconds + plan.settings.seconds,
    timeoutMs: plan.timeoutMs,
    seed: plan.seed,
  };
}

/** How long at least those stalls were that together make up this share of the time; 0 where all of them don't. */
export function stalledInWorst(share: number, stalls: readonly number[], totalMs: number): number {
  let spent = 0;
  for (const ms of stalls.toSorted((a, b) => b - a)) {
    spent += ms;
    if (spent > share * totalMs) return ms;
  }
  return 0;
}

const graceMs = 20_000;
const stopMs = 700;

async function watched(worker: Worker, pid: number, plan: LoadPlan, generating: Generating): Promise<Generated> {
  const { clock, signal, onSample, onStart } = generating;
  const notes: string[] = [];
  const samples: { at: number; cpuCores: number; rssBytes: number }[] = [];
  const stood: number[] = [];
  let zero: number | undefined;
  let failure: string | undefined;
  const cancels: (() => void)[] = [];
  const begun = clock.now();
  const at = (): number => (clock.now() - begun) / 1000 - plan.settings.warmUpSeconds;
  const { targetPid } = plan;
  const service: Watch | undefined =
    targetPid === undefined ? undefined : watchProcesses(() => familyOf(targetPid), clock, at);
  const stop = (): void => {
    worker.postMessage('stop');
    cancels.push(clock.later(stopMs, () => void worker.terminate()));
  };
  try {
    await new Promise<void>((resolve) => {
      worker.on('message', ({ samples: numbers, wrongs, stalls, busy, failure: why }: Batch) => {
        stood.push(...stalls);
        failure ??= why;
        samples.push({ at: at(), cpuCores: busy, rssBytes: lookAt(pid)?.rssBytes ?? 0 });
        const said = [...wrongs];
        for (let from = 0; from < numbers.length; from += fieldsOfSample) {
          const [beganMs, tookMs, status, code, look] = numbers.subarray(
            from,
            from + fieldsOfSample,
          ) as unknown as number[];
          if (zero === undefined) onStart?.();
          zero ??= beganMs!;
          const wrong = look === 2 ? said.shift() : undefined;
          // Without a schedule, a slot is the millisecond in which it was sent.
          const slot = Math.max(0, Math.floor(beganMs! - zero));
          onSample(0, {
            phase: 0,
            operation: 0,
            slot,
            beganMs: slot,
            tookMs: tookMs!,
            status: status!,
            checked: look! > 0,
            ...(code! > 0 ? { failure: String(code) } : {}),
            ...(wrong === undefined ? {} : { wrong }),
          });
        }
      });
      worker.on('error', (error) => {
        failure = `autocannon failed: ${error instanceof Error ? error.message : String(error)}`;
        resolve();
      });
      worker.on('exit', () => resolve());
      if (signal.aborted) stop();
      signal.addEventListener('abort', stop, { once: true });
      const { warmUpSeconds, seconds } = plan.settings;
      cancels.push(
        clock.later((warmUpSeconds + seconds) * 1000 + plan.timeoutMs + graceMs, () => {
          failure = 'autocannon hung: it was still running long after its end was due';
          void worker.terminate();
        }),
      );
    });
    const cpuSeconds = samples.reduce(
      (sum, { at: now, cpuCores }, n) => sum + cpuCores * (now - (samples[n - 1]?.at ?? now)),
      0,
    );
    return {
      ...(failure === undefined || signal.aborted ? {} : { failure }),
      process: { cpuSeconds, samples },
      // One thread: more than a core it cannot use.
      cores: 1,
      stalledMs: stalledInWorst(0.01, stood, clock.now() - begun),
      ...(service === undefined ? {} : { service: service.stop() }),
      interrupted: signal.aborted,
      notes,
    };
  } finally {
    signal.removeEventListener('abort', stop);
    for (const cancel of cancels) cancel();
    service?.stop();
  }
}
