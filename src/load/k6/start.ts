/** One k6 process: its samples as they come, and how it ended. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { leash } from '../leash.ts';
import { type Sample, SampleReader } from '../samples.ts';
import type { Ending } from './ending.ts';
import type { Folder } from './folder.ts';

export interface K6Program {
  readonly path: string;
  readonly major: number;
}

export interface Part {
  readonly number: number;
  readonly of: number;
  /** Where it waits to be started; undefined: it starts at once. */
  readonly port?: number;
}

export interface K6Process {
  readonly pid: number | undefined;
  readonly notes: readonly string[];
  readonly ended: Promise<Ending>;
  /** Sends no more, and cuts short what is under way. */
  stop(): void;
  kill(): void;
}

/** Which slots are whose. Without the sequence two parts would send the same ones. */
const segmentOf = ({ number, of }: Part): readonly string[] => {
  if (of === 1) return [];
  const edge = (at: number): string => (at === 0 || at === of ? String(at / of) : `${at}/${of}`);
  const sequence = Array.from({ length: of + 1 }, (_, at) => edge(at)).join(',');
  return [`--execution-segment=${edge(number)}:${edge(number + 1)}`, `--execution-segment-sequence=${sequence}`];
};

export function argumentsOf(
  script: string,
  part: Part,
  major: number,
  addresses: string | undefined,
): readonly string[] {
  return [
    'run',
    '--quiet',
    '--no-color',
    // With both, k6 keeps no samples in memory.
    '--no-thresholds',
    major === 1 ? '--no-summary' : '--summary-mode=disabled',
    '--log-output=stdout',
    '--log-format=raw',
    ...(addresses === undefined ? [] : [`--local-ips=${addresses}`]),
    ...segmentOf(part),
    ...(part.port === undefined ? [] : ['--paused', `--address=127.0.0.1:${part.port}`]),
    script,
  ];
}

export function startK6(
  program: K6Program,
  script: string,
  folder: Folder,
  part: Part,
  how: { readonly addresses?: string; readonly path?: string },
  onSample: (sample: Sample) => void,
): K6Process {
  const reader = new SampleReader(onSample);
  const child = spawn(program.path, [...argumentsOf(script, part, program.major, how.addresses)], {
    cwd: folder.path,
    env: { ...folder.env, ...(how.path === undefined ? {} : { PATH: how.path }) },
    stdio: ['ignore', 'pipe', 'pipe'],
    // A Ctrl-C in our terminal is for us to answer: k6 would take it for its own, and ours for the second.
    detached: true,
  });
  const unleash = child.pid === undefined ? () => {} : leash(child.pid, folder.path);
  child.stdout.on('data', (bytes: Buffer) => reader.take(bytes));
  const errors = new SampleReader(() => {});
  child.stderr.on('data', (bytes: Buffer) => errors.take(bytes));
  const ended = new Promise<Ending>((resolve) => {
    child.on('error', (error) => {
      errors.take(Buffer.from(`${error.message}\n`));
      resolve({ code: 255, signal: null });
    });
    child.on('close', (code, signal) => {
      unleash();
      reader.end();
      errors.end();
      resolve({ code, signal });
    });
  });
  return {
    pid: child.pid,
    get notes() {
      return [...reader.notes, ...errors.notes].map((note) => hide(note, folder.hidden));
    },
    ended,
    stop: () => child.kill('SIGINT'),
    kill: () => child.kill('SIGKILL'),
  };
}

const hide = (text: string, hidden: readonly string[]): string =>
  hidden.reduce((shown, value) => shown.replaceAll(value, '«secret»'), text);

/** Next to the sources, and next to what is built from them. */
export const scriptOf = (scenario: string, root: string): string => join(root, 'load', `${scenario}.ts`);
