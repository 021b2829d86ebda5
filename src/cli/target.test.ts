/** `--target` as a person types it, and what becomes of the service when the run is ended in all ways that there are. */
import { describe, expect, test } from 'vitest';
import { demoKeys } from '../../fixtures/service/index.ts';
import { ownedBy } from '../target/processes.ts';
import { endedBy, leftOf, misbehaving, referenceService } from '../target/testing.ts';
import { patience, place } from './testing.ts';

const { folder, touchstone, file } = place();
const node = process.execPath;
const env = {
  TOUCHSTONE_API_KEY: demoKeys('demonstration').entitled.key,
  TOUCHSTONE_ADMIN_TOKEN: 'the-admin-token',
  ADMIN_TOKEN: 'the-admin-token',
};
const reference = [node, referenceService, '--port', '{port}'];

describe('without a profile', patience, () => {
  test('a command is started, asked and stopped; the second instance lacks the token of our own environment', async () => {
    const { code, out, err } = await touchstone(
      ['check', '--target', 'command', '--depth', 'quick', '--', ...reference],
      { env },
    );
    expect(err).toMatch(/ready at http:\/\/127\.0\.0\.1:\d+, and a second instance without an admin token/);
    expect(out).toContain('CONFORMS, as far as tested');
    expect(out).toMatch(/disabled +3 pass/);
    expect(code).toBe(0);
  });

  test.each<[string, string[], number, string]>([
    [
      'nothing to start',
      ['--target', 'command'],
      2,
      "--target command needs a target to start: touchstone check --target command -- ./my-service --port '{port}'",
    ],
    ['no port', ['--target', 'command', '--', 'sleep', '9'], 2, 'its port is unknown'],
    ['two addresses', ['http://127.0.0.1:1', 'http://127.0.0.1:2'], 2, 'expected one address'],
    ['the reference besides', ['--reference', '--target', 'command', '--', ...reference], 2, '--reference has its own'],
    ['a compose file alone', ['--target', 'compose', '--', 'compose.yaml'], 2, 'takes a file, a service and its port'],
    ['no such program', ['--target', 'command', '--', './nothing', '{port}'], 4, 'there is no such program'],
    [
      'one that dies',
      ['--target', 'command', '--', node, misbehaving, 'dies at start', '{port}'],
      4,
      '  | cannot read the configuration',
    ],
    ['no engine', ['--target', 'container', '--', 'any'], 5, 'no container engine answers at unix:///no/such.sock'],
    ['no such compose file', ['--target', 'compose', '--', 'none.yaml', 'a', '80'], 2, 'none.yaml does not exist'],
  ])('%s: one clear message', async (_, args, exitCode, says) => {
    const nowhere = { ...env, DOCKER_HOST: 'unix:///no/such.sock' };
    const { code, out, err } = await touchstone(['check', ...args], { env: nowhere });
    expect(err).toContain(says);
    expect(err).not.toMatch(/\n\s+at /);
    expect(out).toBe('');
    expect(code).toBe(exitCode);
  });

  test('a service that dies while it is asked: said at the end, with its last lines', async () => {
    const { err } = await touchstone(
      ['check', '--target', 'command', '--timeout', '1s', '--', node, misbehaving, 'answers, then dies', '{port}'],
      { env },
    );
    expect(err).toContain('The service ended before the run: it ended with exit code 9');
    expect(err).toContain('  | out of memory');
  });
});

test('an address on the command line wins over the target of the profile', patience, async () => {
  const profile = file('target.yaml', `target: { command: [./nothing, "{port}"] }\n`);
  const { code, err } = await touchstone(['check', 'http://127.0.0.1:9', '-p', profile], { env });
  expect(err).not.toContain('Starting');
  expect(code).toBe(4);
});

test(
  'doctor counts what a target can do: rules that restart it and read its store are not missing',
  patience,
  async () => {
    const target = {
      command: reference,
      env: { ADMIN_TOKEN: env.ADMIN_TOKEN, DATABASE: 'keys.sqlite' },
      store: { path: 'keys.sqlite' },
    };
    const admin = {
      token: `\${env:ADMIN_TOKEN}`,
      create: { method: 'POST', body: { tier: '{tier}' }, key: '/key', id: '/id' },
      list: { method: 'GET' },
    };
    const actors = { clean: { name: 'text-digest', input: { text: 'a' } } };
    const keys = { main: { value: env.TOUCHSTONE_API_KEY, test: true } };
    const profile = file('doctor.yaml', JSON.stringify({ target, admin, actors, keys }));
    const { out, err } = await touchstone(['doctor', '-p', profile, '--json'], { env });
    expect(err).toBe('');
    const areas: { can: string[]; cannot: { because: string }[] }[] = JSON.parse(out).areas;
    expect(areas.flatMap(({ can }) => can)).toEqual(
      expect.arrayContaining(['admin.store-holds-no-plaintext', 'admin.survives-restart']),
    );
    expect(areas.flatMap(({ cannot }) => cannot.map(({ because }) => because)).join()).not.toMatch(/restart|store/);
  },
);

const during = (words: readonly string[], when: RegExp | number, how: readonly NodeJS.Signals[]) =>
  endedBy(['command', '--depth', 'thorough', '--', ...words], when, how, folder, env);

describe('a run that is ended', patience, () => {
  const slow = [node, misbehaving, 'never listens', '{port}'];
  const forking = [node, misbehaving, 'forks', '{port}'];

  test.each<[string, string[], RegExp, NodeJS.Signals[], number | null]>([
    ['while the service starts', slow, /Starting/, ['SIGINT'], 130],
    ['while the service starts, twice', slow, /Starting/, ['SIGINT', 'SIGINT'], 130],
    ['while the service starts, by force', slow, /Starting/, ['SIGKILL'], null],
    ['while it is asked', reference, /checking http/, ['SIGTERM'], 130],
    ['while it is asked, by force', reference, /checking http/, ['SIGKILL'], null],
    ['with processes that ignore being asked, by force', forking, /checking http/, ['SIGKILL'], null],
    ['while it stops, by force', forking, /checking http/, ['SIGINT', 'SIGKILL'], null],
  ])('%s: nothing is left of what it started', async (_, words, when, signals, exitCode) => {
    const { owner, code } = await during(words, when, signals);
    if (!signals.includes('SIGKILL')) expect(code).toBe(exitCode);
    expect(await leftOf(owner)).toEqual([]);
  });

  test('by force at any moment: nothing is left either', async () => {
    for (let moment = 60; moment < 800; moment += 90) {
      const { owner } = await during(forking, moment, ['SIGKILL']);
      expect(await leftOf(owner)).toEqual([]);
      expect(ownedBy(owner)).toEqual([]);
    }
  });
});
