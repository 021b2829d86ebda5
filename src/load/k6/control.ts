/** k6's own control interface, on loopback: generators that wait are started at once. */
import { request } from 'node:http';
import { createServer } from 'node:net';
import type { Clock } from '../../clock.ts';

/** k6 counts its states: 2 is that all VUs are made, 4 that it waits to be started. */
const waiting = 4;
const pollMs = 50;

export const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer();
    server.on('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        address !== null && typeof address === 'object' ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });

/** Once all of them are ready, starts all of them. Returns the time of the start. */
export async function startTogether(ports: readonly number[], clock: Clock, signal: AbortSignal): Promise<void> {
  await Promise.all(ports.map((port) => untilWaiting(port, clock, signal)));
  await Promise.all(ports.map((port) => ask(port, 'PATCH', go)));
}

const go = JSON.stringify({ data: { type: 'status', id: 'default', attributes: { paused: false } } });

async function untilWaiting(port: number, clock: Clock, signal: AbortSignal): Promise<void> {
  for (;;) {
    signal.throwIfAborted();
    const said = await ask(port, 'GET').catch(() => '');
    if (statusIn(said) === waiting) return;
    await clock.sleep(pollMs, signal);
  }
}

function statusIn(text: string): number | undefined {
  try {
    const { data } = JSON.parse(text) as { data?: { attributes?: { status?: number } } };
    return data?.attributes?.status;
  } catch {
    return undefined;
  }
}

const ask = (port: number, method: 'GET' | 'PATCH', body?: string): Promise<string> =>
  new Promise((resolve, reject) => {
    const headers = body === undefined ? {} : { 'Content-Type': 'application/json', 'Content-Length': body.length };
    const asked = request({ host: '127.0.0.1', port, path: '/v1/status', method, headers, timeout: 5000 }, (answer) => {
      let text = '';
      answer.on('data', (bytes) => {
        text += bytes;
      });
      answer.on('end', () => resolve(text));
      answer.on('error', reject);
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer')));
    asked.on('error', reject);
    asked.end(body);
  });
