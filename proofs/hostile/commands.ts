/** The commands that talk to a service, each as a process of its own, watched from inside and outside. */
import { spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoProfile } from '../../fixtures/profiles/demo.ts';
import type { Behaviour } from './behaviour.ts';
import { adminToken, keys, serveHostile } from './serve.ts';

export const commandNames = ['check', 'doctor', 'init', 'limits', 'load'] as const;
export type CommandName = (typeof commandNames)[number];

export interface Watched {
  readonly code: number | null;
  /** All that was printed, on both streams. */
  readonly text: string;
  readonly megabytes: number;
  readonly ms: number;
  /** Verdicts `pass` in the run file, where there is one. */
  readonly passes: readonly string[];
  readonly problems: readonly string[];
}

const root = join(import.meta.dirname, '../..');

/** After which a process is ended and called hanging: many times what the slowest needs. */
const hangingMs = 240_000;
const mostMegabytes = 300;
/** Shorter than the trials wait for an answer: what is tolerated must be judged completely. */
const upstreamMs = 300;

const wordsOf: Readonly<Record<CommandName, (address: string, timeout: string) => readonly string[]>> = {
  check: (_, timeout) => ['check', '--timeout', timeout, '--depth', 'quick', '--max-wait', '5s', '--output', 'out'],
  doctor: () => ['doctor'],
  init: (address) => ['init', address, '--yes', '--actor', 'text-digest', '--run'],
  limits: (_, timeout) => [
    'limits',
    '--timeout',
    timeout,
    '--max-requests',
    '60',
    '--budget',
    '10s',
    '--output',
    'out',
  ],
  load: () => ['load', 'smoke', '--duration', '1s', '--output', 'out'],
};

/** What each may end with. Nothing of it says that all is well where nothing was answered. */
const codesOf = (command: CommandName, { must }: Behaviour): readonly number[] => {
  if (command === 'check') {
    if (must === 'unreachable') return [4];
    if (must === 'tolerated') return [0];
    // Of all rules one may be broken that is not among the share of which `slight` is said.
    return must === 'slight' ? [0, 1, 3] : [1, 3];
  }
  return must === 'unreachable' ? [2, 3, 4] : [0, 1, 2, 3, 4];
};

export async function watch(
  command: CommandName,
  behaviour: Behaviour,
  more: readonly string[] = [],
): Promise<Watched> {
  const serving = await serveHostile(behaviour, upstreamMs);
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-hostile-'));
  const timeout = behaviour.waits ? '300ms' : '5s';
  try {
    const record = join(folder, 'record');
    writeFileSync(record, '');
    const profile = demoProfile({ address: serving.address, adminToken, keys });
    const bounds = { timeout, upstream: '300ms', revocation: '500ms', patience: '3s' };
    const { certificate } = serving;
    if (certificate !== undefined) writeFileSync(join(folder, 'ca.pem'), certificate);
    const tls = certificate === undefined ? {} : { tls: { ca: 'ca.pem' } };
    if (command !== 'init')
      writeFileSync(join(folder, 'touchstone.yaml'), JSON.stringify({ ...profile, bounds, ...tls }));
    const began = performance.now();
    const { code, text, hung } = await run([...wordsOf[command](serving.address, timeout), ...more], folder, record);
    const ms = performance.now() - began;
    const lines = readFileSync(record, 'utf8').trim().split('\n');
    const megabytes = Number(lines.find((line) => line.startsWith('memory '))?.slice(7) ?? 0) / 1024;
    const passes = passesIn(folder).filter((rule) => !behaviour.but?.rules.test(rule));
    const problems = [
      ...(hung ? [`did not end within ${hangingMs} ms`] : []),
      ...(codesOf(command, behaviour).includes(code ?? -1) ? [] : [`exit code ${code}`]),
      ...(megabytes > mostMegabytes ? [`took ${Math.round(megabytes)} MB`] : []),
      ...(['unreachable', 'nothing'].includes(behaviour.must) && passes.length > 0 ? [`passes ${passes}`] : []),
      ...(text.trim() === '' ? ['says nothing'] : []),
      ...(invisible.test(text) ? ['prints what a terminal acts upon'] : []),
      ...(/\n {4}at .*:\d+:\d+/.test(text) ? ['prints a stack'] : []),
      ...strangers(command, lines, serving.port),
      ...(serving.trapped() > 0 ? [`was led elsewhere ${serving.trapped()} times`] : []),
      ...(readdirSync(folder).includes('hostile') ? ['something of it was executed'] : []),
    ];
    return { code, text, megabytes, ms, passes, problems };
  } finally {
    await serving.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const invisible = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

interface Ended {
  readonly code: number | null;
  readonly text: string;
  readonly hung: boolean;
}

function run(words: readonly string[], folder: string, record: string): Promise<Ended> {
  const recording = join(import.meta.dirname, 'recording.ts');
  const child = spawn(process.execPath, ['--import', recording, join(root, 'bin/touchstone.cjs'), ...words], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, TOUCHSTONE_API_KEY: keys.entitled.key, HOSTILE_RECORD: record },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  let hung = false;
  const timer = setTimeout(() => {
    hung = true;
    child.kill('SIGKILL');
  }, hangingMs);
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      text += part;
    });
  return new Promise((resolve) =>
    child.on('close', (code) => {
      clearTimeout(timer);
      resolve({ code, text, hung });
    }),
  );
}

/** `doctor` looks at this machine too: for tools, and for a second address to listen at. */
const own: Readonly<Partial<Record<CommandName, readonly string[]>>> = {
  doctor: ['resolve 127.0.0.2', 'start k6', 'start docker'],
};

/** Every other address that was called, and every program that was started. */
function strangers(command: CommandName, lines: readonly string[], port: number): string[] {
  const allowed = new Set([`connect 127.0.0.1:${port}`, 'resolve 127.0.0.1', ...(own[command] ?? [])]);
  const others = lines.filter((line) => /^(?:connect|resolve|start) /.test(line) && !allowed.has(line));
  return [...new Set(others)];
}

function passesIn(folder: string): string[] {
  try {
    const text = readFileSync(join(folder, 'out/run.jsonl'), 'utf8');
    return [...text.matchAll(/"finding":\{"rule":"([^"]+)","verdict":"pass"/g)].map(([, rule]) => rule!);
  } catch {
    return [];
  }
}
