/** What a run must not be used for: calling third parties, running what a profile says, probing who did not ask for it. */
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openPlace, type Place, soon } from '../../proofs/nights/surroundings.ts';
import { listening } from '../http/testing.ts';
import { startSources } from '../sources/server.ts';

const long = { timeout: 120_000 };
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

const profile = (): Record<string, never> =>
  JSON.parse(readFileSync(join(place.folder, 'touchstone.json'), 'utf8')) as Record<string, never>;
const write = (name: string, value: object | string): string => {
  writeFileSync(join(place.folder, name), typeof value === 'string' ? value : JSON.stringify(value));
  return name;
};
const run = (...args: string[]) => place.touchstone(args).ended;

describe('redirects', long, () => {
  test.each([
    ['check', ['check', '--depth', 'quick']],
    ['load', ['load', 'smoke', '--duration', '1s', '--warm-up', '250ms']],
    ['doctor', ['doctor']],
  ])('%s follows none, so no key goes elsewhere', async (name, args) => {
    const visits: string[] = [];
    const third = createServer((request, response) => {
      visits.push(`${request.method} ${request.url}`);
      response.end();
    });
    const elsewhere = `http://127.0.0.1:${await listening(third)}`;
    const asked: string[] = [];
    const here = createServer((request, response) => {
      asked.push(String(request.url));
      response.writeHead(307, { Location: `${elsewhere}${request.url}` }).end();
    });
    const served = `http://127.0.0.1:${await listening(here)}`;
    try {
      const output = name === 'doctor' ? [] : ['-o', `redirected-${name}`];
      const { code } = await run(...args, served, '-p', 'touchstone.json', ...output);
      expect(code).not.toBe(0);
      expect(asked.length).toBeGreaterThan(0);
      expect(visits).toEqual([]);
    } finally {
      for (const server of [third, here]) {
        server.close();
        server.closeAllConnections();
      }
    }
  });
});

describe('a profile that is no code runs none', long, () => {
  test.each([
    ['a tag', "strange: !!js/function \"function () { require('fs').writeFileSync('ran', '') }\"\n"],
    ['a file to extend', 'extends: ./evil.ts\n'],
    ['a file to include', 'include: [./evil.ts]\n'],
    ['a command in a text', 'headers: { x-a: "$(touch ran)`touch ran`" }\n'],
    ['a reference to code', 'headers: { x-a: "${file:evil.ts}" }\n'],
  ])('%s', async (_, line) => {
    write('evil.ts', "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran', '');\nexport default {};\n");
    write('evil.yaml', `address: ${place.url}\n${line}`);
    await run('check', '-p', 'evil.yaml', '--only', 'verify', '-o', 'evil');
    expect(existsSync(join(place.folder, 'ran'))).toBe(false);
  });

  test('one that is a .ts does, which is why it must be named so', async () => {
    write('own.ts', "import { writeFileSync } from 'node:fs';\nwriteFileSync('ran-itself', '');\nexport default {};\n");
    await run('check', '-p', 'own.ts', '--only', 'verify', '-o', 'own');
    expect(existsSync(join(place.folder, 'ran-itself'))).toBe(true);
  });
});

test('limits of another machine are not looked for by check either, whatever the budget', long, async () => {
  const limits = { max_requests: 100 };
  // Another machine by its name, and this one by its address: nothing leaves it.
  const names = join(import.meta.dirname, '../../proofs/nights/preload/names.cjs');
  const address = place.url.replace('127.0.0.1', 'service.test');
  write('budget.json', { ...profile(), address, limits });
  write('allowed.json', { ...profile(), address, limits: { ...limits, allow: true } });
  const how = { node: ['--require', names] };
  for (const name of ['budget.json', 'allowed.json']) {
    const args = ['check', '-p', name, '--only', 'limit,address', '-o', `of-${name}`, '--verbose'];
    await place.touchstone(args, how).ended;
    const text = readFileSync(join(place.folder, `of-${name}`, 'run.jsonl'), 'utf8');
    expect(text).not.toContain('"purpose":"probe"');
    expect(text).toContain('limits');
  }
});

/** Ports at which a process of this machine listens, by `ss` or the kernel's own table. */
function listenersOf(pid: number): number {
  const sockets = execFileSync('sh', ['-c', `ls -l /proc/${pid}/fd 2>/dev/null || true`], { encoding: 'utf8' });
  const inodes = new Set([...sockets.matchAll(/socket:\[(\d+)\]/g)].map(([, inode]) => inode));
  const tables = ['tcp', 'tcp6'].map((name) => {
    try {
      return readFileSync(`/proc/net/${name}`, 'utf8');
    } catch {
      return '';
    }
  });
  return tables
    .join('\n')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter((fields) => fields[3] === '0A' && inodes.has(fields[9])).length;
}

describe('the source server', long, () => {
  test.each([
    [true, 'while an input leads to it'],
    [false, 'never otherwise'],
  ])('listens: %s, %s', async (wanted, _) => {
    const { actors, ...rest } = profile() as unknown as { actors: Record<string, unknown> };
    const kept = wanted ? actors : { clean: actors.clean, echo: actors.echo };
    const name = write(`sources-${wanted}.json`, { ...rest, actors: kept });
    const started = place.touchstone(['check', '-p', name, '--depth', 'quick', '-o', `sources-${wanted}`]);
    let over = false;
    let seen = 0;
    void started.ended.then(() => {
      over = true;
    });
    await soon(() => {
      seen = Math.max(seen, listenersOf(started.pid));
      return over || (wanted && seen > 0);
    }, 100_000);
    const { code } = await started.ended;
    expect([0, 3]).toContain(code);
    expect(seen > 0).toBe(wanted);
  });

  test('answers what it handed out and nothing else, on the narrowest address', async () => {
    const options = { listen: '127.0.0.1', port: 0, body: '[{"token":"{{token}}"}]', contentType: 'application/json' };
    const server = await startSources({ ...options, random: Math.random });
    try {
      const planted = server.plant('ok', 'ok');
      expect(new URL(planted.url).hostname).toBe('127.0.0.1');
      expect((await fetch(planted.url)).status).toBe(200);
      const strange = ['/', '/s/', '/s/1xaaaaaaaabbbbbbbb', '/etc/passwd', '/s/../../etc/passwd', '/run.jsonl'];
      for (const path of strange) expect((await fetch(new URL(path, planted.url))).status).toBe(404);
      expect(server.strangers()).toBe(strange.length);
    } finally {
      await server.close();
    }
    const silent = await startSources({ ...options, random: Math.random, listening: false });
    expect(silent.port).toBe(0);
    expect(silent.plant('ok', 'ok').url).toMatch(/^http:\/\/127\.0\.0\.1:1\//);
    await silent.close();
  });
});
