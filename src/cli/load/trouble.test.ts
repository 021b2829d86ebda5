/** `touchstone load` where something gives way under it: the disk, the folder, the clock. A program takes the place of k6. */
import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { listening } from '../../http/testing.ts';
import { readRunFile } from '../../runfile/read.ts';
import { place, soon } from '../testing.ts';

const { folder, touchstone, file } = place();
const patience = { timeout: 180_000 };
const key = 'vk_live_canary0123456789';
const env = { API_KEY: key };
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers.toReversed()) close();
});

const profile = file(
  'load.yaml',
  `address: http://127.0.0.1:1
keys: { main: "\${env:API_KEY}" }
actors: { echo: { name: relay, input: { message: "{{nonce}}" } } }
`,
);

async function echo(): Promise<string> {
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (bytes) => {
      text += bytes;
    });
    request.on('end', () => response.end(JSON.stringify({ items: [JSON.parse(text)], status: 'OK' })));
  });
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** Says it is k6 and writes samples: a second of warm-up, does something, and two seconds that count. */
function k6(name: string, between: string): string {
  const path = join(folder, name);
  const samples = (from: number, to: number) =>
    `i=${from}; while [ $i -lt ${to} ]; do echo "~0 0 $i $((i * 20)).5 1.5 200 +"; i=$((i + 1)); done`;
  const says = `if [ "$1" = version ]; then echo '{"version":"v2.2.0"}'; exit; fi`;
  writeFileSync(path, `#!/bin/sh\n${says}\n${samples(0, 75)}\n${between}\n${samples(75, 151)}\n`);
  chmodSync(path, 0o755);
  return path;
}

const args = async (k6Path: string, output: string, ...more: readonly string[]) => [
  ...['load', 'latency', await echo(), '-p', profile, '--warm-up', '1s', '--duration', '2s'],
  ...['--k6', k6Path, '-o', output, ...more],
];

/** A file system of one megabyte. Undefined if nobody may mount one. */
function smallDisk(name: string): string | undefined {
  const path = join(folder, name);
  mkdirSync(path);
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'pipe' });
  } catch {
    return undefined;
  }
  closers.push(() => execFileSync('umount', [path]));
  return path;
}

describe('a disk that becomes full', () => {
  test(
    'while samples stream: what was measured is shown, and what could not be written is said',
    patience,
    async ({ skip }) => {
      const disk = smallDisk('disk');
      if (disk === undefined) return skip('only who may mount a file system can try a full one');
      const filling = k6('filling', `dd if=/dev/zero of=${disk}/rest bs=4096 2>/dev/null`);
      const { code, out, err } = await touchstone(await args(filling, disk, '--format', 'console,html'), { env });
      expect(out, err).toMatch(/^VALID {2}latency of/);
      expect(err).toContain('no space is left on the disk');
      expect(code).toBe(3);
      expect(readdirSync(disk)).not.toContain('.load.lock');
      expect(readdirSync(disk)).not.toContain('report.html');
    },
  );

  test(
    'or a run file that may only be so long: what was measured is shown, is no result, and is said not to be',
    patience,
    async () => {
      const run = await args(k6('plain', ''), 'limited');
      const { code, out, err } = await touchstone(run, { env, limit: 'ulimit -f 2' });
      expect(out, err).toMatch(/^VALID {2}latency of/);
      expect(err).toContain('the file would be larger than allowed');
      expect(code).toBe(3);
      expect(out).toContain('its end is missing');
    },
  );

  test('full from the start, where the keys are put: said, and nothing is sent', patience, async ({ skip }) => {
    const disk = smallDisk('temporary');
    if (disk === undefined) return skip('only who may mount a file system can try a full one');
    try {
      execFileSync('dd', ['if=/dev/zero', `of=${disk}/rest`, 'bs=4096'], { stdio: 'pipe' });
    } catch {
      // Full is what it should be.
    }
    const never = k6('never', `touch ${join(folder, 'it-was-started')}`);
    const { code, out, err } = await touchstone(await args(never, 'temporary-full'), { env: { ...env, TMPDIR: disk } });
    expect(err).toContain('no space is left on the disk');
    expect(err + out).not.toMatch(/\bat .+:\d+:\d+/);
    expect(code).toBe(2);
    expect(existsSync(join(folder, 'it-was-started'))).toBe(false);
    expect(readdirSync(disk).filter((name) => name.startsWith('touchstone-'))).toEqual([]);
  });
});

test('two loads at once with the same folder: the second is refused, the first unharmed', patience, async () => {
  const go = join(folder, 'go');
  const waiting = k6(
    'waiting',
    `touch ${join(folder, 'begun')}; n=0; until [ -e ${go} ] || [ $n -gt 900 ]; do sleep 0.1; n=$((n + 1)); done`,
  );
  const first = touchstone(await args(waiting, 'shared'), { env });
  expect(await soon(() => existsSync(join(folder, 'begun')))).toBe(true);
  const second = await touchstone(await args(k6('second', ''), 'shared'), { env });
  writeFileSync(go, '');
  expect(second.err).toMatch(/another load \(process \d+\) writes to shared/);
  expect(second.code).toBe(2);
  const { code, out, err } = await first;
  expect(out, err).toMatch(/^VALID/);
  expect(code).toBe(0);
  expect(readRunFile(join(folder, 'shared/load-latency.jsonl')).measurements).toHaveLength(1);
  expect(existsSync(join(folder, 'shared/.load.lock'))).toBe(false);
});

test.each([
  ['forward', 3_600_000],
  ['back', -3_600_000],
])(
  'the clock of the machine is set %s by an hour in the middle: nothing of the figures changes',
  patience,
  async (name, by) => {
    // As a process sees it whose system's clock is set: the date jumps, the monotonic clock does not.
    const mark = join(folder, `set-${name}`);
    const step = file(
      `step-${name}.cjs`,
      `const { now } = Date;
const { existsSync } = require('node:fs');
const shifted = () => now() + (existsSync(${JSON.stringify(mark)}) ? ${by} : 0);
globalThis.Date = class extends Date { constructor(...of) { super(...(of.length === 0 ? [shifted()] : of)); } };
Date.now = shifted;
`,
    );
    const setting = k6(`k6-${name}`, `sleep 1; touch ${mark}; sleep 2`);
    const { code, out, err } = await touchstone(await args(setting, name), {
      env: { ...env, NODE_OPTIONS: `--require ${join(folder, step)}` },
    });
    expect(out, err).toMatch(/^VALID/);
    expect(code).toBe(0);
    const { header, footer, measurements } = readRunFile(join(folder, name, 'load-latency.jsonl'));
    // It was set.
    const apart = Date.parse(footer!.ended) - Date.parse(header.started);
    expect(Math.abs(apart)).toBeGreaterThan(3_000_000);
    expect(footer!.tookMs).toBeGreaterThan(2000);
    expect(footer!.tookMs).toBeLessThan(170_000);
    expect(measurements![0]).toMatchObject({ achieved: { intended: 100, begun: 100 } });
  },
);
