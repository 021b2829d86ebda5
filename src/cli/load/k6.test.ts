/** `touchstone load` with the real k6. Without one these are skipped, and fail where CI=true. */
import { execFile, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { scenarioNames, scenarios } from '../../../load/shared/scenarios.ts';
import { listening } from '../../http/testing.ts';
import { findK6 } from '../../load/k6/find.ts';
import { readRunFile } from '../../runfile/read.ts';
import { bin, soon } from '../testing.ts';

const k6 = await findK6({ env: process.env, home: homedir() });
const inCi = (process.env.CI ?? '') !== '' && process.env.CI !== 'false';
const scripts = join(import.meta.dirname, '../../../load');
const key = 'vk_live_canary0123456789';
const patience = { timeout: 120_000 };

const folder = mkdtempSync(join(tmpdir(), 'touchstone-with-k6-'));
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
  rmSync(folder, { recursive: true, force: true });
});

writeFileSync(
  join(folder, 'touchstone.yaml'),
  `address: http://127.0.0.1:1
keys: { main: "\${env:API_KEY}", second: { value: vk_live_0123456789second, test: true } }
actors: { echo: { name: relay, input: { message: "{{nonce}}" } } }
`,
);
writeFileSync(join(folder, 'keys.txt'), `${key}\nvk_live_0123456789second\n`);

const echo: RequestListener = (request, response) => {
  let text = '';
  request.on('data', (bytes) => {
    text += bytes;
  });
  request.on('end', () =>
    response.end(JSON.stringify({ items: [JSON.parse(text === '' ? '{}' : text)], status: 'OK' })),
  );
};

async function service(listener: RequestListener = echo): Promise<string> {
  const server = createServer(listener);
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

let outputs = 0;
/** `at`: called with the child each time that standard error has grown. */
async function load(args: readonly string[], at: (err: string, child: ReturnType<typeof spawn>) => void = () => {}) {
  outputs += 1;
  const output = `out-${outputs}`;
  const child = spawn(process.execPath, [bin, 'load', ...args, '-o', output], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, API_KEY: key, TOUCHSTONE_K6: k6?.path },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
    at(err, child);
  });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  const name = readdirSync(join(folder, output)).find((each) => each.endsWith('.jsonl'))!;
  return { code, out, err, path: join(folder, output, name) };
}

/** Processes of k6 that run one of our scripts for this address. */
const running = (address: string): string[] =>
  readdirSync('/proc').filter((pid) => {
    try {
      return (
        /^\d+$/.test(pid) &&
        readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('--summary-mode=disabled') &&
        readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`BASE_URL=${address}\0`)
      );
    } catch {
      return false;
    }
  });

test.runIf(k6 === undefined)('k6 is here to be tried (touchstone tools install k6 builds it)', ({ skip }) => {
  expect(inCi, 'on CI a missing k6 is a failure: touchstone tools install k6').toBe(false);
  skip('k6 was not found; touchstone tools install k6 builds it');
});

describe.runIf(k6 !== undefined)('with k6', () => {
  test(
    'a latency measurement: each slot once, latencies from the intended start, answers looked at',
    patience,
    async () => {
      const { path } = await load([
        'latency',
        await service(),
        '--rate',
        '100',
        '--warm-up',
        '1s',
        '--duration',
        '3s',
        '--seed',
        '5',
      ]);
      const [measured] = readRunFile(path).measurements!;
      expect(measured).toMatchObject({
        engine: { name: 'k6', version: k6!.version, model: 'open', workers: 1 },
        seed: 5,
        from: 'intended-start',
        achieved: { intended: 300 },
        answers: { wrong: 0, examples: [] },
      });
      expect(measured!.answers.checked).toBeGreaterThan(0);
      expect(measured!.latencies.ok.count).toBe(measured!.achieved.begun);
      expect(measured!.achieved.begun + measured!.generator.dropped).toBe(300);
      expect(readFileSync(path, 'utf8')).not.toContain(key);
    },
  );

  test('four workers send each slot once', patience, async () => {
    const seen = new Map<string, number>();
    const address = await service((request, response) => {
      request.on('data', (bytes) => {
        const { message } = JSON.parse(String(bytes)) as { message: string };
        // What is tried beforehand is the same for each key.
        if (!message.includes('preflight')) seen.set(message, (seen.get(message) ?? 0) + 1);
      });
      echo(request, response);
    });
    const { path } = await load([
      'latency',
      address,
      '--rate',
      '80',
      '--warm-up',
      '500ms',
      '--duration',
      '2s',
      '--workers',
      '4',
    ]);
    const [measured] = readRunFile(path).measurements!;
    expect(measured!.engine.workers).toBe(4);
    expect(measured!.achieved.intended).toBe(160);
    expect(measured!.achieved.begun + measured!.generator.dropped).toBe(160);
    expect([...seen.values()].filter((times) => times > 1)).toEqual([]);
    expect(seen.size).toBeGreaterThanOrEqual(measured!.achieved.begun);
  });

  test('who waits for a service that stands still is counted from when they meant to begin', patience, async () => {
    let until = 0;
    const held: (() => void)[] = [];
    const address = await service((request, response) => {
      until += 1;
      if (until < 100) echo(request, response);
      else if (until === 100)
        setTimeout(() => {
          for (const answer of held) answer();
          echo(request, response);
        }, 1000);
      else if (until < 150) held.push(() => echo(request, response));
      else echo(request, response);
    });
    const { path } = await load(['latency', address, '--rate', '50', '--warm-up', '1s', '--duration', '3s']);
    const [measured] = readRunFile(path).measurements!;
    const { Histogram } = await import('../../statistics/histogram.ts');
    const ok = Histogram.of(measured!.latencies.ok);
    // Fifty slots lay in that second: they waited from a whole one down to nothing.
    expect(ok.count - ok.countUpTo(500_000)).toBeGreaterThan(20);
    expect(ok.count - ok.countUpTo(900_000)).toBeGreaterThan(2);
  });

  test('a service that stops in the middle', patience, async () => {
    let served = 0;
    const server = createServer((request, response) => {
      served += 1;
      if (served < 90) return echo(request, response);
      server.closeAllConnections();
      server.close();
      return undefined;
    });
    const address = `http://127.0.0.1:${await listening(server)}`;
    const { code, out } = await load(['latency', address, '--rate', '50', '--warm-up', '500ms', '--duration', '3s']);
    expect(out).toMatch(/INVALID: [\s\S]*× connection refused/);
    expect(code).toBe(3);
  });

  test(
    'a ramp by two workers begins each request at its time, and says how fast answers stayed',
    patience,
    async () => {
      const wishes = ['--rate', '60', '--warm-up', '500ms', '--duration', '10s', '--workers', '2'];
      const { path } = await load(['ramp', await service(), ...wishes]);
      const [measured] = readRunFile(path).measurements!;
      expect(measured!.plan.changing).toMatchObject({ from: 12 });
      const { begun, intended } = measured!.achieved;
      expect(begun + measured!.generator.dropped).toBe(intended);
      // Each second has more than the one before; what was sent in it lies as it was planned.
      const seconds = measured!.series.filter(({ at }) => at >= 0);
      const planned = seconds.map((each) => each.intended!);
      expect(planned.toSorted((a, b) => a - b)).toEqual(planned);
      expect([planned[0], planned.at(-1)]).toEqual([15, 57]);
      if (measured!.generator.dropped === 0)
        for (const { counts, intended: due } of seconds) expect(counts.ok + counts.other).toBe(due);
      if (measured!.validity.verdict === 'valid') expect(measured!.conclusions[0]).toMatch(/answers (stayed|became)/);
    },
  );

  test('a limit that is known: what was admitted at each multiple', patience, async () => {
    let tokens = 5;
    const filling = setInterval(() => {
      tokens = Math.min(5, tokens + 1);
    }, 200);
    closers.push(() => clearInterval(filling));
    const address = await service((request, response) => {
      tokens -= 1;
      if (tokens >= 0) return echo(request, response);
      tokens = 0;
      response.statusCode = 429;
      response.setHeader('Retry-After', '1');
      response.end('{}');
      return undefined;
    });
    const { path } = await load(['limits', address, '--limit', '5', '--duration', '2s', '--rest', '1s']);
    const [measured] = readRunFile(path).measurements!;
    expect(measured!.groups.map(({ name }) => name)).toEqual([
      '0.5 × the limit',
      '1 × the limit',
      '1.5 × the limit',
      '3 × the limit',
    ]);
    expect(measured!.groups[3]!.latencies.limited.count).toBeGreaterThan(0);
    expect(measured!.validity.reasons.filter(({ cause }) => cause === 'limiter')).toEqual([]);
  });

  test('one interrupt ends it, and what there is is reported and marked', patience, async () => {
    const address = await service();
    let sent = false;
    const { code, out, err, path } = await load(
      ['latency', address, '--warm-up', '500ms', '--duration', '60s'],
      (text, child) => {
        if (sent || !text.includes('·')) return;
        sent = true;
        child.kill('SIGINT');
      },
    );
    expect(err).toContain('Interrupted');
    expect(out).toMatch(/interrupted/);
    expect(code).toBe(130);
    const run = readRunFile(path);
    expect(run.footer?.interrupted).toBe(true);
    expect(run.measurements?.[0]).toMatchObject({ interrupted: true });
    expect(run.measurements![0]!.series.length).toBeGreaterThan(0);
    expect(await soon(() => running(address).length === 0)).toBe(true);
  });

  test('k6 does not outlive us, however we end', patience, async () => {
    let served = 0;
    const address = await service((request, response) => {
      served += 1;
      // With each key one is tried beforehand.
      if (served <= 2) echo(request, response);
    });
    const temporary = mkdtempSync(join(folder, 'tmp-'));
    const child = spawn(process.execPath, [bin, 'load', 'latency', address, '--duration', '60s', '-o', 'killed'], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, API_KEY: key, TOUCHSTONE_K6: k6?.path, TMPDIR: temporary },
      stdio: 'ignore',
    });
    const ended = new Promise((resolve) => child.on('close', resolve));
    expect(await soon(() => running(address).length === 1 && served > 3)).toBe(true);
    child.kill('SIGKILL');
    await ended;
    expect(await soon(() => running(address).length === 0)).toBe(true);
    // Nor do its keys.
    expect(await soon(() => !readdirSync(temporary).some((each) => each.startsWith('touchstone-')))).toBe(true);
  });
});

describe.runIf(k6 !== undefined)('a bare k6', () => {
  const bare = (args: readonly string[]) =>
    promisify(execFile)(k6!.path, [...args], {
      cwd: folder,
      env: { PATH: process.env.PATH, HOME: folder, K6_NO_USAGE_REPORT: 'true', K6_AUTO_EXTENSION_RESOLUTION: 'false' },
    }).then(
      ({ stdout }) => ({ code: 0, stdout, stderr: '' }),
      (error: { code: number; stdout: string; stderr: string }) => error,
    );
  const names = readdirSync(scripts).filter((name) => name.endsWith('.ts'));

  test('there is one script a scenario that k6 sends', () => {
    const sent = scenarioNames.filter((each) => scenarios[each].engine === 'k6');
    expect(names.toSorted()).toEqual(sent.map((each) => `${each}.ts`).toSorted());
  });

  test.each(names)('runs %s', patience, async (name) => {
    const address = await service();
    const env = [
      'BASE_URL',
      address,
      'API_KEYS_FILE',
      join(folder, 'keys.txt'),
      'RATE',
      '20',
      'DURATION',
      '500ms',
      'WARM_UP',
      '0',
      'LIMIT',
      '4',
      'REST',
      '500ms',
    ];
    const pairs = Array.from({ length: env.length / 2 }, (_, at) => ['-e', `${env[2 * at]}=${env[2 * at + 1]}`]).flat();
    const { code, stdout, stderr } = await bare(['run', '-q', ...pairs, join(scripts, name)]);
    // 99: a threshold on lateness, which a busy machine may miss; never a script that fails.
    expect([0, 99], `${stdout}${stderr}`).toContain(code);
    expect(stdout).toContain('latency_from_intended');
    expect(stdout).toMatch(/wrong_answers\.*: 0 /);
  });

  test('says what is missing', patience, async () => {
    const { code, stderr } = await bare(['run', '-q', join(scripts, 'latency.ts')]);
    expect(code).toBe(107);
    expect(stderr).toContain('BASE_URL is missing');
  });
});
