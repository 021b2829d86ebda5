/** A whole check of the reference over loopback, beside a bare undici loop that sends as many exchanges. */
import { readFileSync } from 'node:fs';
import { Pool } from 'undici';
import { demoKeys, serve } from '../fixtures/service/index.ts';
import { type Figure, median, run, timed } from './measure.ts';

const rounds = 5;
const upstreamSeconds = { quick: 1.5, standard: 5 } as const;
const report = new URL('../touchstone-report/bench/', import.meta.url);

interface Footer {
  readonly exchanges: number;
}

export async function wholeCheck(): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const depth of ['quick', 'standard'] as const) {
    const args = ['bin/touchstone.cjs', 'check', '--reference', '--depth', depth, '--quiet', '--seed', '1'];
    const checks: number[] = [];
    const bares: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      checks.push(await timed(() => run([...args, '--output', report.pathname])));
      bares.push(await timed(() => run(['bench/bare-loop.ts', String(exchanges())])));
    }
    const seconds = median(checks) / 1000;
    const ratio = median(checks) / median(bares);
    const goal = upstreamSeconds[depth];
    figures.push(
      {
        what: `check --depth ${depth}, ${exchanges()} exchanges, start to exit`,
        value: `${seconds.toFixed(2)} s`,
        goal: `≤ ${goal} s beyond the waits of the bounds`,
        reached: seconds <= goal,
      },
      {
        what: `check --depth ${depth} beside a bare undici loop`,
        value: `${ratio.toFixed(2)} ×`,
        goal: '≤ 2 ×',
        reached: ratio <= 2,
      },
    );
  }
  return figures;
}

const exchanges = (): number => {
  const lines = readFileSync(new URL('run.jsonl', report), 'utf8').trimEnd().split('\n');
  return (JSON.parse(lines.at(-1)!) as Footer).exchanges;
};

/** What `bare-loop.ts` does: the same service in the same process, nothing recorded, nothing judged. */
export async function bareLoop(count: number, concurrency = 8): Promise<void> {
  const keys = demoKeys('bench');
  const service = await serve({ host: '127.0.0.1', port: 0, seed: 'bench', keyLimits: false, addressLimit: false });
  const pool = new Pool(service.url, { connections: concurrency });
  let left = count;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const { body } = await pool.request({
        method: 'POST',
        path: '/v1/actors/message-relay/run-sync-get-dataset-items',
        headers: { 'X-API-Key': keys.entitled.key, 'Content-Type': 'application/json' },
        body: JSON.stringify({ message: `hello ${left}` }),
      });
      await body.text();
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  await pool.close();
  await service.close();
}
