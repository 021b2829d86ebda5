/** What speaks against comparing measurements: those that are not valid, another question, another machine. */
import type { Machine, Measurement } from '../../model/measurement.ts';

export interface Side {
  /** As the command line names it. */
  readonly name: string;
  readonly measurements: readonly Measurement[];
}

/** Fewer say nothing: with four against four, no order of the runs is rare enough. */
export const leastRuns = 5;

/** Sentences; empty if every run of every side can be compared with every other. */
export function againstComparing(sides: readonly Side[]): string[] {
  const empty = sides.filter(({ measurements }) => measurements.length === 0);
  if (empty.length > 0) return empty.map(({ name }) => `${name} holds no measurement of load`);
  const unfit = sides.flatMap(notFit);
  if (unfit.length > 0) return unfit;
  const [base, ...others] = sides;
  const first = base!.measurements[0]!;
  return [
    ...sides.flatMap((side) => differing(side.measurements[0]!, side.name, side)),
    ...others.flatMap((side) => differing(first, base!.name, { ...side, measurements: side.measurements.slice(0, 1) })),
  ];
}

function notFit({ name, measurements }: Side): string[] {
  const seen = new Set<string>();
  return measurements.flatMap((each) => {
    const { id, validity, started, seed, target } = each;
    const run = JSON.stringify([id, started, seed, target]);
    if (seen.has(run)) return [`${name}: the measurement ${id} of ${started} is present twice, and counts as one run`];
    seen.add(run);
    const { verdict, reasons } = validity;
    return verdict === 'valid'
      ? []
      : [`${name}: the measurement ${id} is ${verdict}: ${reasons[0]?.says ?? 'no reason given'}`];
  });
}

/** The first member of each kind that differs, once for all the runs of a side. */
function differing(first: Measurement, called: string, { name, measurements }: Side): string[] {
  const told = new Map<string, string>();
  const known = traitsOf(first);
  for (const each of measurements)
    for (const [what, value] of traitsOf(each)) {
      const before = known.get(what)!;
      if (value === before || told.has(what)) continue;
      const who = called === name ? ['one run', 'another'] : [called, name];
      told.set(
        what,
        `${called === name ? `${name}: ` : ''}another ${what}: ${before} (${who[0]}), ${value} (${who[1]})`,
      );
    }
  return [...told.values()];
}

/** What must be alike. The target may differ: two of them are what is often compared. */
function traitsOf({ scenario, engine, plan, from, machine, capacity }: Measurement): Map<string, string> {
  const load = plan.perSecond === undefined ? `${plan.connections ?? 0} connections` : `${plan.perSecond} a second`;
  return new Map([
    ['scenario', scenario],
    ['engine', `${engine.name}, ${engine.model} model`],
    ['number of workers', String(engine.workers)],
    // A search finds its own rates; what it must keep is given.
    ['load', capacity?.promise ?? load],
    [
      'duration',
      capacity === undefined
        ? `${plan.warmUpSeconds} s and ${plan.seconds / (plan.times ?? 1)} s`
        : 'as the search needs',
    ],
    ['number of keys and addresses', `${plan.keys} and ${plan.addresses}`],
    ['begin of latencies', from],
    ['machine', machineOf(machine)],
  ]);
}

/** Memory by the gigabyte: what a kernel keeps for itself is nothing. */
const machineOf = ({ cpu, cores, memoryBytes, system }: Machine): string =>
  `${cores} × ${cpu}, ${Math.round(memoryBytes / 2 ** 30)} GB, ${system}`;

/** Not a reason to refuse, but worth a remark. */
export function remarksOn(sides: readonly Side[]): string[] {
  const all = sides.flatMap(({ measurements }) => measurements);
  const several = (what: string, of: (each: Measurement) => string): string[] => {
    const values = [...new Set(all.map(of))];
    return values.length > 1 ? [`the runs were made with different versions of ${what}: ${values.join(', ')}`] : [];
  };
  return [
    ...several('the engine', ({ engine }) => `${engine.name} ${engine.version}`),
    ...several('Node', ({ machine }) => machine.node),
  ];
}
