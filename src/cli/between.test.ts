/** `touchstone between` as its users run it: from its start to every way in which it ends. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Serving, seedsOf, serve } from '../../fixtures/service/index.ts';
import { matrixKeys } from '../../proofs/matrix/try-on.ts';
import { readRunFile } from '../runfile/read.ts';
import { bin, patience, place, soon } from './testing.ts';

const { folder, touchstone } = place();
const key = matrixKeys.entitled.key;
let service: Serving;
let children: ChildProcess[] = [];

beforeAll(async () => {
  service = await serve({
    host: '127.0.0.1',
    port: 0,
    keys: seedsOf(matrixKeys),
    keyLimits: false,
    addressLimit: false,
  });
});
afterAll(() => service.close());
afterEach(() => {
  for (const child of children) child.kill('SIGKILL');
  children = [];
});

interface Started {
  readonly url: string;
  readonly child: ChildProcess;
  readonly runFile: string;
  said(): string;
  readonly ended: Promise<number | null>;
}

let nth = 0;

async function start(...args: string[]): Promise<Started> {
  nth += 1;
  const output = `out-${nth}`;
  const child = spawn(process.execPath, [bin, 'between', ...args, '-o', output], { cwd: folder });
  children.push(child);
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (part: Buffer) => {
      said += part.toString();
    });
  const ended = new Promise<number | null>((resolve) => child.once('close', (code) => resolve(code)));
  await soon(() => /listens at \S+ and [\s\S]*It judges/.test(said) || child.exitCode !== null);
  const [, url = ''] = /listens at (http:\S+)/.exec(said) ?? [];
  return { url, child, runFile: join(folder, output, 'run.jsonl'), said: () => said, ended };
}

const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
const run = (url: string, body = '{"text":"one two"}'): Promise<Response> =>
  fetch(`${url}/v1/actors/text-digest/run-sync-get-dataset-items`, { method: 'POST', headers, body });

describe('touchstone between', patience, () => {
  it('judges both sides at its end; judging its run again agrees, and no output contains a key', async () => {
    const { url, child, runFile, ended, said } = await start(
      service.url,
      '--verbose',
      '--format',
      'console,json,junit,html,markdown',
    );
    expect((await run(url)).status).toBe(200);
    expect((await run(url, '{"cut')).status).toBe(400);
    await fetch(`${url}/v1/auth/verify`, { headers: { authorization: `Bearer ${key}` } });
    child.kill('SIGTERM');
    expect(await ended).toBe(1);
    expect(said()).toContain('FAIL client.sends-the-key');
    expect(said()).toMatch(/Seen for GET \/v1\/auth\/verify:\s+0\.00 s {2}GET \/v1\/auth\/verify → 401/);
    expect(said()).toMatch(/run\.success-shape · 1 exchange /);
    for (const name of ['run.jsonl', 'touchstone.json', 'report.html'].map((each) => join(runFile, '..', each)))
      if (existsSync(name)) expect(readFileSync(name, 'utf8')).not.toContain(key.slice(8));
    expect(said()).not.toContain(key.slice(8));
    const again = await touchstone(['judge', runFile]);
    expect(again.out).toContain('derived again: all as written');
    expect(again.code).toBe(1);
    expect((await touchstone(['report', runFile, '--format', 'tap=-'])).out).toContain('client.sends-the-key');
  });

  it('ends when nothing passes any more, or after a time; with nothing that passed, nothing is judged', async () => {
    const idle = await start(service.url, '--until-idle', '300ms');
    await run(idle.url);
    expect(await idle.ended).toBe(0);
    const timed = await start(service.url, '--duration', '200ms');
    expect(await timed.ended).toBe(3);
    expect(timed.said()).toContain('Nothing passed, so nothing was judged');
  });

  it('calls a service that never answered unreachable, and its client gets 502', async () => {
    const { url, child, ended, said } = await start('http://127.0.0.1:1');
    const answer = await run(url);
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ error: 'bad_gateway', detail: expect.stringContaining('not reached') });
    child.kill('SIGINT');
    expect(await ended).toBe(4);
    expect(said()).toContain('refused');
  });

  it('leaves a run file that can be read when it is killed, and it has no result', async () => {
    const { url, child, runFile, ended } = await start(service.url);
    await run(url);
    expect(await soon(() => readFileSync(runFile, 'utf8').includes('"type":"exchange"'))).toBe(true);
    child.kill('SIGKILL');
    await ended;
    const read = readRunFile(runFile, { partial: true });
    expect(read.footer).toBeUndefined();
    expect(read.exchanges.size).toBe(1);
    expect((await touchstone(['report', runFile])).code).toBe(3);
  });

  it('may run into the same folder again, but not at once', async () => {
    const first = await start(service.url, '--duration', '20s');
    const output = join(first.runFile, '..');
    const second = await touchstone(['between', service.url, '--duration', '100ms', '-o', output]);
    expect([second.code, second.err]).toEqual([2, expect.stringContaining('[')]);
    await run(first.url);
    first.child.kill('SIGTERM');
    expect(await first.ended).toBe(0);
    expect((await touchstone(['between', service.url, '--duration', '100ms', '-o', output])).code).toBe(3);
  });

  it('also works before the reference service, and injects what was requested', async () => {
    const { url, child, runFile, ended, said } = await start('--reference', '--inject', '502=1', '--seed', '3');
    const [, own = ''] = /API_KEY=(\S+)/.exec(said()) ?? [];
    const answer = await fetch(`${url}/v1/actors/text-digest/run-sync-get-dataset-items`, {
      method: 'POST',
      headers: { ...headers, 'X-API-Key': own },
      body: '{"text":"x"}',
    });
    expect(answer.status).toBe(502);
    expect((await fetch(`${url}/v1/auth/verify`, { headers: { 'X-API-Key': own } })).status).toBe(200);
    child.kill('SIGINT');
    expect(await ended).toBe(0);
    expect([...readRunFile(runFile).exchanges.values()].map(({ injected }) => injected)).toEqual([
      'failing-once-502',
      undefined,
    ]);
    expect(said()).toContain('1 of 2 calls were answered or broken by Touchstone');
  });

  it('passes the rest on where its record is full', async () => {
    const { url, child, ended, said } = await start(service.url, '--most', '1');
    await run(url);
    expect((await run(url)).status).toBe(200);
    child.kill('SIGINT');
    await ended;
    expect(said()).toContain('1 more calls passed');
  });

  it.each([
    ['no service', [], 'pass its address'],
    ['two services', ['http://127.0.0.1:1', '--reference'], 'only one of them'],
    ['no address', ['nonsense'], 'it is not an address'],
    ['another protocol', ['ftp://127.0.0.1'], 'neither http'],
    ['credentials', ['http://user:secret@127.0.0.1'], 'holds credentials'],
    ['no situation', ['--reference', '--inject', 'nonsense'], 'there is no situation'],
    ['too high rates', ['--reference', '--inject', '429=0.7', '--inject', '502=0.7'], 'more than 1'],
    ['no rule', ['--reference', '--only', 'client.wait-as-told'], 'client.waits-as-told'],
  ])('refuses %s', async (_, args, says) => {
    const { code, err } = await touchstone(['between', ...args]);
    expect(code).toBe(2);
    expect(err).toContain(says);
    expect(err).not.toContain('secret');
  });

  it('says so where something listens at its port', async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
    const { port } = other.address() as AddressInfo;
    const { code, err } = await touchstone(['between', service.url, '--port', String(port)]);
    other.close();
    expect(code).toBe(2);
    expect(err).toContain('something already listens there');
  });
});
