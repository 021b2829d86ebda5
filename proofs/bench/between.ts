/** `touchstone between` compared with the direct way to the same service, call by call in turn, and as fast as it can. */
import { type ChildProcess, fork, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoKeys } from '../../fixtures/service/index.ts';
import { type Figure, median } from './measure.ts';

const key = demoKeys('bench').entitled.key;
const body = JSON.stringify({ message: 'a few plain words', copies: 1 });
const path = '/v1/actors/message-relay/run-sync-get-dataset-items';
const calls = 1500;
const seconds = 6;
const together = 16;
/** As /proc counts them. */
const ticksPerSecond = 100;

export async function between(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const service = fork(new URL('./service-rate-server.ts', import.meta.url), ['service', ''], { stdio: 'inherit' });
  const port = await new Promise<number>((resolve) => service.once('message', (said) => resolve(Number(said))));
  const bin = new URL('../../bin/touchstone.cjs', import.meta.url).pathname;
  const proxy = spawn(process.execPath, [bin, 'between', `http://127.0.0.1:${port}`, '-q', '-o', folder], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const own = await portOf(proxy);
    const agent = new Agent({ keepAlive: true, maxSockets: together });
    const times = { direct: [] as number[], through: [] as number[] };
    for (let at = 0; at < calls; at += 1)
      for (const [name, to] of [['direct', port] as const, ['through', own] as const]) {
        const from = performance.now();
        await call(to, agent);
        times[name].push(performance.now() - from);
      }
    const added = median(times.through.slice(200)) - median(times.direct.slice(200));
    const before = ticksOf(proxy);
    const until = performance.now() + seconds * 1000;
    let done = 0;
    await Promise.all(
      Array.from({ length: together }, async () => {
        while (performance.now() < until) {
          await call(own, agent);
          done += 1;
        }
      }),
    );
    const perCore = done / ((ticksOf(proxy) - before) / ticksPerSecond);
    agent.destroy();
    return [
      {
        what: '`touchstone between`, added to a run at the median, call by call in turn with the direct way',
        value: `${added.toFixed(2)} ms`,
        goal: '≤ 1 ms',
        reached: added <= 1,
      },
      {
        what: 'the same: runs for each second of one core, recorded',
        value: `${Math.round(perCore)}`,
        goal: '≥ 500',
        reached: perCore >= 500,
      },
    ];
  } finally {
    proxy.kill('SIGKILL');
    service.kill();
    rmSync(folder, { recursive: true, force: true });
  }
}

const portOf = (proxy: ChildProcess): Promise<number> =>
  new Promise((resolve, reject) => {
    let said = '';
    proxy.once('exit', () => reject(new Error(`between did not start: ${said}`)));
    proxy.stderr?.on('data', (part: Buffer) => {
      said += part.toString();
      const [, port] = /listens at http:\/\/127\.0\.0\.1:(\d+)/.exec(said) ?? [];
      if (port !== undefined) resolve(Number(port));
    });
  });

/** Of the processor, in user and in system mode. */
function ticksOf({ pid }: ChildProcess): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(fields[11]) + Number(fields[12]);
}

const call = (port: number, agent: Agent): Promise<void> =>
  new Promise((resolve, reject) => {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', 'Content-Length': body.length };
    const sent = request({ port, host: '127.0.0.1', agent, path, method: 'POST', headers }, (answer) => {
      answer.resume();
      answer.on('end', () => (answer.statusCode === 200 ? resolve() : reject(new Error(`${answer.statusCode}`))));
    });
    sent.on('error', reject);
    sent.end(body);
  });
