/** `touchstone load` of what the profile starts, and of two services by turns. A program takes the place of k6. */
import { chmodSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { demoKeys } from '../../../fixtures/service/index.ts';
import { serviceImage } from '../../../fixtures/targets/image.ts';
import { listening } from '../../http/testing.ts';
import { readRunFile } from '../../runfile/read.ts';
import { dockerMissing } from '../../target/testing.ts';
import { isRunning, place, soon } from '../testing.ts';

const { folder, touchstone, file } = place();
const patience = { timeout: 180_000 };
const key = demoKeys('load').entitled.key;
const closers: (() => void)[] = [];
afterAll(() => {
  for (const close of closers) close();
});

/** Claims to be k6, writes the samples of three seconds, waits as long, and does what else the test says. */
function k6(name: string, first = ''): string {
  const path = join(folder, name);
  const samples = 'i=0; while [ $i -lt 151 ]; do echo "~0 0 $i $((i * 20)).5 1.5 200 +"; i=$((i + 1)); done';
  const says = `if [ "$1" = version ]; then echo '{"version":"v2.2.0"}'; exit; fi`;
  writeFileSync(path, `#!/bin/sh\n${says}\n${first}\n${samples}\nsleep 3\n`);
  chmodSync(path, 0o755);
  return path;
}

const service = join(import.meta.dirname, '../../../fixtures/targets/service.ts');
const asked = `keys: { main: "\${env:API_KEY}" }
actors: { echo: { name: message-relay, input: { message: "{{nonce}}" } } }
`;
const short = ['--warm-up', '1s', '--duration', '2s'];
const env = { API_KEY: key, SEED: 'load' };

const runIn = (output: string, name = 'load-latency.jsonl') => readRunFile(join(folder, output, name));

describe('a target of the profile', () => {
  const started = file(
    'command.yaml',
    `${asked}target: { command: [${process.execPath}, ${service}, --port, "{port}"], stop: 1s }\n`,
  );

  test('is started, loaded, looked at and stopped', patience, async () => {
    const spy = k6('spy', `cat /proc/$PPID/task/*/children > ${join(folder, 'children')}`);
    const args = ['load', 'latency', '-p', started, ...short, '--k6', spy, '-o', 'command'];
    const { code, out, err } = await touchstone(args, { env });
    expect(err).toMatch(/It is ready at http:\/\/127\.0\.0\.1:\d+ /);
    expect(out).toMatch(/^VALID {2}latency of http:\/\/127\.0\.0\.1:\d+/);
    expect(code).toBe(0);
    const { header, measurements } = runIn('command');
    expect(header.target).toMatch(/^http:\/\/127\.0\.0\.1:\d+$/);
    if (process.platform === 'linux') {
      expect(measurements?.[0]?.service?.samples.length).toBeGreaterThan(0);
      expect(measurements?.[0]?.service?.samples[0]).toMatchObject({
        rssBytes: expect.any(Number),
        sockets: expect.any(Number),
      });
      const children = readFileSync(join(folder, 'children'), 'utf8').match(/\d+/g)!.map(Number);
      expect(await soon(() => !children.some(isRunning))).toBe(true);
    }
    await expect(fetch(header.target)).rejects.toThrow();
  });

  test('nothing is started where the load is refused', patience, async () => {
    const mark = join(folder, 'it-was-started');
    const marking = file(
      'marking.yaml',
      `${asked}target: { command: "touch ${mark}; sleep 60", shell: true, port: 9 }\n`,
    );
    const { code, err } = await touchstone(
      ['load', 'latency', '-p', marking, '--rate', '5000', '--k6', k6('unused'), '-o', 'refused'],
      { env },
    );
    expect(err).toContain('more than the 1000 allowed');
    expect(code).toBe(2);
    expect(existsSync(mark)).toBe(false);
  });

  test('that does not start: exit code 4, with its last lines', patience, async () => {
    const dying = file('dying.yaml', `${asked}target: { command: "echo no database; exit 3", shell: true, port: 9 }\n`);
    const { code, err } = await touchstone(['load', 'latency', '-p', dying, '--k6', k6('idle'), '-o', 'dying'], {
      env,
    });
    expect(err).toContain('no database');
    expect(code).toBe(4);
  });

  test('is stopped when the load is interrupted', patience, async () => {
    const { code, out } = await touchstone(
      ['load', 'latency', '-p', started, '--duration', '60s', '--k6', k6('long', 'trap "" INT'), '-o', 'interrupted'],
      { env, interruptAt: ['/s of '] },
    );
    expect(code).toBe(130);
    expect(out).toContain('it was interrupted');
    await expect(fetch(runIn('interrupted').header.target)).rejects.toThrow();
  });

  test('in a container: the figures are those of its processes', patience, async ({ skip }) => {
    const missing = dockerMissing();
    if (missing !== undefined) return skip(missing);
    const profile = file(
      'container.yaml',
      `${asked}target: { container: "${serviceImage()}", env: { SEED: load }, stop: 1s }\n`,
    );
    const args = ['load', 'latency', '-p', profile, ...short, '--k6', k6('k6'), '-o', 'container'];
    const { code, err } = await touchstone(args, { env: { ...env, PATH: process.env.PATH! } });
    expect(code, err).toBe(0);
    const [measured] = runIn('container').measurements!;
    expect(measured?.service?.samples[0]?.rssBytes).toBeGreaterThan(20_000_000);
  });

  test('is nothing for a cluster', patience, async () => {
    const { code, err } = await touchstone(['load', 'latency', '-p', started, '--kubernetes'], { env });
    expect(err).toContain('on this machine, where a cluster cannot reach it');
    expect(code).toBe(2);
  });
});

describe('several runs', () => {
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
  /** A k6 that takes no time, and notes whom it was sent to. */
  const noting = (): string => {
    const path = k6('noting', `echo "$BASE_URL" >> ${join(folder, 'order')}`);
    writeFileSync(path, readFileSync(path, 'utf8').replace('sleep 3\n', ''));
    return path;
  };
  const profile = file('plain.yaml', `address: http://127.0.0.1:1\n${asked}`);

  test('--repeat: so many measurements in one file, which compare takes', patience, async () => {
    const args = ['load', 'latency', await echo(), '-p', profile, ...short, '--repeat', '3', '--k6', noting()];
    const { code, out, err } = await touchstone([...args, '-o', 'thrice'], { env });
    expect(code, err).toBe(0);
    expect(out.match(/^VALID/gm)).toHaveLength(3);
    expect(runIn('thrice').measurements?.map(({ id }) => id)).toEqual(['latency-1', 'latency-2', 'latency-3']);
    const compared = await touchstone(['compare', 'thrice/load-latency.jsonl', 'thrice']);
    expect(compared.out).toContain('cannot tell');
    expect(compared.code).toBe(3);
  });

  test('--against: by turns, each begins as often, compared at the end', patience, async () => {
    const [base, now] = [await echo(), await echo()];
    const args = ['load', 'latency', now, '--against', base, '-p', profile, ...short, '--k6', noting(), '-o', 'both'];
    writeFileSync(join(folder, 'order'), '');
    const { code, out, err } = await touchstone(args, { env });
    const order = readFileSync(join(folder, 'order'), 'utf8').trim().split('\n');
    const turns = [now, base, base, now, now, base, base, now, now, base];
    expect(order, err).toEqual(turns);
    expect(runIn('both').measurements).toHaveLength(5);
    expect(runIn('both/against').header.target).toBe(base);
    // The samples were alike to the digit.
    expect(out).toMatch(/same within/);
    expect(code).toBe(0);
    expect(readdirSync(join(folder, 'both/against'))).not.toContain('.load.lock');
  });

  test('what is too long altogether is refused, and so is one process for two services', patience, async () => {
    const many = await touchstone(
      ['load', 'latency', await echo(), '-p', profile, '--duration', '2m', '--repeat', '9', '--k6', noting()],
      { env },
    );
    expect(many.err).toContain('600 s are allowed');
    const both = await touchstone(
      ['load', 'latency', '-p', profile, '--against', 'http://127.0.0.1:2', '--target-pid', String(process.pid)],
      { env },
    );
    expect(both.err).toContain('--target-pid names one process');
    expect([many.code, both.code]).toEqual([2, 2]);
  });
});
