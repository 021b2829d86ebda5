/** The program in a folder, as a reader of the guides would run it. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const bin = join(import.meta.dirname, '../../../bin/touchstone.cjs');

/** What it printed for people. Its exit code is no matter here: some pictures show failures. */
export const touchstone = (folder: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = '';
    const child = spawn(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    child.stdout.on('data', (bytes: Buffer) => {
      text += bytes.toString();
    });
    child.on('error', reject);
    child.on('close', () => resolve(text));
  });
