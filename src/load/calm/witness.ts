/** Starts the witness, and converts its times to our clock. */
import { hrtime } from 'node:process';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../clock.ts';
import { isLoopback } from '../allowed.ts';
import { coresAllowed } from '../machine.ts';
import type { LoadPlan } from '../plan.ts';
import { listenerAt } from './listener.ts';
import type { Notice, Orders } from './notice.ts';

export type Tell = (notice: Notice) => void;

/**
 * Returns a function that ends it, after which every report has arrived. Undefined if the cause of lost time would be unknown, because
 * the service is on this machine and not to be seen.
 */
export type Witness = (
  plan: Pick<LoadPlan, 'target' | 'targetPid'>,
  clock: Clock,
  tell: Tell,
) => Promise<(() => Promise<void>) | undefined>;

export const startWitness: Witness = async ({ target, targetPid }, clock, tell) => {
  const { hostname, port, protocol } = new URL(target);
  const near = isLoopback(hostname);
  const pid = targetPid ?? (near ? listenerAt(Number(port || (protocol === 'https:' ? 443 : 80))) : undefined);
  if (near && pid === undefined) return undefined;
  const stop = new SharedArrayBuffer(4);
  const orders: Orders = { stop, cores: coresAllowed(), ...(pid === undefined ? {} : { pid }) };
  const file = import.meta.url.endsWith('.ts') ? './witness-thread.ts' : './witness-thread.js';
  const worker = new Worker(new URL(file, import.meta.url), { workerData: orders, execArgv: [] });
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const ahead = Number(hrtime.bigint()) / 1e6 - clock.now();
  worker.on('message', ({ what, fromMs, toMs }: Notice) => tell({ what, fromMs: fromMs - ahead, toMs: toMs - ahead }));
  const isThere = await new Promise<boolean>((resolve) => {
    worker.on('error', () => resolve(false));
    worker.once('online', () => resolve(true));
  });
  if (!isThere) return undefined;
  return async () => {
    Atomics.store(new Int32Array(stop), 0, 1);
    Atomics.notify(new Int32Array(stop), 0);
    worker.ref();
    await ended;
  };
};
