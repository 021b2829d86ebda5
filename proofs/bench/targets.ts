/** What starting a service costs compared with its own start, and whether anything is left of runs that were ended at any moment. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serviceImage } from '../../fixtures/targets/image.ts';
import { freshSeed, seeded } from '../../src/random.ts';
import { openTarget } from '../../src/target/index.ts';
import { ownerOf } from '../../src/target/owner.ts';
import { freePort } from '../../src/target/ports.ts';
import {
  dockerMissing,
  leftInDocker,
  leftOf,
  misbehaving,
  profileOf,
  referenceService,
} from '../../src/target/testing.ts';
import { type Figure, median, timed } from './measure.ts';

const rounds = 9;
const runs = 50;
const signals = [['SIGINT'], ['SIGTERM'], ['SIGKILL'], ['SIGINT', 'SIGINT'], ['SIGINT', 'SIGKILL']] as const;

export async function targets(): Promise<Figure[]> {
  const docker = dockerMissing() === undefined;
  const command = [process.execPath, referenceService, '--port', '{port}'];
  const own: number[] = [];
  const ours: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    own.push(await alone());
    ours.push(await opening({ command }));
  }
  const added = median(ours) - median(own);
  const figures: Figure[] = [
    figure(
      'a command target, beside the own start of its service',
      `${added.toFixed(0)} ms more`,
      '≤ 300 ms',
      added <= 300,
    ),
  ];
  if (docker) {
    const container = { container: serviceImage(), stop: '0s' };
    const took: number[] = [];
    for (let round = 0; round < rounds; round += 1) took.push(await opening(container));
    figures.push(
      figure(
        'a container target, until it is ready',
        `${(median(took) / 1000).toFixed(2)} s`,
        '≤ 3 s',
        median(took) <= 3000,
      ),
    );
  }
  const left = await interrupted(docker);
  figures.push(
    figure(
      `left of ${runs} runs that were ended at any moment`,
      left.length === 0 ? 'nothing' : left.join(', '),
      'nothing',
      left.length === 0,
    ),
  );
  return figures;
}

const figure = (what: string, value: string, goal: string, reached: boolean): Figure => ({
  what,
  value,
  goal,
  reached,
});

/** From the start of the process to its first answer, with nothing of ours around it. */
async function alone(): Promise<number> {
  const port = await freePort();
  const child = spawn(process.execPath, [referenceService, '--port', String(port)], { stdio: 'ignore' });
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const took = await timed(async () => {
    while (!(await answers(port))) await sleep(2);
  });
  child.kill('SIGKILL');
  await ended;
  return took;
}

const answers = async (port: number): Promise<boolean> => {
  try {
    await fetch(`http://127.0.0.1:${port}/`);
    return true;
  } catch {
    return false;
  }
};

async function opening(target: Record<string, unknown>): Promise<number> {
  const profile = profileOf({ target });
  let opened: Awaited<ReturnType<typeof openTarget>> | undefined;
  const took = await timed(async () => {
    opened = await openTarget(profile);
  });
  await opened?.close();
  return took;
}

/** Whatever is left: processes, containers, networks, volumes, files where temporary ones go. */
async function interrupted(docker: boolean): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-bench-'));
  const temporary = join(folder, 'tmp');
  mkdirSync(temporary);
  const random = seeded(freshSeed());
  const kinds = docker ? [aCommand(), aContainer(), aProject(folder)] : [aCommand()];
  const left: string[] = [];
  try {
    for (let run = 0; run < runs; run += 1) {
      // A project takes long; every tenth will do.
      const { words, longestMs } = kinds[run % 10 === 9 ? kinds.length - 1 : run % Math.min(2, kinds.length)]!;
      const owner = await ended(words, folder, signals[run % signals.length]!, random() * longestMs, random);
      left.push(...(await leftOf(owner, 60_000)).map((pid) => `process ${pid}`));
      if (docker) left.push(...(await leftLater(owner)));
    }
    // Node's own cache is no leftover: it makes the next start faster.
    return [...left, ...readdirSync(temporary).filter((name) => name !== 'node-compile-cache')];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Kind {
  readonly words: readonly string[];
  /** About as long as it takes to start and to be asked a little. */
  readonly longestMs: number;
}

const aCommand = (): Kind => ({
  words: ['command', '--', process.execPath, misbehaving, 'forks', '{port}'],
  longestMs: 1200,
});

const aContainer = (): Kind => ({ words: ['container', '--', serviceImage()], longestMs: 2500 });

function aProject(folder: string): Kind {
  const app = { image: serviceImage(), ports: ['8080'], volumes: ['keys:/data'] };
  writeFileSync(
    join(folder, 'compose.yaml'),
    JSON.stringify({ version: '3', services: { app }, volumes: { keys: {} } }),
  );
  return { words: ['compose', '--', 'compose.yaml', 'app', '8080'], longestMs: 10_000 };
}

async function leftLater(owner: string): Promise<string[]> {
  for (let waited = 0; waited < 200 && leftInDocker(owner).length > 0; waited += 1) await sleep(100);
  return leftInDocker(owner);
}

async function ended(
  words: readonly string[],
  cwd: string,
  how: readonly NodeJS.Signals[],
  afterMs: number,
  random: () => number,
): Promise<string> {
  const bin = join(import.meta.dirname, '../../bin/touchstone.cjs');
  const env = { ...process.env, TMPDIR: join(cwd, 'tmp') };
  const child = spawn(process.execPath, [bin, 'check', '--target', ...words], { cwd, env, stdio: 'ignore' });
  const owner = ownerOf(child.pid!);
  const gone = new Promise((resolve) => child.once('exit', resolve));
  await Promise.race([sleep(afterMs), gone]);
  for (const signal of how) {
    child.kill(signal);
    await sleep(random() * 100);
  }
  await gone;
  return owner;
}
