/** `touchstone load merge`: the samples of many generators, as one measurement. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadReport } from '../../../reports/load.ts';
import { samplesSuffix } from '../../load/kubernetes/manifests.ts';
import { readClusterPlan } from '../../load/merge/cluster-plan.ts';
import { mergeSamples } from '../../load/merge/merge.ts';
import { exitCodes, outcomeOf } from '../../model/run.ts';
import { UsageError } from '../errors.ts';
import { exitWith, out, terminal } from '../output.ts';
import { openLoadRun } from './run.ts';

export interface MergeFlags {
  readonly output: string;
  readonly quiet?: true;
}

export async function loadMerge(folder: string, flags: MergeFlags): Promise<void> {
  const source = join(folder, 'plan.json');
  const cluster = readClusterPlan(
    reading(source, () => readFileSync(source, 'utf8')),
    source,
  );
  const paths = reading(folder, () => readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    .filter((name) => name.endsWith(samplesSuffix))
    .sort()
    .map((name) => join(folder, name));
  if (paths.length === 0)
    throw new UsageError(`${folder}: it holds no samples (*${samplesSuffix}); copy those of the pods there first`);
  const { scenario, target, seed } = cluster.plan;
  const { origin, pathname } = new URL(target);
  const profile = { origin, basePath: pathname === '/' ? '' : pathname, source, digest: '', strict: false };
  const run = openLoadRun(flags.output, `load-${scenario}`, profile, seed);
  try {
    run.add(await mergeSamples(cluster, paths).catch((error) => refuse(folder, error)));
    const ended = run.end({}, []);
    out(loadReport(ended, { runFile: run.path, colour: terminal.colour, ...(flags.quiet ? { quiet: true } : {}) }));
    exitWith(exitCodes[outcomeOf(ended)]);
  } finally {
    run.close();
  }
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file; `touchstone load … --kubernetes` writes it, next to the manifests',
  ENOTDIR: 'it is not a folder',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder',
};

function reading<T>(path: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    return refuse(path, error);
  }
}

/** What the system said about a file; anything else is a fault in Touchstone. */
function refuse(path: string, error: unknown): never {
  const reason = error instanceof Error && 'code' in error ? reasons[String(error.code)] : undefined;
  throw reason === undefined ? error : new UsageError(`${path}: ${reason}`);
}
