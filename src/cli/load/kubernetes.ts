/** `touchstone load … --kubernetes`: writes what a cluster is asked for, and says what to type. Sends nothing. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '../../clock.ts';
import { askCluster, refuseOwnMachine, stepsFor } from '../../load/kubernetes/ask.ts';
import type { LoadPlan } from '../../load/plan.ts';
import type { Profile } from '../../profile/profile.ts';
import { makeOutputFolder, writeError } from '../../runfile/write.ts';
import { UsageError } from '../errors.ts';
import { out, say } from '../output.ts';
import { scriptsRoot } from './engine.ts';

import type { LoadFlags } from './load.ts';

export interface KubernetesFlags {
  /** `true`: as many pods as the rate needs. */
  readonly kubernetes?: number | true;
  readonly namespace?: string;
  readonly secret?: string;
  readonly storageClass?: string;
  readonly output: string;
}

/** What needs this machine is for this machine. */
export function refuseInCluster(
  { target }: Pick<Profile, 'target'>,
  { repeat, against, until, maxDuration }: Pick<LoadFlags, 'repeat' | 'against' | 'until' | 'maxDuration'>,
): void {
  if (target !== undefined)
    throw new UsageError(
      'the profile starts its service on this machine, where a cluster cannot reach it: pass its address in the cluster',
      'two-targets',
    );
  if ([repeat, against, until, maxDuration].some((flag) => flag !== undefined))
    throw new UsageError(
      '--kubernetes writes manifests for one run: remove --repeat, --against, --until and --max-duration',
    );
}

export function loadInCluster(plan: LoadPlan, flags: KubernetesFlags): void {
  refuseOwnMachine(plan.target);
  const wishes = { ...flags, ...(typeof flags.kubernetes === 'number' ? { pods: flags.kubernetes } : {}) };
  const asked = askCluster(plan, wishes, scriptsRoot(), (path) => readFileSync(path, 'utf8'), systemClock.date());
  const folder = join(flags.output, asked.run.name);
  makeOutputFolder(flags.output);
  makeOutputFolder(folder);
  for (const [name, text] of asked.files) {
    try {
      writeFileSync(join(folder, name), text);
    } catch (error) {
      throw writeError(`${join(folder, name)} cannot be written`, error);
    }
  }
  say(`Nothing was sent. ${folder} holds the manifests; with them:\n`);
  out(stepsFor(asked, plan, folder).join('\n'));
}
