/** `touchstone tools`: the programs that some commands need, where they were looked for, and how to get them. */
import { homedir } from 'node:os';
import { autocannonVersion } from '../../load/autocannon/engine.ts';
import { cachedK6, type Surroundings } from '../../load/k6/cache.ts';
import { advice, candidates } from '../../load/k6/find.ts';
import { usualImages } from '../../load/k6/image.ts';
import { installK6 } from '../../load/k6/install.ts';
import { wantedVersion } from '../../load/k6/version.ts';
import { out, say } from '../output.ts';

export const surroundings = (named?: string): Surroundings => ({
  env: process.env,
  home: homedir(),
  ...(named === undefined ? {} : { named }),
});

export async function showTools(): Promise<void> {
  const around = surroundings();
  const found = await candidates(around);
  const used = found.find(({ wrong }) => wrong === undefined);
  out(used === undefined ? 'k6: not found' : `k6 ${used.version}: ${used.path} (${used.from})`);
  for (const each of found) {
    if (each.wrong !== undefined) out(`  not used: ${each.path} (${each.from}): ${each.wrong}`);
    if (each === used && each.warning !== undefined) out(`  ${each.warning}`);
  }
  if (used === undefined) {
    out(`  looked at TOUCHSTONE_K6, PATH, ${cachedK6(around)} and the images ${usualImages.join(' and ')}`);
    for (const line of advice) out(`  ${line}`);
  }
  const version = autocannonVersion();
  out(
    version === undefined ? 'autocannon: not installed (npm install autocannon@9)' : `autocannon ${version}: installed`,
  );
}

export async function installTool(): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(new Error('interrupted'));
  process.once('SIGINT', stop);
  try {
    const path = await installK6(surroundings(), (line) => say(line), controller.signal);
    out(`k6 ${wantedVersion} is at ${path}`);
  } finally {
    process.off('SIGINT', stop);
  }
}
