/** `touchstone load`. */
import { secondsOf } from '../../../load/shared/phases.ts';
import { loadReport } from '../../../reports/load.ts';
import { systemClock } from '../../clock.ts';
import { freshSeed } from '../../engine/random.ts';
import type { Engine } from '../../load/engine.ts';
import { measure } from '../../load/measure.ts';
import type { LoadPlan } from '../../load/plan.ts';
import { preflight } from '../../load/preflight.ts';
import { isClosed, prepare } from '../../load/prepare.ts';
import { lookAt } from '../../load/watch-processes.ts';
import { type Measurement, type ScenarioName, scenarioNames } from '../../model/measurement.ts';
import { exitCodes, outcomeOf } from '../../model/run.ts';
import { suggest } from '../../profile/nearest.ts';
import type { Profile } from '../../profile/profile.ts';
import { tellActions } from '../actions.ts';
import { UsageError } from '../errors.ts';
import { type Destination, deliver, destinationsOf, removeOld } from '../formats.ts';
import { interruption } from '../interrupt.ts';
import { chooseEngine } from '../load-engine.ts';
import { loadProgress, silent } from '../load-progress.ts';
import { type LoadRun, openLoadRun } from '../load-run.ts';
import { exitWith, out, say, terminal } from '../output.ts';
import { profileOf } from '../profile.ts';
import { announcedSearch, searched, searchFor } from './load-capacity.ts';
import { type KubernetesFlags, loadInCluster } from './load-kubernetes.ts';

export interface LoadFlags extends KubernetesFlags {
  readonly profile?: string;
  readonly rate?: number;
  readonly duration?: number;
  readonly warmUp?: number;
  readonly slowest?: number;
  readonly vus?: number;
  readonly workers?: number;
  readonly connections?: number;
  readonly addresses?: string;
  readonly of?: 'key' | 'address';
  readonly limit?: number;
  readonly rest?: number;
  readonly seed?: number;
  readonly iMayLoad?: string;
  readonly targetPid?: number;
  readonly k6?: string;
  readonly format?: readonly string[];
  readonly quiet?: true;
}

export async function load(first: string | undefined, second: string | undefined, flags: LoadFlags): Promise<void> {
  const { wanted, address } = argumentsOf(first, second);
  const destinations = destinationsOf(flags.format ?? ['console'], flags.output);
  const profile = await profileOf({ path: flags.profile, address });
  if (profile.target !== undefined)
    throw new UsageError(
      'the profile has its service started for each check; load goes to one that runs: start it, and say its address',
      'two-targets',
    );
  const seed = flags.seed ?? freshSeed();
  if (flags.kubernetes !== undefined) {
    loadInCluster(prepare(profile, wishesOf(wanted ?? 'latency', seed, flags)), flags);
    return;
  }
  const { scenario, engine, remarks } = await chooseEngine(wanted, flags.k6);
  const plan = prepare(profile, wishesOf(scenario, seed, flags));
  if (flags.targetPid !== undefined && lookAt(flags.targetPid) === undefined)
    throw new UsageError(`--target-pid ${flags.targetPid}: there is no such process that may be looked at`);
  const run = openLoadRun(flags.output, `load-${scenario}`, profile, seed);
  removeOld(destinations);
  try {
    await loaded(run, profile, plan, engine, remarks, destinations, flags);
  } finally {
    run.close();
  }
}

/** The scenario may be left out: what looks like an address is one. */
function argumentsOf(first: string | undefined, second: string | undefined) {
  if (first !== undefined && /^https?:\/\//i.test(first)) {
    if (second !== undefined)
      throw new UsageError('the scenario stands before the address: touchstone load latency http://…');
    return { wanted: undefined, address: first };
  }
  if (first !== undefined && !(scenarioNames as readonly string[]).includes(first))
    throw new UsageError(`there is no scenario \`${first}\`; ${suggest(first, scenarioNames)}`);
  return { wanted: first as ScenarioName | undefined, address: second };
}

const wishesOf = (scenario: ScenarioName, seed: number, flags: LoadFlags): Parameters<typeof prepare>[1] => {
  const some = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });
  return {
    scenario,
    seed,
    ...some('perSecond', flags.rate),
    ...some('durationMs', flags.duration),
    ...some('warmUpMs', flags.warmUp),
    ...some('slowestMs', flags.slowest),
    ...some('mostVus', flags.vus),
    ...some('workers', flags.workers),
    ...some('connections', flags.connections),
    ...some('addresses', flags.addresses),
    ...some('of', flags.of),
    ...some('limit', flags.limit),
    ...some('restMs', flags.rest),
    ...some('mayLoad', flags.iMayLoad),
    ...some('targetPid', flags.targetPid),
  };
};

async function loaded(
  file: LoadRun,
  profile: Profile,
  plan: LoadPlan,
  engine: Engine,
  remarks: readonly string[],
  destinations: readonly Destination[],
  flags: LoadFlags,
): Promise<void> {
  const shown = flags.quiet ? silent : loadProgress(plan);
  const search = plan.scenario === 'capacity' ? searchFor(plan, profile) : undefined;
  const interrupt = interruption(shown.clear);
  interrupt.before(() => {
    engine.kill();
    file.flush();
  });
  if (!flags.quiet) {
    for (const remark of remarks) say(remark);
    say(`${search === undefined ? announced(plan, profile) : announcedSearch(plan, search)}; Ctrl-C ends it`);
  }
  try {
    const first = await preflight(plan, systemClock, interrupt.signal);
    if (!first.ready && first.unreachable && !interrupt.signal.aborted) {
      await tell(file.end({ unreachable: first.why }, remarks), file, destinations, flags);
      return;
    }
    if (!first.ready && !interrupt.signal.aborted)
      throw new UsageError(
        `nothing was measured: one request was tried first, and ${first.why} (touchstone check says more)`,
      );
    if (first.ready && first.closesConnections && engine.name === 'autocannon')
      throw new UsageError(
        'the service closes each connection (Connection: close), with which autocannon loses requests: use k6 (touchstone load latency), or let the service keep connections',
      );
    const { signal } = interrupt;
    const measurement =
      search === undefined
        ? await measure(plan, engine, { clock: systemClock, signal, onSeconds: shown.on })
        : await searched(plan, search, engine, signal, flags.quiet === true);
    shown.clear();
    keep(file, measurement);
    await tell(file.end(interrupt.signal.aborted ? { interrupted: true } : {}, remarks), file, destinations, flags);
  } finally {
    shown.clear();
    interrupt.done();
  }
}

/** What took an hour to measure is shown, even where it can no longer be written down. */
function keep(file: LoadRun, measurement: Measurement): void {
  try {
    file.add(measurement);
  } catch (error) {
    out(loadReport(file.unwritten(), { colour: terminal.colour }));
    throw error;
  }
}

function announced(plan: LoadPlan, { source }: Profile): string {
  const total = plan.phases.reduce((sum, { perSecond, seconds }) => sum + perSecond * seconds, 0);
  const how = isClosed(plan.scenario) ? `${plan.connections} connections` : `about ${Math.round(total)} requests`;
  const many = plan.keys.length === 1 ? 'one key' : `${plan.keys.length} keys`;
  return `${plan.scenario} of ${plan.target}: ${how} in ${Math.ceil(secondsOf(plan.phases))} s, with ${many} of ${source}`;
}

async function tell(
  run: ReturnType<LoadRun['end']>,
  file: LoadRun,
  destinations: readonly Destination[],
  flags: LoadFlags,
): Promise<void> {
  const options = { runFile: file.path, ...(flags.quiet ? { quiet: true } : {}) };
  await deliver(run, destinations, options);
  if (!destinations.some(({ format }) => format === 'github')) await tellActions(run, options);
  exitWith(exitCodes[outcomeOf(run)]);
}
