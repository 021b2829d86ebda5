/** Starts the witness, and puts what it tells on our clock. */
import { hrtime } from 'node:process';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../clock.ts';
import type { Notice } from './notice.ts';

/** Returns what ends it: afterwards everything has been told. Undefined: this machine has no thread to spare. */
export type Witness = (
  lose: (fromMs: number, toMs: number) => void,
  clock: Clock,
) => Promise<(() => Promise<void>) | undefined>;

export const startWitness: Witness = async (lose, clock) => {
  const stop = new SharedArrayBuffer(4);
  const file = import.meta.url.endsWith('.ts') ? './witness-thread.ts' : './witness-thread.js';
  const worker = new Worker(new URL(file, import.meta.url), { workerData: stop, execArgv: [] });
  worker.unref();
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  const ahead = Number(hrtime.bigint()) / 1e6 - clock.now();
  worker.on('message', ({ fromMs, toMs }: Notice) => lose(fromMs - ahead, toMs - ahead));
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
