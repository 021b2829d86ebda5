/**
 * A process that sends the exchanges of a written run again and does nothing else: the same requests, as many of them on
 * connections of their own, at the same concurrency, to the same service in the same process. Nothing is recorded or judged.
 */
import { readFileSync } from 'node:fs';
import { Client, type Dispatcher, Pool } from 'undici';
import { serve } from '../../fixtures/service/index.ts';

interface Sent {
  readonly request: { readonly method: string; readonly target: string; readonly body?: { readonly text?: string } };
  readonly connection: { readonly number: number };
}

const concurrency = 8;
const lines = readFileSync(process.argv[2]!, 'utf8').trimEnd().split('\n');
const exchanges = lines
  .map((line) => JSON.parse(line) as { type: string; exchange: Sent })
  .flatMap(({ type, exchange }) => (type === 'exchange' && !exchange.request.target.includes('%') ? [exchange] : []));
const uses = new Map<number, number>();
for (const { connection } of exchanges) uses.set(connection.number, (uses.get(connection.number) ?? 0) + 1);

const service = await serve({ host: '127.0.0.1', port: 0, seed: 'bench', keyLimits: false, addressLimit: false });
const pool = new Pool(service.url, { connections: concurrency });

async function send(on: Dispatcher, { request }: Sent): Promise<void> {
  const { body } = await on.request({
    method: request.method as Dispatcher.HttpMethod,
    path: request.target,
    headers: { 'X-API-Key': 'vk_live_of_nobody', 'Content-Type': 'application/json' },
    ...(request.body?.text === undefined ? {} : { body: request.body.text }),
  });
  await body.dump();
}

async function once(exchange: Sent): Promise<void> {
  if (uses.get(exchange.connection.number) !== 1) return send(pool, exchange);
  const client = new Client(service.url);
  await send(client, exchange);
  await client.close();
}

let next = 0;
const lane = async (): Promise<void> => {
  while (next < exchanges.length) {
    next += 1;
    await once(exchanges[next - 1]!);
  }
};
await Promise.all(Array.from({ length: concurrency }, lane));
await pool.close();
await service.close();
