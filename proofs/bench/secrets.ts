/** What looking for secrets costs: the share of it in the time of a whole check, by the processor's own profile of one run. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Figure, run } from './measure.ts';

/** What V8 writes. */
interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string };
    readonly children?: readonly number[];
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

const most = 0.05;

export async function secrets(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-profile-'));
  const profiling = ['--cpu-prof', '--cpu-prof-dir', folder];
  const check = ['check', '--reference', '--depth', 'standard', '--quiet', '--seed', '1', '--output', folder];
  try {
    // On a busy machine the reference is not always as quick as its profile says.
    await run([...profiling, 'bin/touchstone.cjs', ...check], [0, 1, 3]);
    const [file] = readdirSync(folder).filter((name) => name.endsWith('.cpuprofile'));
    const share = shareOf(JSON.parse(readFileSync(join(folder, file!), 'utf8')) as Profile, '/src/secrets/');
    return [
      {
        what: 'looking for secrets, of the processor time of check --reference --depth standard',
        value: `${(100 * share).toFixed(1)} %`,
        goal: `≤ ${100 * most} %`,
        reached: share <= most,
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Of what was spent at all: in functions of that folder, and in whatever they called. */
function shareOf({ nodes, samples, timeDeltas }: Profile, folder: string): number {
  const spent = new Map<number, number>();
  for (const [at, id] of samples.entries()) spent.set(id, (spent.get(id) ?? 0) + timeDeltas[at]!);
  const byId = new Map(nodes.map((node) => [node.id, node]));
  let [inside, all] = [0, 0];
  const walk: { readonly id: number; readonly within: boolean }[] = [{ id: nodes[0]!.id, within: false }];
  for (let next = walk.pop(); next !== undefined; next = walk.pop()) {
    const { callFrame, children = [] } = byId.get(next.id)!;
    const within = next.within || callFrame.url.includes(folder);
    const own = callFrame.functionName === '(idle)' ? 0 : (spent.get(next.id) ?? 0);
    all += own;
    if (within) inside += own;
    walk.push(...children.map((id) => ({ id, within })));
  }
  return inside / all;
}
