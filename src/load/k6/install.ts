/** Builds k6 with the Go toolchain of this machine, through its module mirror, and puts it into the cache in one step. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../../mistakes.ts';
import { MissingTool } from '../missing-tool.ts';
import { cachedK6, isExecutable, type Surroundings } from './cache.ts';
import { modulePath, wantedVersion } from './version.ts';

export class InstallFailed extends UserError {
  override readonly name = 'InstallFailed';

  constructor(message: string) {
    super(message, 'load-tool-missing');
  }
}

/** Where it is afterwards. */
export async function installK6(
  around: Surroundings,
  tell: (line: string) => void,
  signal?: AbortSignal,
): Promise<string> {
  const goal = cachedK6(around);
  if (isExecutable(goal)) return goal;
  const env = Object.fromEntries(Object.entries(around.env).filter(([, value]) => value !== undefined));
  const module = `${modulePath}@v${wantedVersion}`;
  tell(`fetching ${module} and building it; this takes a minute or two`);
  // Asked for by module and version: a look at the module's own host is then not needed, only the mirror.
  const { Dir: folder } = parsed(await go(['mod', 'download', '-json', module], env, tell, signal));
  if (typeof folder !== 'string') throw new InstallFailed('go did not print the place of the module');
  mkdirSync(dirname(goal), { recursive: true });
  const work = mkdtempSync(join(dirname(goal), '.building-'));
  try {
    const built = join(work, 'k6');
    await go(['build', '-C', folder, '-trimpath', '-o', built, '.'], env, tell, signal);
    // In one step: nobody ever finds half of it, and of two builders the later wins.
    renameSync(built, goal);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
  return goal;
}

function parsed(text: string): { readonly Dir?: unknown } {
  try {
    return JSON.parse(text) as { Dir?: unknown };
  } catch {
    throw new InstallFailed('go did not print the place of the module');
  }
}

const mostSaid = 2000;

function go(
  args: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
  tell: (line: string) => void,
  signal: AbortSignal | undefined,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', [...args], {
      env: { ...env, GOWORK: 'off', GOFLAGS: '' },
      cwd: '/',
      stdio: ['ignore', 'pipe', 'pipe'],
      ...(signal === undefined ? {} : { signal }),
    });
    let out = '';
    let said = '';
    child.stdout.on('data', (text) => {
      out += text;
    });
    child.stderr.on('data', (text) => {
      said = (said + text).slice(-mostSaid);
      for (const line of String(text).split('\n')) if (line.startsWith('go: downloading')) tell(line.slice(4));
    });
    child.on('error', (error: NodeJS.ErrnoException) => {
      reject(
        error.code === 'ENOENT' ? new MissingTool('go', 'there is no Go toolchain on PATH to build k6 with') : error,
      );
    });
    child.on('close', (code) => {
      if (code === 0) resolve(out);
      else reject(new InstallFailed(`go ${args[0]} failed: ${said.trim().split('\n').at(-1) ?? `exit code ${code}`}`));
    });
  });
}
