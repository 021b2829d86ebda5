/** One client of fixtures/clients, judged as from the command line. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { clientCatalogue } from '../../src/cli/catalogue.ts';
import { judgeClient } from '../../src/client/judge.ts';
import { systemClock } from '../../src/clock.ts';
import type { Run } from '../../src/model/run.ts';
import { usualClient } from '../../src/profile/profile-client.ts';

const root = join(import.meta.dirname, '../..');

export interface Tried {
  readonly run: Run;
  readonly ms: number;
}

export interface Variant {
  readonly fault?: string;
  readonly oddity?: string;
  readonly command?: readonly string[];
  readonly only?: readonly string[];
  readonly depth?: 'quick' | 'standard' | 'thorough';
  readonly seed?: number;
}

export async function tryClient({
  fault,
  oddity,
  command,
  only,
  depth = 'standard',
  seed = 7,
}: Variant): Promise<Tried> {
  const began = systemClock.now();
  const client = {
    ...usualClient,
    // A faulty client that never ends is a proof too, and a short one will do.
    withinMs: 12_000,
    env: {
      ...usualClient.env,
      ...(fault === undefined ? {} : { FAULT: fault }),
      ...(oddity === undefined ? {} : { ODDITY: oddity }),
    },
    command: command ?? [process.execPath, join(root, 'fixtures/clients/client.mjs')],
    folder: root,
  };
  const run = await judgeClient(
    clientCatalogue,
    client,
    { env: process.env, processors: availableParallelism() },
    { depth, seed, ...(only === undefined ? {} : { selected: new Set(only) }) },
  );
  return { run, ms: systemClock.now() - began };
}

/** What is accused and must not be, what must be and is not, and what nobody could judge. */
export function differencesOf({ run }: Tried, kills: readonly string[]): string[] {
  const { findings, footer } = run;
  if (footer?.unreachable !== undefined) return [`not started: ${footer.unreachable}`];
  return findings.flatMap(({ rule, verdict, reasons: [first], because, where }) => {
    const accused = verdict === 'fail' || verdict === 'warn';
    const why =
      first === undefined
        ? (because ?? '')
        : `expected ${first.expected}, got ${first.came}${where === undefined ? '' : ` (${where})`}`;
    if (kills.includes(rule)) return accused ? [] : [`${rule} finds nothing: ${verdict} ${why}`];
    if (accused || verdict === 'error') return [`${rule} accuses: ${verdict}: ${why}`];
    // Where plain runs go wrong, there is nothing to be said about others.
    return verdict === 'inconclusive' && kills.length === 0 ? [`${rule} is inconclusive: ${why}`] : [];
  });
}
