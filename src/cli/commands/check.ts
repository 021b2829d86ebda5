/** `touchstone check`. */
import { join } from 'node:path';
import { type CheckOptions, checkWith } from '../../check.ts';
import { systemClock } from '../../clock.ts';
import type { Control, Waiving } from '../../engine/options.ts';
import { type Depth, exitCodes, outcomeOf, type Run } from '../../model/run.ts';
import type { Profile } from '../../profile/profile.ts';
import { readProfile } from '../../profile/read.ts';
import { makeOutputFolder, openRunFile, type RunWriter } from '../../runfile/write.ts';
import { calmed, inActions, tellActions } from '../actions.ts';
import { catalogue, selected } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { type Destination, deliver, destinationsOf, removeOld } from '../formats.ts';
import { interruption } from '../interrupt.ts';
import { proxiesSet } from '../machine.ts';
import { exitWith, say } from '../output.ts';
import { progress, silence } from '../progress.ts';

export interface CheckFlags {
  readonly profile?: string;
  readonly waivers?: string;
  readonly reference?: true;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly depth: Depth;
  readonly maxWait?: number;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly seed?: number;
  readonly strict?: true;
  readonly bail?: true;
  readonly yesProbeLimits?: true;
  readonly explain?: true;
  readonly format?: readonly string[];
  readonly output: string;
  readonly quiet?: true;
  readonly verbose?: true;
}

export interface Subject {
  readonly profile: Profile;
  readonly control?: Control;
  readonly waiving?: Waiving;
  close(): Promise<void>;
}

export async function check(address: string | undefined, flags: CheckFlags): Promise<void> {
  const rules = selected(flags.only ?? [], flags.skip ?? []);
  const destinations = destinationsOf(flags.format ?? ['console'], flags.output);
  await askAll(await subjectOf(address, flags), flags, rules, destinations);
}

/** From a subject to a run, its reports and its exit code. */
export async function askAll(
  subject: Subject,
  flags: CheckFlags,
  rules: ReadonlySet<string> | undefined,
  destinations: readonly Destination[],
): Promise<void> {
  try {
    if (!flags.quiet) remarkProxies();
    makeOutputFolder(flags.output);
    removeOld(destinations);
    const writer = openRunFile(join(flags.output, 'run.jsonl'), systemClock);
    const run = await runOf(subject, optionsOf(flags, rules), writer, flags, destinations);
    await tell(run, destinations, flags, writer.path);
    exitWith(exitCodes[outcomeOf(run)]);
  } finally {
    await subject.close();
  }
}

/** `limited`: the embedded service has limits that can be found out soon. */
export async function subjectOf(address: string | undefined, flags: CheckFlags, limited = false): Promise<Subject> {
  if (flags.reference) {
    if (address !== undefined || flags.profile !== undefined)
      throw new UsageError('--reference brings its own address and profile: leave the others out', 'two-targets');
    const waiving = await waivingFor(flags);
    const { startReference } = await import('../reference.ts');
    const reference = await startReference(limited);
    return { ...reference, ...waiving, profile: withTimeout(reference.profile, flags.timeout) };
  }
  const profile = await readProfile({ path: flags.profile, address, env: process.env, cwd: process.cwd() });
  return { profile: withTimeout(profile, flags.timeout), ...(await waivingFor(flags)), close: async () => {} };
}

async function waivingFor({ waivers, profile, reference }: CheckFlags): Promise<Pick<Subject, 'waiving'>> {
  if (reference && waivers === undefined) return {};
  const { readWaivers } = await import('../../waivers/read.ts');
  const { waivingBy } = await import('../../waivers/apply.ts');
  const today = systemClock.date().slice(0, 10);
  const read = readWaivers({ waivers, profile, cwd: process.cwd() }, { rules: catalogue.rules, today });
  return read.length === 0 ? {} : { waiving: waivingBy(read, today) };
}

function withTimeout(profile: Profile, timeoutMs: number | undefined): Profile {
  if (timeoutMs === undefined) return profile;
  const { deadlineMs, upstreamMs } = profile.bounds;
  const bounds = {
    ...profile.bounds,
    timeoutMs,
    deadlineMs: Math.max(deadlineMs, 2 * timeoutMs),
    upstreamMs: Math.min(upstreamMs, timeoutMs),
  };
  return { ...profile, bounds };
}

const optionsOf = (flags: CheckFlags, rules: ReadonlySet<string> | undefined): CheckOptions => ({
  depth: flags.depth,
  ...(flags.strict === undefined ? {} : { strict: true }),
  ...(flags.bail === undefined ? {} : { bail: true }),
  ...(flags.seed === undefined ? {} : { seed: flags.seed }),
  ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
  ...(flags.maxWait === undefined ? {} : { maxWaitMs: flags.maxWait }),
  ...(rules === undefined ? {} : { selected: rules }),
  ...(flags.yesProbeLimits === undefined ? {} : { probeLimits: true }),
});

async function runOf(
  { profile, control, waiving }: Subject,
  options: CheckOptions,
  writer: RunWriter,
  flags: CheckFlags,
  destinations: readonly Destination[],
): Promise<Run> {
  const shown = flags.quiet ? silence : progress(systemClock.now);
  const interrupt = interruption(shown.clear);
  interrupt.before(writer.flush);
  try {
    const run = await checkWith(catalogue, profile, {
      ...options,
      ...(control === undefined ? {} : { control }),
      ...(waiving === undefined ? {} : { waiving }),
      signal: interrupt.signal,
      on: shown.on,
      write: writer.write,
    });
    writer.close();
    return run;
  } catch (error) {
    shown.clear();
    await salvage(writer, destinations, flags);
    throw error;
  } finally {
    shown.clear();
    interrupt.done();
  }
}

/** What was written before the harness itself failed is reported as what it is: an incomplete run. */
async function salvage(writer: RunWriter, destinations: readonly Destination[], flags: CheckFlags): Promise<void> {
  try {
    writer.close();
    const { readRunFile } = await import('../../runfile/read.ts');
    const run = readRunFile(writer.path, { partial: true });
    await tell(run, destinations, flags, writer.path);
  } catch {
    // The error that led here is told, and is the one that matters.
  }
}

/** The answer is seen in any case: where nothing for people goes to standard output, its last lines go to standard error. */
async function tell(run: Run, destinations: readonly Destination[], flags: CheckFlags, runFile: string): Promise<void> {
  const options = {
    runFile,
    ...(flags.quiet === undefined ? {} : { quiet: true }),
    ...(flags.verbose === undefined ? {} : { verbose: true }),
    ...(flags.explain === undefined ? {} : { explain: true }),
  };
  await deliver(run, destinations, options);
  if (!destinations.some(({ format }) => format === 'github')) await tellActions(run, options);
  if (destinations.some(({ format, path }) => format === 'console' && path === undefined)) return;
  const { consoleReport } = await import('../../../reports/console.ts');
  const text = consoleReport(run, { quiet: true }).trimEnd();
  say(inActions() ? calmed(text) : text);
}

function remarkProxies(): void {
  const set = proxiesSet();
  if (set.length > 0) say(`${set.join(', ')}: set, but not used; Touchstone connects to the service itself.`);
}
