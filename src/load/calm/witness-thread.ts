/**
 * A thread that only waits: if it wakes late, this machine did not run it. It also asks the kernel what the host took, and
 * how much of the machine a service on it takes itself: what that delays is no excuse for us.
 */
import { readFileSync } from 'node:fs';
import { hrtime } from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';
import { cpuSecondsOf, familyOf } from '../watch-processes.ts';
import { type Notice, napMs, type Orders, servedShare, stolenMs, wokenLateMs } from './notice.ts';

const orders = workerData as Orders;
const stop = new Int32Array(orders.stop);
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

const served = (): number =>
  orders.pid === undefined ? 0 : familyOf(orders.pid).reduce((sum, pid) => sum + 1000 * (cpuSecondsOf(pid) ?? 0), 0);

const tell = (what: Notice['what'], fromMs: number, toMs: number): void => {
  parentPort!.postMessage({ what, fromMs, toMs } satisfies Notice);
};

let looked = now();
let before = { stolen: stolen(), served: served() };
while (Atomics.load(stop, 0) === 0) {
  const asleep = now();
  Atomics.wait(stop, 0, 0, napMs);
  const awake = now();
  if (awake - asleep - napMs > wokenLateMs) tell('lost', asleep + napMs, awake);
  if (awake - looked < lookMs) continue;
  const since = { stolen: stolen(), served: served() };
  if (since.stolen - before.stolen >= stolenMs) tell('lost', looked, awake);
  // The machine may have given it less than it asked for.
  if (since.served - before.served >= servedShare * orders.cores * (awake - looked)) tell('served', looked, awake);
  before = since;
  looked = awake;
}
