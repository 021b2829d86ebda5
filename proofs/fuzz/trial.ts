/** One check of a service whose answers are harmed on their way, in memory. */

import type { RunRecord } from '../../src/model/run.ts';
import { hashOf, seeded } from '../../src/random.ts';
import { catalogue as rules, rulesVersion } from '../../suites/index.ts';
import { tryOn, type Variant } from '../matrix/try-on.ts';
import { allTrials } from '../matrix/variants.ts';
import { number, one } from './chance.ts';
import { harming } from './harming-transport.ts';
import { problemsOfRun, type Written } from './held.ts';
import { watched } from './watched.ts';

export const catalogue = { rules, version: rulesVersion, specification: 'fuzz' };

export interface Fuzzed {
  readonly what: string;
  readonly harmed: number;
  readonly exchanges: number;
  readonly problems: readonly string[];
}

/** Every lawful service that there is, to begin with: each reads the harness's questions in its own way. */
export const lawfulServices = async (): Promise<Variant[]> => [
  { name: 'the reference service', overlays: [] },
  ...(await allTrials())
    .filter(({ kind, depth }) => kind === 'lawful' && depth === 'quick')
    .map(({ variant }) => variant),
];

/** Real time; a run in virtual time that takes as long as that never ends. */
const longestMs = 120_000;

export async function fuzzInMemory(seed: number, services: readonly Variant[]): Promise<Fuzzed> {
  const random = seeded(seed ^ hashOf('fuzz'));
  const patient = number(random, 6) === 0;
  // Limits are asked for by their own variants alone: they take as long as all else together.
  const variant = one(
    random,
    services.filter(({ areas }) => (areas !== undefined) === patient),
  );
  const share = one(random, [0.005, 0.03, 0.15, 0.6, 1]);
  let harmed = 0;
  const what = `seed ${seed}: ${variant.name}, ${share * 100} % of its answers harmed`;
  const { value, problems } = await watched(longestMs, async (signal): Promise<Written> => {
    const records: RunRecord[] = [];
    const run = await tryOn(catalogue, variant, {
      depth: 'quick',
      seed,
      signal,
      write: (record) => records.push(record),
      wire: (inner) =>
        harming(inner, {
          random,
          share,
          count: () => {
            harmed += 1;
          },
        }),
    });
    return { run, records };
  });
  const held = value === undefined ? [] : await problemsOfRun(value, rules);
  return { what, harmed, exchanges: value?.run.exchanges.size ?? 0, problems: [...problems, ...held] };
}
