/** `touchstone check`. */
import { join } from 'node:path';
import { type CheckOptions, checkWith } from '../../check.ts';
import { systemClock } from '../../clock.ts';
import type { Control } from '../../model/control.ts';
import type { Catalogue } from '../../model/rule.ts';
import { type Depth, exitCodes, outcomeOf, type Run } from '../../model/run.ts';
import type { Waiving } from '../../model/waiving.ts';
import type { Profile } from '../../profile/profile.ts';
import { type OpenJournal, openJournal } from '../../runfile/journal.ts';
import { makeOutputFolder, openRunFile, RunFileWriteError, type RunWriter } from '../../runfile/write.ts';
import { thisOwner } from '../../target/owner.ts';
import { catalogue, catalogueOf, explained, selected } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { type Destination, destinationsOf, removeOld } from '../formats.ts';
import { interruption } from '../interrupt.ts';
import { lock } from '../lock.ts';
import { demandFiles } from '../open-files.ts';
import { exitWith, say } from '../output.ts';
import { profileOf } from '../profile.ts';
import { progress, silence } from '../progress.ts';
import { remarkLeft, remarkProxies, remarkRules } from '../remarks.ts';
import { startTarget, type TargetKind, targetOf } from '../target.ts';
import { salvage, tell } from '../tell.ts';
import { witnessed } from '../witnessed.ts';

export interface CheckFlags {
  readonly profile?: string;
  readonly target?: TargetKind;
  readonly waivers?: string;
  readonly reference?: true;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly rules?: string;
  readonly depth: Depth;
  readonly maxWait?: number;
  readonly maxDuration?: number;
  readonly timeout?: number;
  readonly concurrency?: number;
  readonly seed?: number;
  readonly challenge?: string;
  readonly repeat?: number;
  readonly strict?: true;
  readonly bail?: true;
  readonly allowRemoteLimits?: true;
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

/** What a command does differently than `check`. */
export interface Manner {
  /** The embedded service has limits that can be found soon. */
  readonly limited?: true;
  /** The rules of another version. */
  readonly known?: Catalogue;
  /** Once it is known what is asked: what is changed about it. May refuse. */
  readonly prepare?: (profile: Profile) => Profile;
}

export async function check(words: readonly string[], flags: CheckFlags): Promise<void> {
  if (flags.challenge !== undefined && flags.seed !== undefined)
    throw new UsageError('--seed and --challenge exclude each other: a challenge gives the seed');
  const known = catalogueOf(flags.rules);
  const asked = selected(
    flags.only ?? [],
    flags.skip ?? [],
    known.rules.map(({ id }) => id),
  );
  if (!flags.quiet) remarkRules(flags.rules);
  await askAll(words, flags, asked, { known });
}

/** From the words of a command line to a run, its reports and its exit code. */
export async function askAll(
  words: readonly string[],
  flags: CheckFlags,
  rules: ReadonlySet<string> | undefined,
  { limited, known = catalogue, prepare = (profile) => profile }: Manner = {},
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
    const begun = flags.challenge === undefined ? undefined : witnessed(flags.challenge, prepared.profile);
    const options = {
      ...optionsOf(flags, rules),
      ...begun?.options,
      ...(journal === undefined ? {} : { journal }),
    };
    const { run, unwritten } = await runOf(
      known,
      prepared,
      options,
      writer,
      flags,
      destinations,
      shown,
      interrupt.signal,
    );
    if (unwritten === undefined) await begun?.ended(run, writer.path);
    const ended = await subject.ended?.();
    await tell(run, destinations, flags, writer.path, unwritten);
    if (ended !== undefined) say(`The service ended before the run: ${ended}`);
    if (interrupt.signal.aborted && run.footer?.interrupted === undefined)
      say('The run was complete before it was interrupted: its reports are whole, but the exit code is 130.');
    exitWith(interrupt.signal.aborted ? exitCodes.interrupted : exitCodes[outcomeOf(run)]);
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
      `expected one address, got ${words.length} words; to start a command, use --target command -- ${words.join(' ')}`,
      'two-targets',
    );
  const address = target === undefined ? words[0] : undefined;
  if (flags.reference) {
    if (words.length > 0 || target !== undefined || flags.profile !== undefined)
      throw new UsageError('--reference has its own address and profile: remove the others', 'two-targets');
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
  ...(flags.maxDuration === undefined ? {} : { maxDurationMs: flags.maxDuration }),
  ...(rules === undefined ? {} : { selected: rules }),
  ...(flags.allowRemoteLimits === undefined ? {} : { probeLimits: true }),
});

async function runOf(
  known: Catalogue,
  { profile, control, waiving }: Subject,
  options: CheckOptions,
  writer: RunWriter,
  flags: CheckFlags,
  destinations: readonly Destination[],
  shown: typeof silence,
  signal: AbortSignal,
): Promise<{ readonly run: Run; readonly unwritten?: RunFileWriteError }> {
  try {
    const run = await checkWith(known, profile, {
      ...options,
      ...(control === undefined ? {} : { control }),
      ...(waiving === undefined ? {} : { waiving }),
      signal,
      on: shown.on,
      write: writer.write,
    });
    try {
      writer.close();
      return { run };
    } catch (error) {
      // The verdicts are known and printed; only their proof is missing.
      if (error instanceof RunFileWriteError) return { run, unwritten: error };
      throw error;
    }
  } catch (error) {
    shown.clear();
    await salvage(writer, destinations, flags);
    throw error;
  } finally {
    shown.clear();
  }
}

const here = { owner: thisOwner(), date: systemClock.date };
