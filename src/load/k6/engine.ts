/** k6 as an engine: one process, or several that share the slots among them. */
import { secondsOf } from '../../../load/shared/phases.ts';
import type { Engine, Generated, Generating } from '../engine.ts';
import type { LoadPlan } from '../plan.ts';
import { familyOf, type Watch, watchProcesses } from '../watch-processes.ts';
import { freePort, startTogether } from './control.ts';
import { failureOf } from './ending.ts';
import type { Found } from './find.ts';
import { makeFolder } from './folder.ts';
import { type K6Process, scriptOf, startK6 } from './start.ts';

/** Beyond the schedule and the longest answer: what is not over then hangs. */
const graceMs = 20_000;
/** How long k6 may take to end by itself after a signal. */
const stopMs = 700;

/** `root` is the folder that `load/` lies in; `path` is PATH, for a k6 that is wrapped in a script. */
export function k6Engine(found: Found, root: string, path?: string): Engine {
  let running: readonly K6Process[] = [];
  return {
    name: 'k6',
    version: found.version,
    model: 'open',
    ...(found.warning === undefined ? {} : { warning: found.warning }),
    kill: () => {
      for (const each of running) each.kill();
    },
    async generate(plan, generating) {
      const folder = makeFolder(plan);
      try {
        const ports = plan.workers === 1 ? [] : await Promise.all(Array.from({ length: plan.workers }, freePort));
        let first = true;
        const start = { at: generating.clock.now() };
        running = Array.from({ length: plan.workers }, (_, number) => {
          const port = ports[number];
          const part = { number, of: plan.workers, ...(port === undefined ? {} : { port }) };
          const how = {
            ...(plan.addresses === undefined ? {} : { addresses: plan.addresses.ranges }),
            ...(path === undefined ? {} : { path }),
          };
          return startK6(found, scriptOf(plan.scenario, root), folder, part, how, (sample) => {
            // All parts have read the keys before any begins.
            if (first) {
              folder.forget();
              start.at = generating.clock.now();
              generating.onStart?.();
            }
            first = false;
            generating.onSample(number, sample);
          });
        });
        return await watched(running, ports, start, plan, generating);
      } finally {
        for (const each of running) each.kill();
        running = [];
        folder.remove();
      }
    },
  };
}

async function watched(
  running: readonly K6Process[],
  ports: readonly number[],
  start: { readonly at: number },
  plan: LoadPlan,
  { clock, signal }: Generating,
): Promise<Generated> {
  let hung = false;
  const begins = Math.min(...plan.phases.map(({ measuredFrom }) => measuredFrom));
  const at = (): number => (clock.now() - start.at) / 1000 - begins;
  const watch = watchProcesses(() => running.flatMap(({ pid }) => pid ?? []), clock, at);
  const { targetPid } = plan;
  const service: Watch | undefined =
    targetPid === undefined ? undefined : watchProcesses(() => familyOf(targetPid), clock, at);
  const cancels: (() => void)[] = [];
  const kill = (): void => {
    for (const each of running) each.kill();
  };
  const stop = (): void => {
    for (const each of running) each.stop();
    cancels.push(clock.later(stopMs, kill));
  };
  cancels.push(
    clock.later(secondsOf(plan.phases) * 1000 + plan.timeoutMs + graceMs, () => {
      hung = true;
      kill();
    }),
  );
  if (signal.aborted) stop();
  signal.addEventListener('abort', stop, { once: true });
  const together = new AbortController();
  try {
    const all = Promise.all(running.map(({ ended }) => ended));
    // A part that ends before it was started would be waited for for ever.
    void Promise.race(running.map(({ ended }) => ended)).then(() => together.abort());
    if (ports.length > 0)
      await startTogether(ports, clock, AbortSignal.any([signal, together.signal])).catch(() => undefined);
    const endings = await all;
    const interrupted = signal.aborted;
    const notes = running.flatMap((each) => each.notes);
    const failures = endings.flatMap((ending, number) => failureOf(ending, running[number]!.notes) ?? []);
    const failure = hung ? 'k6 hung: it was still running long after its end was due' : failures[0];
    return {
      ...(failure === undefined || interrupted ? {} : { failure }),
      process: watch.stop(),
      ...(service === undefined ? {} : { service: service.stop() }),
      interrupted,
      notes,
    };
  } finally {
    signal.removeEventListener('abort', stop);
    for (const cancel of cancels) cancel();
    watch.stop();
    service?.stop();
  }
}
