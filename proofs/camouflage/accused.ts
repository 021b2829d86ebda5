/** By which rule a service is accused that treats those otherwise whom it does not recognise. */
import { isMainThread } from 'node:worker_threads';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { tryOn } from '../matrix/try-on.ts';
import { answerJobs, inThreads } from '../threads.ts';
import { type Cheat, cheating, cheats } from './cheats.ts';

export interface Trial {
  /** Its place in the list of cheats. If omitted: one that treats all alike. */
  readonly cheat?: number;
  readonly seed: number;
}

/** Undefined: by none. */
export type Accused = string | undefined;

const everybodys: Cheat = { name: 'nobody', recognises: () => true };
const rules = { rules: catalogue, version: rulesVersion, specification: 'camouflage' };

export const allAccused = (trials: readonly Trial[]): Promise<Accused[]> =>
  inThreads<Trial, Accused>(new URL(import.meta.url), trials);

/** The first rule that accuses it, at depth quick. */
async function accused({ cheat, seed }: Trial): Promise<Accused> {
  const service = cheat === undefined ? everybodys : cheats[cheat]!;
  const { repeat } = service;
  const run = await tryOn(
    rules,
    { name: 'reference', overlays: [] },
    { depth: 'quick', seed, wire: cheating(service), ...(repeat === undefined ? {} : { repeat }) },
  );
  const failed = run.findings.filter(({ verdict }) => verdict === 'fail').map(({ rule }) => rule);
  return failed.length === 0
    ? undefined
    : `${failed[0]} and ${failed.length - 1} more, ${run.exchanges.size} exchanges`;
}

if (!isMainThread) answerJobs(accused);
