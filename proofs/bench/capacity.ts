/**
 * `npm run bench:capacity`: the knee of a service that has a known one, found by the command as people call it. A number: rounds. A witness
 * reports for each whether the machine kept time.
 */
import { fork, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readRunFile } from '../../src/runfile/read.ts';
import { witness } from './witness.ts';

const rounds = Number(process.argv[2] ?? 10);
const kinds = [
  { slots: 8, serviceMs: 50 },
  { slots: 3, serviceMs: 40 },
  { slots: 20, serviceMs: 80 },
];
const folder = mkdtempSync(join(tmpdir(), 'touchstone-capacity-'));
let right = 0;
try {
  for (let round = 0; round < rounds; round += 1) {
    const { slots, serviceMs } = kinds[round % kinds.length]!;
    const knee = (1000 * slots) / serviceMs;
    const server = fork(join(import.meta.dirname, 'slots-server.ts'), [String(slots), String(serviceMs)]);
    const port = await new Promise<number>((resolve, reject) => {
      server.once('message', (message) => resolve(Number(message)));
      server.once('error', reject);
    });
    const profile = join(folder, 'touchstone.yaml');
    writeFileSync(
      profile,
      `address: http://127.0.0.1:${port}
keys: { main: { value: "\${env:KEY}" } }
actors: { echo: { name: echo, input: { message: "{{nonce}}" } } }
load: { latency: { p95: 250ms }, errors: 0.1%, max_duration: 1h, warm_up: 2s }
`,
    );
    const args = [
      join(import.meta.dirname, '../../bin/touchstone.cjs'),
      'load',
      'capacity',
      '-p',
      profile,
      '--rate',
      '20',
      '-o',
      folder,
    ];
    const child = spawn(process.execPath, args, {
      env: { ...process.env, KEY: 'vk_live_bench' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const testimony = witness();
    await new Promise((resolve) => child.on('close', resolve));
    const { times, mostMs } = testimony();
    server.disconnect();
    const found = readRunFile(join(folder, 'load-capacity.jsonl')).measurements?.[0]?.capacity;
    const off = found?.held === undefined ? Number.NaN : found.held / knee - 1;
    const fits = Math.abs(off) <= 0.05 && found?.constraint === 'server';
    if (fits) right += 1;
    process.stdout.write(
      `${fits ? '✓' : '✗'} ${slots} slots of ${serviceMs} ms: ${knee} a second; found ${found?.held ?? 'nothing'} (${(100 * off).toFixed(1)} %), ${found?.constraint}, ${found?.confirmed ? 'confirmed' : 'not confirmed'}, ${found?.steps.length} steps; the witness was late ${times} times, by ${mostMs.toFixed(0)} ms at most\n`,
    );
  }
} finally {
  rmSync(folder, { recursive: true, force: true });
}
process.stdout.write(`${right} of ${rounds} within 5 % (goal: 9 of 10)\n`);
if (right < 0.9 * rounds) process.exitCode = 1;
