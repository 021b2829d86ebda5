/**
 * autocannon in a thread of its own: as many requests at once as there are connections, each waiting for the answer before
 * it. Its rate and its correction of latencies are not used, because both are wrong; nor its histogram, which has whole
 * milliseconds. The one owner of autocannon.
 */
import { performance } from 'node:perf_hooks';
import { parentPort, workerData } from 'node:worker_threads';
import autocannon from 'autocannon';
import { wrongIn } from '../../../load/shared/answers.ts';
import { drawn, nonceOf } from '../../../load/shared/chance.ts';
import { type Batch, fieldsOfSample, type Orders } from './orders.ts';

const orders = workerData as Orders;
const postMs = 200;
/** Connections that fail are opened again at once, without a pause: somebody has to stop that. */
const mostErrors = 200;
const checkedShare = 0.02;

const path = `${orders.base}/v1/actors/${encodeURIComponent(orders.actor)}/run-sync-get-dataset-items`;
const echoes = orders.input.includes('{{nonce}}');
let numbers: number[] = [];
let wrongs: string[] = [];
let stalls: number[] = [];
let made = 0;
let answered = 0;
let lost = 0;
let errors = 0;
let gaveUp: string | undefined;
let verdict: { readonly checked: boolean; readonly wrong?: string } = { checked: false };
let utilisation = performance.eventLoopUtilization();

const post = (): void => {
  const now = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(now, utilisation);
  utilisation = now;
  const failure = gaveUp === undefined ? {} : { failure: gaveUp };
  const batch: Batch = { samples: Float64Array.from(numbers), wrongs, stalls, busy: utilization, ...failure };
  parentPort!.postMessage(batch);
  numbers = [];
  wrongs = [];
  stalls = [];
};

const add = (beganMs: number, tookMs: number, status: number, failure: number): void => {
  const { checked, wrong } = verdict;
  verdict = { checked: false };
  if (wrong !== undefined) wrongs.push(wrong);
  numbers.push(beganMs, tookMs, status, failure, wrong !== undefined ? 2 : checked ? 1 : 0);
  if (numbers.length >= fieldsOfSample * 20_000) post();
};

const isPacked = (headers: object): boolean =>
  Object.entries(headers).some(([name, value]) => name.toLowerCase() === 'content-encoding' && value !== 'identity');

const instance = autocannon(
  {
    url: orders.origin,
    connections: orders.connections,
    duration: orders.seconds,
    timeout: Math.ceil(orders.timeoutMs / 1000),
    pipelining: 1,
    bailout: mostErrors,
    excludeErrorStats: true,
    requests: [
      {
        method: 'POST',
        path,
        setupRequest: (request, context) => {
          const slot = made;
          made += 1;
          const nonce = echoes ? nonceOf(orders.seed, 0, slot) : undefined;
          Object.assign(context, { nonce, checked: drawn(orders.seed + 1, slot) < checkedShare });
          const key = orders.keys[slot % orders.keys.length]!;
          return {
            ...request,
            headers: { ...orders.headers, 'Content-Type': 'application/json', 'X-API-Key': key },
            body: nonce === undefined ? orders.input : orders.input.replaceAll('{{nonce}}', nonce),
          };
        },
        onResponse: (status, body, context, headers) => {
          const { nonce, checked } = context as { nonce?: string; checked?: boolean };
          // It shows a body as text, in which what is packed is lost.
          if (checked !== true || status < 200 || status > 299 || isPacked(headers ?? {})) return;
          const wrong = wrongIn(body, nonce);
          verdict = { checked: true, ...(wrong === undefined ? {} : { wrong }) };
        },
      },
    ],
  },
  () => {
    clearInterval(timer);
    clearInterval(ticking);
    post();
    parentPort!.close();
  },
);

/** Requests on a connection that the service closes are forgotten by autocannon, and a new connection is opened at once. */
const countLost = (): void => {
  const missing = made - answered - orders.connections;
  for (; lost < missing; lost += 1) add(performance.now(), 0, 0, 1220);
  if (lost <= mostErrors || gaveUp !== undefined) return;
  gaveUp = 'the service closed connections instead of answering, again and again';
  stop();
};

/** A loop that wakes up later than it asked for has stood still for the rest, and nothing was sent meanwhile. */
const tickMs = 20;
let ticked = performance.now();
const ticking = setInterval(() => {
  const now = performance.now();
  if (now - ticked > 2 * tickMs) stalls.push(now - ticked - tickMs);
  ticked = now;
}, tickMs);

const timer = setInterval(() => {
  countLost();
  post();
}, postMs);

const stop = (): void => (instance as unknown as { stop(): void }).stop();

const codes: Readonly<Record<string, number>> = { ECONNREFUSED: 1212, ECONNRESET: 1220, EPIPE: 1201 };

instance.on('response', (_client, status, _bytes, tookMs) => {
  answered += 1;
  add(performance.now() - tookMs, tookMs, status, 0);
});
instance.on('reqError', (error: NodeJS.ErrnoException) => {
  answered += 1;
  errors += 1;
  if (errors >= mostErrors) gaveUp ??= `the last of ${mostErrors} requests without an answer: ${error.message}`;
  const code = codes[error.code ?? ''] ?? (/timed out/.test(error.message) ? 1050 : 1210);
  const tookMs = code === 1050 ? orders.timeoutMs : 0;
  add(performance.now() - tookMs, tookMs, 0, code);
});

parentPort!.on('message', stop);
parentPort!.unref();
