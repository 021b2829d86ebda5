/** `touchstone load`. */
import { join } from 'node:path';
import { secondsOf } from '../../../load/shared/phases.ts';
import { loadReport } from '../../../reports/load.ts';
import { systemClock } from '../../clock.ts';
import { interleaved } from '../../load/compare/interleave.ts';
import type { Engine } from '../../load/engine.ts';
import { measure } from '../../load/measure.ts';
import type { LoadPlan } from '../../load/plan.ts';
import { isClosed, prepare } from '../../load/prepare.ts';
import { lookAt } from '../../load/watch-processes.ts';
import { type Measurement, type ScenarioName, scenarioNames } from '../../model/measurement.ts';
import { exitCodes, outcomeOf, type Run } from '../../model/run.ts';
import { suggest } from '../../profile/nearest.ts';
import type { Profile } from '../../profile/profile.ts';
import { freshSeed } from '../../random.ts';
import { tellActions } from '../actions.ts';
import { UsageError } from '../errors.ts';
import { type Destination, deliver, destinationsOf, removeOld } from '../formats.ts';
import { interruption } from '../interrupt.ts';
import { chooseEngine } from '../load-engine.ts';
import { type LoadProgress, loadProgress, silent } from '../load-progress.ts';
import type { LoadRun } from '../load-run.ts';
import { exitWith, out, say, terminal } from '../output.ts';
import { profileOf } from '../profile.ts';
import { announcedSearch, searched, searchFor } from './load-capacity.ts';
import { type KubernetesFlags, loadInCluster, refuseInCluster } from './load-kubernetes.ts';
import {
  againstOf,
  comparedSides,
  openSide,
  placedSomewhere,
  repeatsOf,
  type Side,
  unreachable,
} from './load-sides.ts';

export interface LoadFlags extends KubernetesFlags {
  readonly profile?: string;
  readonly rate?: number;
  readonly duration?: number;
  readonly warmUp?: number;
  readonly maxResponseTime?: number;
  readonly vus?: number;
  readonly workers?: number;
  readonly connections?: number;
  readonly addresses?: string;
  readonly of?: 'key' | 'address';
  readonly limit?: number;
  readonly pause?: number;
  readonly seed?: number;
  readonly allowRemoteLoad?: string;
  readonly targetPid?: number;
  readonly repeat?: number;
  readonly against?: string;
  readonly k6?: string;
  readonly format?: readonly string[];
  readonly quiet?: true;
}

export async function load(first: string | undefined, second: string | undefined, flags: LoadFlags): Promise<void> {
  const { wanted, address } = argumentsOf(first, second);
  const destinations = destinationsOf(flags.format ?? ['console'], flags.output);
  const profile = await profileOf({ path: flags.profile, address });
  const seed = flags.seed ?? freshSeed();
  if (flags.kubernetes !== undefined) {
    refuseInCluster(profile, flags);
    loadInCluster(prepare(profile, wishesOf(wanted ?? 'latency', seed, flags)), flags);
    return;
  }
  const other = flags.against === undefined ? [] : [await againstOf(flags.against, flags)];
  const { scenario, engine, remarks } = await chooseEngine(wanted, flags.k6);
  const wishes = wishesOf(scenario, seed, flags);
  if (flags.targetPid !== undefined && lookAt(flags.targetPid) === undefined)
    throw new UsageError(`--target-pid ${flags.targetPid}: there is no such process, or it is not yours`);
  // What is refused is refused before anything is started.
  const shown = flags.quiet
    ? silent
    : loadProgress([profile, ...other].map((each) => prepare(placedSomewhere(each), wishes))[0]!);
  const interrupt = interruption(shown.clear);
  const sides: Side[] = [];
  try {
    for (const [at, each] of [profile, ...other].entries()) {
      const folder = at === 0 ? flags.output : join(flags.output, 'against');
      sides.push(await openSide(each, wishes, folder, flags, interrupt.signal));
    }
    interrupt.before(() => {
      engine.kill();
      for (const { file } of sides) file.flush();
    });
    removeOld(destinations);
    await loaded(sides, engine, remarks, { destinations, flags, shown, signal: interrupt.signal });
  } finally {
    shown.clear();
    // A second interruption still ends at once; what was started is then ended by its guardian.
    await Promise.all(sides.map((side) => side.close()));
    interrupt.done();
  }
}

/** The scenario may be left out: what looks like an address is one. */
function argumentsOf(first: string | undefined, second: string | undefined) {
  if (first !== undefined && /^https?:\/\//i.test(first)) {
    if (second !== undefined)
      throw new UsageError('the scenario comes before the address: touchstone load latency http://…');
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
    ...some('slowestMs', flags.maxResponseTime),
    ...some('mostVus', flags.vus),
    ...some('workers', flags.workers),
    ...some('connections', flags.connections),
    ...some('addresses', flags.addresses),
    ...some('of', flags.of),
    ...some('limit', flags.limit),
    ...some('restMs', flags.pause),
    ...some('mayLoad', flags.allowRemoteLoad),
    ...some('targetPid', flags.targetPid),
    repeat: repeatsOf(flags),
  };
};

interface Around {
  readonly destinations: readonly Destination[];
  readonly flags: LoadFlags;
  readonly shown: LoadProgress;
  readonly signal: AbortSignal;
}

async function loaded(
  sides: readonly Side[],
  engine: Engine,
  remarks: readonly string[],
  around: Around,
): Promise<void> {
  const { flags, shown, signal } = around;
  const repeat = repeatsOf(flags);
  const searches = new Map(
    sides.flatMap(({ plan, profile }) =>
      plan.scenario === 'capacity' ? [[plan, searchFor(plan, profile, repeat)] as const] : [],
    ),
  );
  if (!flags.quiet) {
    for (const remark of remarks) say(remark);
    for (const { plan, profile } of sides) {
      const search = searches.get(plan);
      const times = repeat === 1 ? '' : `, ${repeat} times`;
      say(`${search === undefined ? announced(plan, profile) : announcedSearch(plan, search)}${times}; Ctrl-C ends it`);
    }
  }
  const unreached = await unreachable(sides, engine, signal);
  if (unreached !== undefined) {
    await tell(unreached.side, unreached.side.file.end({ unreachable: unreached.why }, remarks), around);
    return;
  }
  const order = interleaved(sides, repeat);
  for (const [at, { plan, file }] of order.entries()) {
    if (at > 0 && signal.aborted) break;
    const number = order.slice(0, at + 1).filter((each) => each.plan === plan).length;
    const named = repeat === 1 ? plan : { ...plan, id: `${plan.id}-${number}` };
    if (repeat > 1 && !flags.quiet) say(`${plan.scenario} ${number} of ${repeat}: ${plan.target}`);
    const search = searches.get(plan);
    const measurement =
      search === undefined
        ? await measure(named, engine, { clock: systemClock, signal, onSeconds: shown.on })
        : await searched(named, search, engine, signal, flags.quiet === true);
    shown.clear();
    keep(file, measurement);
  }
  const runs = sides.map(({ file }) => file.end(signal.aborted ? { interrupted: true } : {}, remarks));
  for (const [at, side] of sides.entries()) {
    await tell(side, runs[at]!, at === 0 ? around : { ...around, destinations: [{ format: 'console' }] });
    const ended = await side.ended();
    if (ended !== undefined) say(`The service ended before the load: ${ended}`);
  }
  const codes = runs.map((run) => exitCodes[outcomeOf(run)]);
  const code = codes.find((each) => each !== exitCodes.conforms) ?? exitCodes.conforms;
  exitWith(code !== exitCodes.conforms || sides.length === 1 ? code : comparedSides(sides, runs));
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

/** Of several runs each is told in a few lines; `touchstone report` shows the rest. */
async function tell({ file }: Side, run: Run, { destinations, flags }: Around): Promise<void> {
  const quiet = flags.quiet || repeatsOf(flags) > 1;
  const options = { runFile: file.path, ...(quiet ? { quiet: true } : {}) };
  await deliver(run, destinations, options);
  if (!destinations.some(({ format }) => format === 'github')) await tellActions(run, options);
  exitWith(exitCodes[outcomeOf(run)]);
}
