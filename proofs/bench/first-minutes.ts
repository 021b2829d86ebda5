/** From an empty folder to the first verdict on a service that runs: `init` at a terminal, then `check`. */
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Serving, serve } from '../../fixtures/service/index.ts';
import { type Figure, median, timed } from './measure.ts';

const rounds = 3;
const bin = new URL('../../bin/touchstone.cjs', import.meta.url).pathname;

/** What a person would be asked, and says: text to wait for, and the answer. Typing takes no time here. */
const dialogue = (key: string): (readonly [string, string])[] => [
  ['An API key of the service', `${key}\r`],
  ['Names of actors', 'text-digest, message-relay, page-harvest\r'],
  ['a few times', 'y\r'],
];

const ended = (child: ChildProcess): Promise<number | null> => new Promise((resolve) => child.on('close', resolve));

/** At a terminal, which `script` makes. How many answers it took. */
async function init(folder: string, { url, demoKeys }: Serving): Promise<number> {
  const command = `stty cols 120 rows 40; '${process.execPath}' '${bin}' init ${url}`;
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: folder,
    env: { PATH: process.env.PATH, TERM: 'xterm' },
  });
  const left = dialogue(demoKeys!.entitled.key);
  let answers = 0;
  let said = '';
  child.stdout.on('data', (bytes: Buffer) => {
    said += bytes.toString();
    const next = left[0];
    if (next === undefined || !said.includes(next[0])) return;
    left.shift();
    answers += 1;
    child.stdin.write(next[1]);
  });
  const code = await ended(child);
  if (code !== 0) throw new Error(`init ended with ${code}: ${said}`);
  return answers;
}

async function check(folder: string, { demoKeys }: Serving): Promise<void> {
  const env = { PATH: process.env.PATH, TOUCHSTONE_API_KEY: demoKeys!.entitled.key };
  const child = spawn(process.execPath, [bin, 'check', '--quiet'], { cwd: folder, env, stdio: 'ignore' });
  const code = await ended(child);
  if (code !== 0) throw new Error(`check ended with ${code}`);
}

export async function firstMinutes(): Promise<Figure[]> {
  // A source that is too slow is given up after a second: how long a service waits for one is its own matter.
  const service = await serve({ upstreamTimeoutMs: 1000 });
  const times: { init: number; check: number }[] = [];
  let answers = 0;
  try {
    for (let round = 0; round < rounds; round += 1) {
      const folder = mkdtempSync(join(tmpdir(), 'touchstone-first-'));
      const looking = await timed(async () => {
        answers = Math.max(answers, await init(folder, service));
      });
      times.push({ init: looking, check: await timed(() => check(folder, service)) });
      rmSync(folder, { recursive: true });
    }
  } finally {
    await service.close();
  }
  const seconds = (of: (time: { init: number; check: number }) => number): number => median(times.map(of)) / 1000;
  const whole = seconds((time) => time.init + time.check);
  return [
    {
      what: 'from an empty folder to the first verdict: init and check --depth standard',
      value: `${whole.toFixed(1)} s (${seconds((time) => time.init).toFixed(1)} + ${seconds((time) => time.check).toFixed(1)}), ${answers} answers`,
      goal: '≤ 10 s, ≤ 3 answers',
      reached: whole <= 10 && answers <= 3,
    },
  ];
}
