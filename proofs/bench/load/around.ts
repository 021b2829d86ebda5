/** What the benchmarks of load share: a service, a plan, the command, a hand-written k6 script and what a process costs. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findK6 } from '../../../src/load/k6/find.ts';
import type { Measurement } from '../../../src/model/measurement.ts';
import { readRunFile } from '../../../src/runfile/read.ts';

const root = join(import.meta.dirname, '../../..');
export const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-load-'));

const found = await findK6({ env: process.env, home: homedir() });
if (found === undefined) throw new Error('k6 was not found: npx touchstone tools install k6');
const k6 = found.path;

/** k6 in a shell that writes down what it cost when it is over. */
const costs = join(folder, 'k6');
writeFileSync(
  costs,
  `#!/bin/bash\nif [ "$1" = version ]; then exec ${k6} "$@"; fi\n${k6} "$@"\ncode=$?\ntimes > ${folder}/times\nexit $code\n`,
);
chmodSync(costs, 0o755);

/** Seconds of processor, user's and system's, of the k6 before. */
export function cpuSeconds(): number {
  const [, children = ''] = readFileSync(join(folder, 'times'), 'utf8').split('\n');
  return [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + 60 * Number(m) + Number(s), 0);
}

export interface Service {
  readonly address: string;
  readonly pid: number;
  /** When each message came, and when it was answered, in ms of its own clock. */
  seen(): Promise<ReadonlyMap<string, readonly [came: number, answered: number]>>;
  stop(): void;
}

export async function service(...args: readonly string[]): Promise<Service> {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, 'server.ts'), ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const port = await new Promise<string>((resolve) =>
    child.stdout!.once('data', (bytes) => resolve(String(bytes).trim())),
  );
  const address = `http://127.0.0.1:${port}`;
  return {
    address,
    pid: child.pid!,
    seen: async () => {
      const { stdout } = await promisify(execFile)('curl', ['-s', '-d', '{"tell":true}', address], { maxBuffer: 1e9 });
      return new Map(JSON.parse(stdout) as [string, readonly [number, number]][]);
    },
    stop: () => child.kill('SIGKILL'),
  };
}

writeFileSync(
  join(folder, 'touchstone.yaml'),
  `address: http://127.0.0.1:1
keys: { main: { value: vk_live_of_the_bench, test: true } }
actors: { echo: { name: relay, input: { message: "{{nonce}}" } } }
load: { max_duration: 1h, max_rate: 100000 }
`,
);

/** The command as a person types it. */
export async function load(scenario: string, address: string, ...args: readonly string[]): Promise<Measurement> {
  const { measurement, said } = await loading(scenario, address, args);
  if (measurement === undefined) throw new Error(said);
  return measurement;
}

/** The same, with what was said, also where nothing was measured; and with somebody who harms it. */
export async function loading(
  scenario: string,
  address: string,
  args: readonly string[],
  harm: (pid: number) => () => void = () => () => {},
): Promise<{ readonly measurement?: Measurement; readonly said: string }> {
  const own = ['bin/touchstone.cjs', 'load', scenario, address, '-p', join(folder, 'touchstone.yaml')];
  const path = join(folder, `load-${scenario}.jsonl`);
  rmSync(path, { force: true });
  const child = spawn(process.execPath, [...own, '-o', folder, '-q', '--k6', costs, ...args], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.on('data', (text) => {
    said += text;
  });
  const relieve = harm(child.pid!);
  await new Promise((resolve) => child.on('close', resolve));
  relieve();
  const [measurement] = existsSync(path) ? (readRunFile(path).measurements ?? []) : [];
  return { ...(measurement === undefined ? {} : { measurement }), said };
}

export interface Bare {
  readonly requests: number;
  readonly seconds: number;
  /** In ms, by k6's own `http_req_duration` and from the intended start. */
  readonly own: Readonly<Record<string, number>>;
  readonly intended: Readonly<Record<string, number>>;
}

/** A k6 script as one writes it by hand: one request, one trend, a summary. */
export async function bareK6(address: string, rate: number | undefined, seconds: number, vus: number): Promise<Bare> {
  const script = join(folder, 'bare.js');
  const scenario =
    rate === undefined
      ? `{ executor: 'constant-vus', vus: ${vus}, duration: '${seconds}s' }`
      : `{ executor: 'constant-arrival-rate', rate: ${rate}, timeUnit: '1s', duration: '${seconds}s', preAllocatedVUs: ${vus}, maxVUs: ${vus} }`;
  writeFileSync(
    script,
    `import http from 'k6/http'; import exec from 'k6/execution'; import { Trend } from 'k6/metrics';
const rt = new Trend('rt', true);
export const options = { discardResponseBodies: true, summaryTrendStats: ['med', 'p(99)', 'max', 'count'], scenarios: { s: ${scenario} } };
const params = { headers: { 'X-API-Key': 'vk_live_of_the_bench', 'Content-Type': 'application/json' } };
export default function () {
  const late = ${rate === undefined ? '0' : `Date.now() - exec.scenario.startTime - exec.scenario.iterationInTest * ${1000 / (rate ?? 1)}`};
  const message = 'b' + exec.scenario.iterationInTest + 'b';
  const r = http.post('${address}/v1/actors/relay/run-sync-get-dataset-items', JSON.stringify({ message }), params);
  rt.add(late + r.timings.blocked + r.timings.connecting + r.timings.duration);
}
export function handleSummary(data) { return { '${folder}/bare.json': JSON.stringify(data) }; }
`,
  );
  await promisify(execFile)(costs, ['run', '-q', '--no-color', script], {
    env: { PATH: process.env.PATH, HOME: folder, K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' },
  });
  const { metrics } = JSON.parse(readFileSync(join(folder, 'bare.json'), 'utf8')) as {
    metrics: Record<string, { values: Record<string, number> }>;
  };
  return {
    requests: metrics.http_reqs!.values.count!,
    seconds,
    own: metrics.http_req_duration!.values,
    intended: metrics.rt!.values,
  };
}
