/** A kit's copy in the cache, with what its manifest pins: never in this project. Made once for what the folder holds. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Kit, Stack } from './stacks.ts';

const sources = join(import.meta.dirname, '../../fixtures/clients/stacks');

const cache = (): string => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'touchstone', 'stacks');

const isThere = (program: string): boolean =>
  (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

export const missing = ({ needs }: Kit): readonly string[] => needs.filter((program) => !isThere(program));

/** The folder of the copy. Throws where something cannot be installed. */
export function installed(kit: Kit, tell: (text: string) => void): string {
  const source = join(sources, kit.folder);
  const digest = createHash('sha256');
  for (const name of readdirSync(source, { recursive: true, encoding: 'utf8' }).sort())
    if (/\.[a-z]+$/.test(name)) digest.update(`${name}\n`).update(readFileSync(join(source, name)));
  const goal = join(cache(), `${kit.folder}-${digest.digest('hex').slice(0, 16)}`);
  if (existsSync(goal)) return goal;
  mkdirSync(cache(), { recursive: true });
  // It gets its name when nothing is missing any more: what was cut off leaves no half.
  const building = mkdtempSync(`${goal}.building-`);
  try {
    if (kit.install.length > 0) tell(`installing the stacks in ${kit.folder}, once`);
    cpSync(source, building, { recursive: true });
    for (const [program = '', ...words] of kit.install) {
      const { status, stderr } = spawnSync(program, words, { cwd: building, encoding: 'utf8' });
      if (status !== 0) throw new Error(`${program} ${words.join(' ')} failed: ${(stderr ?? '').slice(-1000)}`);
    }
    renameSync(building, goal);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
  return goal;
}

/** With the language's own. */
export function versionsOf(
  { kit, pinned }: Stack,
  folder: string,
): { readonly own: string; readonly language: string } {
  const [program = '', ...words] = kit.version;
  const { stdout = '' } = spawnSync(program, words, { encoding: 'utf8' });
  const language = /\d+\.\d[\d.]*/.exec(stdout)?.[0] ?? 'unknown';
  if (pinned === undefined) return { own: language, language };
  const [file, pattern] = pinned;
  const own = pattern.exec(readFileSync(join(folder, file), 'utf8'))?.[1];
  if (own === undefined) throw new Error(`${file} pins no version by ${pattern}`);
  return { own, language };
}
