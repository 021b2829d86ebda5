/** For tests and the bench: a probe over real sockets, and nothing else in between that could be wrong as well. */
import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import type { Decision, Probe } from '../../model/trace.ts';

export interface SocketProbe extends Probe {
  close(): void;
}

/** A burst of hundreds needs no hundreds of connections. */
const atOnce = 48;

export function socketProbe(url: string, key = 'one'): SocketProbe {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const ask = (): Promise<Decision> =>
    new Promise((resolve) => {
      const sentAt = performance.now();
      const failed = (): void => resolve({ sentAt, headAt: performance.now(), admitted: false, status: 0 });
      const call = request(url, { agent, headers: { 'X-API-Key': key } }, (answer) => {
        const headAt = performance.now();
        const status = answer.statusCode ?? 0;
        const told = answer.headers['retry-after'];
        const decision = { sentAt, headAt, admitted: status !== 429, status };
        answer.resume();
        answer.once('error', failed);
        answer.once('end', () => resolve(told === undefined ? decision : { ...decision, retryAfter: told }));
      });
      call.once('error', failed);
      call.end();
    });
  const paced = async (count: number, gapMs: number): Promise<Decision[]> => {
    const began = performance.now();
    const asked: Promise<Decision>[] = [];
    for (let call = 0; call < count; call += 1) {
      const wait = began + call * gapMs - performance.now();
      if (wait >= 1) await pause(wait);
      asked.push(ask());
    }
    return Promise.all(asked);
  };
  const many = async (count: number): Promise<Decision[]> => {
    const answers = new Array<Decision>(count);
    let next = 0;
    const lane = async (): Promise<void> => {
      for (let call = next++; call < count; call = next++) answers[call] = await ask();
    };
    await Promise.all(Array.from({ length: Math.min(count, atOnce) }, lane));
    return answers;
  };
  return {
    now: () => performance.now(),
    sleep: async (ms) => {
      await pause(Math.max(0, ms));
    },
    ask,
    askMany: (count, gapMs = 0) => (gapMs > 0 ? paced(count, gapMs) : many(count)),
    close: () => agent.destroy(),
  };
}
