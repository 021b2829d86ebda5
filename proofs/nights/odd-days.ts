/**
 * Days on which the machine, the clock, the names or the service do what they should not. Whatever happens: the exit code is one of those
 * that are documented for it, the words are clear, no service that conforms is failed for it, and nothing half is green.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import type { Random } from '../../src/random.ts';
import { readable } from './kills.ts';
import { type Ended, type How, type Place, soon } from './surroundings.ts';

export interface OddDay {
  readonly name: string;
  /** How often in a whole night. */
  readonly times: number;
  /** In one sentence each; none: all is well. */
  readonly live: (place: Place, random: Random, folder: string) => Promise<string[]>;
}

const check = (folder: string, ...more: readonly string[]): string[] => [
  'check',
  '--depth',
  'quick',
  '-o',
  folder,
  ...more,
];
const preload = (name: string): string[] => ['--require', join(import.meta.dirname, 'preload', `${name}.cjs`)];

/** Where a check called, if not at the address of its profile; `clean` must call there too, and may miss it as the check did. */
interface Elsewhere {
  readonly address: string;
  readonly how: How;
  readonly attempts: number;
}

/** What holds of every end. 1 is never among the codes: the service conforms. */
async function sane(
  place: Place,
  folder: string,
  ended: Ended,
  codes: readonly number[],
  elsewhere?: Elsewhere,
): Promise<string[]> {
  const { code, signal, out, err } = ended;
  const problems: string[] = [];
  const last = `${out.slice(-300)} ${err.slice(-300)}`;
  if (code === null || !codes.includes(code)) problems.push(`it ended with ${code ?? signal}: ${last}`);
  if (code !== 0 && /CONFORMS/.test(out)) problems.push(`it ended with ${code} and says that the service conforms`);
  if (code !== 0 && (out + err).trim() === '') problems.push(`it ended with ${code} and without a word`);
  if (/\n\s+at |a fault in Touchstone itself/.test(err)) problems.push(`it fell over: ${err.slice(-500)}`);
  problems.push(...(await readable(join(place.folder, folder, 'run.jsonl'))));
  const args = ['clean', '-o', folder, ...(elsewhere === undefined ? [] : [elsewhere.address])];
  let said = '';
  for (let attempt = 0; attempt < (elsewhere?.attempts ?? 1) && place.foreignKeys().length > 0; attempt += 1) {
    const clean = await place.touchstone(args, elsewhere?.how).ended;
    said = clean.out + clean.err;
  }
  const stayed = place.foreignKeys();
  if (stayed.length > 0) problems.push(`${stayed.length} keys stayed in the service: ${said}`);
  return problems;
}

const once =
  (codes: readonly number[], how: How, ...more: readonly string[]): OddDay['live'] =>
  async (place, _, folder) =>
    sane(place, folder, await place.touchstone(check(folder, ...more), how).ended, codes);

/** Runs something while a check goes on, as soon as it has begun to write. */
async function during(place: Place, folder: string, act: (pid: number) => Promise<void>): Promise<Ended> {
  const started = place.touchstone(check(folder));
  await soon(() => existsSync(join(place.folder, folder, 'run.jsonl')));
  await act(started.pid);
  return started.ended;
}

/** A file system of its own, where this process may mount one. */
function mounted(path: string, options: string): (() => void) | undefined {
  mkdirSync(path, { recursive: true });
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', path], { stdio: 'ignore' });
    return () => execFileSync('umount', ['-l', path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
}

export const oddDays: readonly OddDay[] = [
  {
    name: 'a disk that is full (a small file system; or a limit on files)',
    times: 50,
    async live(place, random, folder) {
      const kilobytes = 4 + Math.floor(random() ** 2 * 3000);
      const formats = ['--format', 'console,json,html'];
      const unmount = mounted(join(place.folder, folder), `size=${kilobytes}k`);
      try {
        const how = unmount === undefined ? { before: `ulimit -f ${kilobytes}` } : {};
        const ended = await place.touchstone(check(folder, ...formats), how).ended;
        const problems = await sane(place, folder, ended, [0, 2, 3]);
        if (ended.code !== 0 && !/\[(write-failed|cannot-write)\]/.test(ended.err))
          problems.push(`${kilobytes} kB: it does not say that the disk is full: ${ended.err.slice(-300)}`);
        return problems;
      } finally {
        unmount?.();
      }
    },
  },
  {
    name: 'a limit on the size of files',
    times: 10,
    async live(place, random, folder) {
      const how = { before: `ulimit -f ${1 + Math.floor(random() * 800)}` };
      const ended = await place.touchstone(check(folder), how).ended;
      const problems = await sane(place, folder, ended, [0, 3]);
      if (ended.code === 3 && !ended.err.includes('[write-failed]')) problems.push(`it does not say why: ${ended.err}`);
      return problems;
    },
  },
  {
    name: 'a folder that is a file, and one that is read-only',
    times: 2,
    async live(place, _, folder) {
      writeFileSync(join(place.folder, folder), 'a file');
      const none = await place.touchstone(check(folder)).ended;
      const problems =
        none.code === 2 && none.err.includes('[cannot-write]') ? [] : [`${none.code}: ${none.err.slice(-200)}`];
      const unmount = mounted(join(place.folder, `${folder}-fixed`), 'ro');
      if (unmount === undefined) return problems;
      try {
        const fixed = await place.touchstone(check(`${folder}-fixed`)).ended;
        if (fixed.code !== 2 || !/read-only.*\n.*\[cannot-write\]/.test(fixed.err))
          problems.push(`read-only: ${fixed.code}: ${fixed.err.slice(-200)}`);
      } finally {
        unmount();
      }
      return problems;
    },
  },
  ...[40, 64, 130].map(
    (files): OddDay => ({
      name: `${files} files at most`,
      times: 3,
      async live(place, _, folder) {
        const ended = await place.touchstone(check(folder), { before: `ulimit -n ${files}` }).ended;
        return ended.code === 2 && ended.err.includes('[too-few-files]')
          ? []
          : [`it ended with ${ended.code} and does not say why: ${ended.err.slice(-300)}`];
      },
    }),
  ),
  {
    name: '512 files at most, the fewest for 64 at a time',
    times: 3,
    live: once([0, 3], { before: 'ulimit -n 512' }, '--concurrency', '64'),
  },
  { name: '256 MB of memory', times: 3, live: once([0, 3], { env: { NODE_OPTIONS: '--max-old-space-size=256' } }) },
  ...[-86_400_000, 86_400_000 * 365].map(
    (by): OddDay => ({
      name: `the clock steps ${by < 0 ? 'back by a day' : 'forth by a year'}`,
      times: 5,
      async live(place, random, folder) {
        const env = { NIGHT_CLOCK_BY: String(by), NIGHT_CLOCK_AFTER: String(Math.round(random() * 2500)) };
        const ended = await place.touchstone(check(folder), { env, node: preload('clock') }).ended;
        return sane(place, folder, ended, [0, 3]);
      },
    }),
  ),
  ...(
    [
      ['for seconds', 20, (random: Random) => 1000 + random() * 6000],
      ['for a minute', 3, () => 60_000],
    ] as const
  ).map(
    ([long, times, ms]): OddDay => ({
      name: `suspended (SIGSTOP) ${long}`,
      times,
      async live(place, random, folder) {
        const ended = await during(place, folder, async (pid) => {
          await passing(random() * 1500);
          process.kill(pid, 'SIGSTOP');
          await passing(ms(random));
          process.kill(pid, 'SIGCONT');
        });
        return sane(place, folder, ended, [0, 3]);
      },
    }),
  ),
  {
    name: 'a name that leads elsewhere now and then',
    times: 5,
    async live(place, _, folder) {
      const address = place.url.replace('127.0.0.1', 'service.test');
      const how = { node: preload('names') };
      const ended = await place.touchstone(check(folder, address), how).ended;
      // Every third lookup leads elsewhere.
      return sane(place, folder, ended, [0, 3, 4], { address, how, attempts: 3 });
    },
  },
  {
    name: 'the service is restarted in the middle',
    times: 20,
    async live(place, random, folder) {
      const ended = await during(place, folder, async () => {
        await passing(random() * 1500);
        await place.restart(random() * 1500);
      });
      return sane(place, folder, ended, [0, 3]);
    },
  },
  {
    name: '20 checks at once in one folder',
    times: 3,
    async live(place, _, folder) {
      const args = [...check(folder), '--only', 'verify'];
      const all = await Promise.all(Array.from({ length: 20 }, () => place.touchstone(args).ended));
      const problems: string[] = [];
      for (const { code, err } of all)
        if (code !== 0 && !(code === 2 && err.includes('[folder-in-use]')))
          problems.push(`${code}: ${err.slice(-200)}`);
      if (!all.some(({ code }) => code === 0)) problems.push('not one of them came through');
      problems.push(...(await sane(place, folder, all.find(({ code }) => code === 0) ?? all[0]!, [0])));
      const lines = readFileSync(join(place.folder, folder, 'run.jsonl'), 'utf8')
        .trim()
        .split('\n');
      if (!lines.at(-1)?.startsWith('{"type":"footer"')) problems.push('the run file has no end');
      return problems;
    },
  },
];
