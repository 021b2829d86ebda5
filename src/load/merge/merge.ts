/** One measurement from what many generators wrote: samples are counted into one set of histograms, and nothing is averaged. */
import { basename } from 'node:path';
import type { Machine, Measurement } from '../../model/measurement.ts';
import { judged, tallyFor, unjudgedOf } from '../measure.ts';
import { type ClusterPlan, measuredPlanOf } from './cluster-plan.ts';
import { readTogether } from './files.ts';
import { Slots } from './slots.ts';

export async function mergeSamples(cluster: ClusterPlan, paths: readonly string[]): Promise<Measurement> {
  const plan = measuredPlanOf(cluster);
  const tally = tallyFor(plan);
  const slots = new Slots(plan.phases);
  const counts = paths.map(() => 0);
  const notes = await readTogether(paths, plan.phases, (worker, sample) => {
    counts[worker]! += 1;
    // A slot that is present twice counts once, and makes the whole invalid.
    if (slots.take(sample.phase, sample.slot)) tally.add(worker, sample);
  });
  tally.settle();
  const failure = failureOf(cluster.pods.count, paths, counts, slots, notes);
  const engine = { name: 'k6', version: cluster.k6, model: 'open' } as const;
  const process = { cpuSeconds: 0, samples: [] };
  const generated = { ...(failure === undefined ? {} : { failure }), process, interrupted: false, notes: notes.flat() };
  const measured = unjudgedOf(plan, engine, { tally, generated, started: cluster.written });
  // Of this machine, which only read; nothing is known of those that sent.
  const generator = { ...measured.generator, cores: 0 };
  return judged({ ...measured, generator, machine: machineOf(cluster) }, plan);
}

function failureOf(
  pods: number,
  paths: readonly string[],
  counts: readonly number[],
  slots: Slots,
  notes: readonly (readonly string[])[],
): string | undefined {
  if (slots.twice > 0)
    return `${slots.twice} slots were sent twice: these are samples of more than one run, or generators without the sequence of their segments`;
  if (paths.length !== pods) return `there are samples of ${paths.length} generators, and ${pods} were to send`;
  const most = Math.max(...counts);
  const short = counts.findIndex((count) => count < wholeShare * most || count === 0);
  if (short < 0) return undefined;
  const said = notes[short]!.at(-1);
  return `${basename(paths[short]!)} has ${counts[short]} samples where others have ${most}: it ended early${said === undefined ? '' : ` (${said})`}`;
}

/** Segments are of one size; a generator with fewer samples than this share of the others' was ended, or its file was cut. */
const wholeShare = 0.9;

const machineOf = ({ pods }: ClusterPlan): Machine => ({
  cpu: `pod with ${pods.cpu} of processor and ${pods.memory} of memory`,
  cores: pods.count,
  memoryBytes: 0,
  system: 'Kubernetes',
  node: '',
});
