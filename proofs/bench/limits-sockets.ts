/**
 * Whether the prober is ever wrong with confidence where it matters: over real sockets, on a machine whose cores are all
 * busy with something else. The limiters are in a thread of their own.
 *
 *   node bench/limits-sockets.ts [--seeds 5] [--at-once 10] [--idle]
 */
import { availableParallelism } from 'node:os';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { type Service, serveGate } from '../../fixtures/limiters/serve.ts';
import { identify } from '../../src/limits/probe/identify.ts';
import { socketProbe } from '../../src/limits/survey/sockets/testing.ts';
import { seeded } from '../../src/random.ts';
import { howMany, limiterAt } from './limits-sockets-list.ts';
import { judge, type Outcome, table } from './limits-table.ts';

interface Wanted {
  readonly index: number;
  readonly seed: number;
}

export async function overSockets(seeds: number, atOnce: number, busy: boolean): Promise<Outcome[]> {
  const threads = busy ? Array.from({ length: availableParallelism() }, () => start('busy')) : [];
  const services = start('services');
  const waiting: Wanted[] = [];
  for (let seed = 1; seed <= seeds; seed += 1) {
    for (let index = 0; index < howMany; index += 1) waiting.push({ index, seed });
  }
  const outcomes: Outcome[] = [];
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      outcomes.push(await tryOne(next, await urlOf(services, next)));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  await Promise.all([...threads, services].map((each) => each.terminate()));
  return outcomes;
}

const start = (role: 'busy' | 'services'): Worker => new Worker(new URL(import.meta.url), { workerData: role });

function urlOf(services: Worker, wanted: Wanted): Promise<string> {
  return new Promise((resolve) => {
    const hear = (answer: Wanted & { readonly url: string }): void => {
      if (answer.index !== wanted.index || answer.seed !== wanted.seed) return;
      services.off('message', hear);
      resolve(answer.url);
    };
    services.on('message', hear);
    services.postMessage(wanted);
  });
}

async function tryOne(wanted: Wanted, url: string): Promise<Outcome> {
  const drawn = limiterAt(wanted.index, wanted.seed);
  const probe = socketProbe(url);
  const { model, trace } = await identify(probe, { maxRequests: 2000, maxSeconds: 90 }, seeded(wanted.seed));
  probe.close();
  return { ...judge(drawn, model, trace.length), says: `#${wanted.seed}: ${drawn.says}` };
}

async function serveAll(): Promise<void> {
  const services: Service[] = [];
  parentPort!.on('message', async ({ index, seed }: Wanted) => {
    const { gate, workMs } = limiterAt(index, seed);
    const service = await serveGate(gate, workMs);
    services.push(service);
    parentPort!.postMessage({ index, seed, url: service.url });
  });
}

/** Reads nothing and says nothing: a core is busy with it until the thread is ended. */
function beBusy(): never {
  for (let sum = 0; ; sum += 1) Math.sqrt(sum);
}

async function main(args: readonly string[]): Promise<void> {
  const option = (name: string, otherwise: number): number => {
    const at = args.indexOf(`--${name}`);
    return at < 0 ? otherwise : Number(args[at + 1]);
  };
  const busy = !args.includes('--idle');
  const began = performance.now();
  const outcomes = await overSockets(option('seeds', 5), option('at-once', 10), busy);
  const say = (line: string): boolean => process.stdout.write(`${line}\n`);
  for (const { kind, says, requests, notes } of outcomes) {
    if (notes.length > 0) say(`${kind} [${says}] ${requests} calls: ${notes.join('; ')}`);
  }
  say(table(outcomes));
  const wrong = outcomes.filter(({ is }) => is === 'wrong').length;
  const under = busy ? `${availableParallelism()} cores busy with something else` : 'an idle machine';
  say(`${outcomes.length} over real sockets, ${under}: ${wrong} confident and wrong`);
  say(`${((performance.now() - began) / 1000).toFixed(0)} s`);
  if (wrong > 0) process.exitCode = 1;
}

if (!isMainThread && workerData === 'busy') beBusy();
else if (!isMainThread && workerData === 'services') await serveAll();
else if (isMainThread && import.meta.main) await main(process.argv.slice(2));
