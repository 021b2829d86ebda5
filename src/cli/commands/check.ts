/** `touchstone check`. */
import { join } from 'node:path';
import { type CheckOptions, checkWith } from '../../check.ts';
import { systemClock } from '../../clock.ts';
import type { Control } from '../../model/control.ts';
import { type Depth, exitCodes, outcomeOf, type Run } from '../../model/run.ts';
import type { Waiving } from '../../model/waiving.ts';
import type { Profile } from '../../profile/profile.ts';
import { JournalError, type OpenJournal, openJournal, readJournals } from '../../runfile/journal.ts';
import { makeOutputFolder, openRunFile, type RunWriter } from '../../runfile/write.ts';
import { thisOwner } from '../../target/owner.ts';
import { calmed, inActions, tellActions } from '../actions.ts';
import { catalogue, explained, selected } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { type Destination, deliver, destinationsOf, removeOld } from '../formats.ts';
import { interruption } from '../interrupt.ts';
import { lock } from '../lock.ts';
import { proxiesSet } from '../machine.ts';
import { demandFiles } from '../open-files.ts';
import { exitWith, say } from '../output.ts';
import { profileOf } from '../profile.ts';
import { progress, silence } from '../progress.ts';
import { startTarget, type TargetKind, targetOf } from '../target.ts';

export interface CheckFlags {
  readonly profile?: string;
  readonly target?: TargetKind;
  readonly waivers?: string;
  readonly reference?: true;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly depth: Depth;
  readonly maxWait?: number;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly seed?: number;
  readonly repeat?: number;
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
  /** Undefined: it runs, or is not ours to watch. */
  ended?(): Promise<string | undefined>;
  close(): Promise<void>;
}

/** What a command does otherwise than `check`. */
export interface Manner {
  /** The embedded service has limits that can be found out soon. */
  readonly limited?: true;
  /** Once it is known what is asked: what is changed about it. May refuse. */
  readonly prepare?: (profile: Profile) => Profile;
}

export async function check(words: readonly string[], flags: CheckFlags): Promise<void> {
  await askAll(words, flags, selected(flags.only ?? [], flags.skip ?? []));
}

/** From the words of a command line to a run, its reports and its exit code. */
export async function askAll(
  words: readonly string[],
  flags: CheckFlags,
  rules: ReadonlySet<string> | undefined,
  { limited, prepare = (profile) => profile }: Manner = {},
): Promise<void> {
  const destinations = destinationsOf(flags.format ?? ['console'], flags.output);
  const shown = flags.quiet ? silence : progress(systemClock.now);
  const interrupt = interruption(shown.clear);
  let subject: Subject | undefined;
  let journal: OpenJournal | undefined;
  let unlock = (): void => {};
  try {
    subject = await subjectOf(words, flags, interrupt.signal, limited);
    const prepared = { ...subject, profile: prepare(subject.profile) };
    demandFiles(flags.concurrency ?? prepared.profile.concurrency);
    if (!flags.quiet) remarkProxies();
    makeOutputFolder(flags.output);
    unlock = lock(flags.output, '.check.lock', 'check');
    if (!flags.quiet) remarkLeft(flags.output);
    removeOld(destinations);
    const { origin, basePath } = prepared.profile;
    // The embedded service ends with the run, and its keys with it.
    if (!flags.reference) journal = openJournal({ ...here, folder: flags.output, target: origin + basePath });
    const writer = openRunFile(join(flags.output, 'run.jsonl'), systemClock);
    interrupt.before(writer.flush);
    const options = { ...optionsOf(flags, rules), ...(journal === undefined ? {} : { journal }) };
    const run = await runOf(prepared, options, writer, flags, destinations, shown, interrupt.signal);
    const ended = await subject.ended?.();
    await tell(run, destinations, flags, writer.path);
    if (ended !== undefined) say(`The service did not live as long as the run: ${ended}`);
    exitWith(exitCodes[outcomeOf(run)]);
  } finally {
    // A second interruption still ends at once; what was started is then ended by its guardian.
    await subject?.close();
    journal?.close();
    unlock();
    interrupt.done();
  }
}

async function subjectOf(
  words: readonly string[],
  flags: CheckFlags,
  signal: AbortSignal,
  limited?: true,
): Promise<Subject> {
  const target = flags.target === undefined ? undefined : targetOf(flags.target, words);
  if (target === undefined && words.length > 1)
    throw new UsageError(
      `one address at a time: ${words.length} words came; to have a command started, say --target command -- ${words.join(' ')}`,
      'two-targets',
    );
  const address = target === undefined ? words[0] : undefined;
  if (flags.reference) {
    if (words.length > 0 || target !== undefined || flags.profile !== undefined)
      throw new UsageError('--reference brings its own address and profile: leave the others out', 'two-targets');
    const waiving = await waivingFor(flags);
    const { startReference } = await import('../reference.ts');
    const reference = await startReference(limited);
    return { ...reference, ...waiving, profile: withTimeout(reference.profile, flags.timeout) };
  }
  const read = await profileOf({ path: flags.profile, address, target });
  const profile = withTimeout(read, flags.timeout);
  const waiving = await waivingFor(flags);
  if (profile.target === undefined) return { profile, ...waiving, close: async () => {} };
  return { ...(await startTarget(profile, flags, signal)), ...waiving };
}

async function waivingFor({ waivers, profile, reference }: CheckFlags): Promise<Pick<Subject, 'waiving'>> {
  if (reference && waivers === undefined) return {};
  const { readWaivers } = await import('../../waivers/read.ts');
  const { waivingBy } = await import('../../waivers/apply.ts');
  const today = systemClock.date().slice(0, 10);
  const read = readWaivers({ waivers, profile, cwd: process.cwd() }, { rules: explained, today });
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
  ...(flags.repeat === undefined ? {} : { repeat: flags.repeat }),
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
  shown: typeof silence,
  signal: AbortSignal,
): Promise<Run> {
  try {
    const run = await checkWith(catalogue, profile, {
      ...options,
      ...(control === undefined ? {} : { control }),
      ...(waiving === undefined ? {} : { waiving }),
      signal,
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

const here = { owner: thisOwner(), date: systemClock.date };

/** What an earlier run did not live to remove. */
function remarkLeft(folder: string): void {
  try {
    const left = readJournals(folder).reduce((sum, { keys }) => sum + keys.length, 0);
    if (left === 0) return;
    say(`Keys that an earlier run made may still be in its service (${left}): \`touchstone clean\` removes them.`);
  } catch (error) {
    if (!(error instanceof JournalError)) throw error;
    say(error.message);
  }
}

function remarkProxies(): void {
  const set = proxiesSet();
  if (set.length > 0) say(`${set.join(', ')}: set, but not used; Touchstone connects to the service itself.`);
}
