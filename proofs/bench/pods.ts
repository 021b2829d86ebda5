/** `npm run bench:pods`: what a request and a VU cost k6 in a pod, samples written: the figures that the number of pods comes from. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { findK6 } from '../../src/load/k6/find.ts';
import { bundle } from '../../src/load/kubernetes/bundle.ts';
import { podsFor, usualCost } from '../../src/load/kubernetes/pods.ts';
import { lookAt } from '../../src/load/watch-processes.ts';

const k6 = await findK6({ env: process.env, home: homedir() });
if (k6 === undefined) throw new Error('k6 was not found: touchstone tools install k6');
const folder = mkdtempSync(join(tmpdir(), 'touchstone-pods-'));
const keys = join(folder, 'keys');
writeFileSync(keys, 'vk_live_bench\n', { mode: 0o600 });
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (bytes) => {
    body += bytes;
  });
  request.on('end', () => {
    response.setHeader('content-type', 'application/json');
    response.end(`{"status":"SUCCEEDED","items":[${body}]}`);
  });
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as { port: number };

let number = 0;

/** One k6 as a pod would run it. `slowest` decides on how many VUs there are. */
async function one(rate: number, seconds: number, slowest: number) {
  number += 1;
  const place = join(folder, String(number));
  mkdirSync(place);
  const settings = {
    SAMPLES: '1',
    BASE_URL: `http://127.0.0.1:${port}`,
    API_KEYS_FILE: keys,
    RATE: String(rate),
    DURATION: `${seconds}s`,
    WARM_UP: '0s',
    SLOWEST: `${slowest}s`,
    VUS: '10000',
  };
  const script = bundle(join(import.meta.dirname, '../../load/latency.ts'), settings, (path) =>
    readFileSync(path, 'utf8'),
  );
  for (const [name, text] of script.files) writeFileSync(join(place, name), text);
  const samples = join(place, 'out.samples');
  const args = [
    'run',
    '--quiet',
    '--no-thresholds',
    '--summary-mode=disabled',
    '--log-format=raw',
    join(place, script.main),
  ];
  const env = { K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false', K6_CONSOLE_OUTPUT: samples };
  const child = spawn(k6!.path, args, { env, stdio: 'ignore' });
  let [cpuSeconds, rssBytes] = [0, 0];
  const watch = setInterval(() => {
    const state = lookAt(child.pid!);
    if (state === undefined) return;
    cpuSeconds = Math.max(cpuSeconds, state.cpuSeconds);
    rssBytes = Math.max(rssBytes, state.rssBytes);
  }, 50);
  const code = await new Promise((resolve) => child.on('close', resolve));
  clearInterval(watch);
  if (code !== 0) throw new Error(`k6 ended with ${code}`);
  const text = readFileSync(samples, 'utf8');
  const requests = text.split('\n').filter((line) => line.startsWith('~')).length;
  return { cpuSeconds, rssBytes, requests, bytes: text.length, vus: Math.ceil(rate * slowest * 1.2) };
}

try {
  const few = await one(50, 10, 1);
  const costs: number[] = [];
  for (const rate of [500, 1000, 2000]) {
    const many = await one(rate, 10, 0.5);
    // What k6 costs by itself is in both.
    const each = (many.cpuSeconds - few.cpuSeconds) / (many.requests - few.requests);
    costs.push(1e6 * each);
    process.stdout.write(
      `${rate} a second: ${many.requests} requests, ${Math.round(1e6 * each)} µs of processor each, ${Math.round(many.bytes / many.requests)} bytes of samples each\n`,
    );
  }
  const crowd = await one(50, 6, 50);
  const vu = (crowd.rssBytes - few.rssBytes) / (crowd.vus - few.vus);
  process.stdout.write(
    `a VU: ${Math.round(vu / 1024)} KiB; k6 itself: ${Math.round((few.rssBytes - few.vus * vu) / 2 ** 20)} MiB\n`,
  );
  const { cpuMicroseconds, vuBytes } = usualCost;
  const holds = Math.max(...costs) <= cpuMicroseconds && vu <= vuBytes;
  process.stdout.write(
    `${holds ? '✓' : '✗'} reckoned with: ${cpuMicroseconds} µs a request, ${vuBytes / 1024} KiB a VU\n`,
  );
  for (const rate of [1000, 5000, 10_000, 50_000]) {
    const { pods, memoryBytes } = podsFor(rate, 1000, 1);
    process.stdout.write(
      `${rate} a second, 1000 under way: ${pods} pods with one core and ${Math.round(memoryBytes / 1e6)} MB\n`,
    );
  }
  if (!holds) process.exitCode = 1;
} finally {
  server.closeAllConnections();
  server.close();
  rmSync(folder, { recursive: true, force: true });
}
