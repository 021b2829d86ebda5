/** A thread that only waits: who is woken late was not run by this machine, whatever a service does. It also asks the kernel what the host took. */
import { readFileSync } from 'node:fs';
import { hrtime } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { type Notice, napMs, stolenMs, wokenLateMs } from './notice.ts';

const stop = new Int32Array(workerData as SharedArrayBuffer);
const now = (): number => Number(hrtime.bigint()) / 1e6;
const lookMs = 100;
const tickMs = 10;

/** Of all processors since the start; the eighth number of the first line. Where the system says nothing, nothing was taken. */
function stolen(): number {
  try {
    return Number(readFileSync('/proc/stat', 'latin1').split('\n', 1)[0]!.split(/ +/)[8] ?? 0) * tickMs;
  } catch {
    return 0;
  }
}

const tell = (notice: Notice): void => parentPort!.postMessage(notice);

let looked = now();
let before = stolen();
while (Atomics.load(stop, 0) === 0) {
  const asleep = now();
  Atomics.wait(stop, 0, 0, napMs);
  const awake = now();
  if (awake - asleep - napMs > wokenLateMs) tell({ fromMs: asleep + napMs, toMs: awake });
  if (awake - looked < lookMs) continue;
  const since = stolen();
  if (since - before >= stolenMs) tell({ fromMs: looked, toMs: awake });
  before = since;
  looked = awake;
}
