/** `touchstone load`. */
import { join } from 'node:path';
import { secondsOf, tailSeconds } from '../../../load/shared/phases.ts';
import { isScenario, scenarioNames, scenarios } from '../../../load/shared/scenarios.ts';
import { loadReport } from '../../../reports/load.ts';
import { systemClock } from '../../clock.ts';
import { capsOf, withinCaps } from '../../load/allowed.ts';
import { startWitness } from '../../load/calm/witness.ts';
import { interleaved } from '../../load/compare/interleave.ts';
import type { Engine } from '../../load/engine.ts';
import { measure } from '../../load/measure.ts';
import type { LoadPlan } from '../../load/plan.ts';
import { isClosed, type LoadWishes, prepare } from '../../load/prepare.ts';
import { lookAt } from '../../load/watch-processes.ts';
import type { Measurement } from '../../model/measurement.ts';
import { exitCodes, outcomeOf, type Run } from '../../model/run.ts';
import { suggest } from '../../profile/nearest.ts';
import type { Profile } from '../../profile/profile.ts';
import { freshSeed } from '../../random.ts';
import { tellActions } from '../actions.ts';
import { UsageError } from '../errors.ts';
import { type Destination, deliver, destinationsOf, removeOld } from '../formats.ts';
import { interruption } from '../interrupt.ts';
import { exitWith, out, say, terminal } from '../output.ts';
import { profileOf } from '../profile.ts';
import { announcedSearch, searched, searchFor } from './capacity.ts';
import { chooseEngine } from './engine.ts';
import { type KubernetesFlags, loadInCluster, refuseInCluster } from './kubernetes.ts';
import { type LoadProgress, loadProgress, silent } from './progress.ts';
import type { LoadRun } from './run.ts';
import { againstOf, comparedSides, openSide, placedSomewhere, repeatsOf, type Side, unreachable } from './sides.ts';

export type LoadFlags = KubernetesFlags &
  Omit<LoadWishes, 'scenario' | 'seed'> & {
    readonly profile?: string;
    readonly seed?: number;
    readonly until?: 'valid' | 'end';
    readonly maxDuration?: number;
    readonly against?: string;
    readonly k6?: string;
    readonly format?: readonly string[];
    readonly quiet?: true;
  };

export async function load(first: string | undefined, second: string | undefined, flags: LoadFlags): Promise<void> {
  const { wanted, address } = argumentsOf(first, second);
  const destinations = destinationsOf(flags.format ?? ['console'], flags.output);
  const profile = await profileOf({ path: flags.profile, address });
  const seed = flags.seed ?? freshSeed();
  if (flags.kubernetes !== undefined) {
    refuseInCluster(profile, flags);
    loadInCluster(prepare(profile, { ...flags, scenario: wanted ?? 'latency', seed }), flags);
    return;
  }
  const other = flags.against === undefined ? [] : [await againstOf(flags.against, flags)];
  const { scenario, engine, remarks } = await chooseEngine(wanted, flags.k6);
  const wishes = { ...flags, scenario, seed, repeat: repeatsOf(flags) };
  if (flags.targetPid !== undefined && lookAt(flags.targetPid) === undefined)
    throw new UsageError(`--target-pid ${flags.targetPid}: there is no such process, or it is not yours`);
  // What is refused is refused before anything is started.
  const planned = [profile, ...other].map((each) => ({ plan: prepare(placedSomewhere(each), wishes), profile: each }));
  const times = Math.min(...planned.map((each) => timesOf(each.plan, each.profile, flags)));
  const shown = flags.quiet ? silent : loadProgress(planned[0]!.plan);
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
    await loaded(sides, engine, remarks, { destinations, flags, shown, times, signal: interrupt.signal });
  } finally {
    shown.clear();
    // A second interruption still ends at once; what was started is then ended by its guardian.
    await Promise.all(sides.map((side) => side.close()));
    interrupt.done();
  }
}

/** The scenario may be omitted: what looks like an address is one. */
function argumentsOf(first: string | undefined, second: string | undefined) {
  if (first !== undefined && /^https?:\/\//i.test(first)) {
    if (second !== undefined)
      throw new UsageError('the scenario comes before the address: touchstone load latency http://…');
    return { wanted: undefined, address: first };
  }
  if (first !== undefined && !isScenario(first))
    throw new UsageError(`there is no scenario \`${first}\`; ${suggest(first, scenarioNames)}`);
  return { wanted: first, address: second };
}

interface Around {
  readonly destinations: readonly Destination[];
  readonly flags: LoadFlags;
  readonly shown: LoadProgress;
  /** How often a schedule may be gone through. */
  readonly times: number;
  readonly signal: AbortSignal;
}

async function loaded(
  sides: readonly Side[],
  engine: Engine,
  remarks: readonly string[],
  around: Around,
): Promise<void> {
  const { flags, shown, times, signal } = around;
  const repeat = repeatsOf(flags);
  const searches = new Map(
    sides.flatMap(({ plan, profile }) =>
      scenarios[plan.scenario].searches ? [[plan, searchFor(plan, profile, repeat)] as const] : [],
    ),
  );
  if (!flags.quiet) {
    for (const remark of remarks) say(remark);
    for (const { plan, profile } of sides) {
      const search = searches.get(plan);
      const often = repeat === 1 ? '' : `, ${repeat} times`;
      const again = times > 1 ? `, repeated up to ${times} times until enough of it is calm` : '';
      say(
        `${search === undefined ? announced(plan, profile) : announcedSearch(plan, search)}${often}${again}; Ctrl-C ends it`,
      );
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
        ? await measure(named, engine, {
            clock: systemClock,
            signal,
            onSeconds: shown.on,
            witness: startWitness,
            times,
          })
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

/** The most repetitions until it is valid: as long as the command line says, and no longer than the profile allows. */
function timesOf({ scenario, phases, target }: LoadPlan, { load }: Profile, flags: LoadFlags): number {
  const { anyTime } = scenarios[scenario];
  const asked = flags.until === 'valid' || flags.maxDuration !== undefined;
  if (flags.until === 'end' || !(asked || (isCi() && anyTime))) return 1;
  if (!anyTime)
    throw new UsageError(
      `${scenario} is one schedule and is not lengthened: --until and --max-duration are for ${scenarioNames.filter((name) => scenarios[name].anyTime).join(', ')}`,
    );
  const onceMs = 1000 * (secondsOf(phases) - tailSeconds);
  const caps = capsOf(new URL(target).hostname, load ?? {});
  const allowedMs = caps.ms / repeatsOf(flags);
  withinCaps({ perSecond: 0, ms: flags.maxDuration ?? 0 }, { ...caps, ms: allowedMs });
  return Math.max(1, Math.floor(Math.min(allowedMs, flags.maxDuration ?? usuallyAtMost * onceMs) / onceMs));
}

/** Times the duration. */
const usuallyAtMost = 5;

const isCi = (): boolean => (process.env.CI ?? '') !== '' && process.env.CI !== 'false';

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
  const total = plan.phases.reduce((sum, { slotsWithin }) => sum + slotsWithin(), 0);
  const how = isClosed(plan.scenario) ? `${plan.connections} connections` : `about ${total} requests`;
  const many = plan.keys.length === 1 ? 'one key' : `${plan.keys.length} keys`;
  return `${plan.scenario} of ${plan.target}: ${how} in ${Math.ceil(secondsOf(plan.phases))} s, with ${many} of ${source}`;
}

/** Each of several runs is summed up in a few lines; `touchstone report` shows the rest. */
async function tell({ file }: Side, run: Run, { destinations, flags }: Around): Promise<void> {
  const quiet = flags.quiet || repeatsOf(flags) > 1;
  const options = { runFile: file.path, ...(quiet ? { quiet: true } : {}) };
  await deliver(run, destinations, options);
  if (!destinations.some(({ format }) => format === 'github')) await tellActions(run, options);
  exitWith(exitCodes[outcomeOf(run)]);
}
