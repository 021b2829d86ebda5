/** Ends that nobody plans: a signal at any time, a full disk behind standard output, a folder that goes away. */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { bin, patience, place } from './testing.ts';

const { folder, touchstone } = place();
// One area is enough: how a check ends depends on none of what it asked.
const quick = ['check', '--reference', '--depth', 'quick', '--only', 'run'];

/** Whether the program already listens, by the record of Linux: for SIGHUP last of the three, and Node itself never does for that one. */
function listens(pid: number): boolean {
  const caught = /^SigCgt:.*([0-9a-f])$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
  return Number.parseInt(caught, 16) % 2 === 1;
}

describe.concurrent('signals', patience, () => {
  test.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s before anything has begun: exit code 130', async (signal) => {
    const child = spawn(process.execPath, [bin, ...quick, '--output', signal], { cwd: folder, stdio: 'ignore' });
    const ended = new Promise<number | null>((resolve) => child.on('close', resolve));
    while (!listens(child.pid!)) await passing(1);
    child.kill(signal);
    expect(await ended).toBe(130);
  });

  test.each(['SIGTERM', 'SIGHUP'] as const)('%s in the middle: the run is reported as interrupted', async (signal) => {
    const { code, out } = await touchstone([...quick, '--output', `mid-${signal}`], {
      when: { said: 'checking ', act: (pid) => process.kill(pid, signal) },
    });
    expect(out).toMatch(/exit code 130: interrupted\n$/);
    expect(code).toBe(130);
  });
});

describe.concurrent('what is written goes nowhere', patience, () => {
  test.each([
    ['a check', [...quick, '--output', 'of-full']],
    ['a list', ['rules']],
    ['an explanation', ['explain', 'run.success-shape']],
  ])('a full disk behind standard output, for %s: exit code 3, and one sentence', async (_, args) => {
    const { code, err } = await touchstone(args, { outTo: '/dev/full' });
    expect(err).toContain('standard output cannot be written: no space is left on the disk');
    expect(err).not.toMatch(/\n\s+at /);
    expect(code).toBe(3);
  });

  const ways: readonly (readonly [string, (path: string) => void])[] = [
    ['removed', (path) => rmSync(path, { recursive: true })],
    [
      'emptied',
      (path) => {
        for (const name of readdirSync(path)) rmSync(join(path, name));
      },
    ],
    [
      'replaced by a file',
      (path) => {
        rmSync(path, { recursive: true });
        writeFileSync(path, '');
      },
    ],
    [
      'made anew',
      (path) => {
        rmSync(path, { recursive: true });
        mkdirSync(path);
        writeFileSync(join(path, 'run.jsonl'), '');
      },
    ],
  ];
  test.each(ways)(
    'an output folder that is %s in the middle: exit code 3, also where it is printed',
    async (name, act) => {
      const output = `of-${name.replaceAll(' ', '-')}`;
      const { code, out, err } = await touchstone([...quick, '--output', output], {
        when: { said: 'checking ', act: () => act(join(folder, output)) },
      });
      expect(err).toContain('it was removed or replaced during the run');
      expect(out).not.toMatch(/^CONFORMS/m);
      expect(out).toContain('exit code 3: ');
      expect(code).toBe(3);
    },
  );
});
