/** `touchstone client`. */
import { createHash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join, resolve } from 'node:path';
import { judgeClient } from '../../client/judge.ts';
import { systemClock } from '../../clock.ts';
import { type Depth, exitCodes, outcomeOf, type Run } from '../../model/run.ts';
import type { Waiving } from '../../model/waiving.ts';
import { type ProfileClient, usualClient } from '../../profile/profile-client.ts';
import { readProfile } from '../../profile/read.ts';
import { makeOutputFolder, openRunFile } from '../../runfile/write.ts';
import { calmed, inActions, tellActions } from '../actions.ts';
import { clientCatalogue, clientIds, explained, selectedFrom } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { type Destination, deliver, destinationsOf, removeOld } from '../formats.ts';
import { interruption } from '../interrupt.ts';
import { lock } from '../lock.ts';
import { exitWith, say, sayOver, terminal } from '../output.ts';
import { shownWords } from '../shown-words.ts';

/** What the profile of a run is called that has none. */
export const fromCommandLine = 'the command line';

export interface ClientFlags {
  readonly profile?: string;
  readonly waivers?: string;
  readonly only?: readonly string[];
  readonly skip?: readonly string[];
  readonly depth: Depth;
  readonly within?: number;
  readonly concurrency?: number;
  readonly seed?: number;
  readonly strict?: true;
  readonly json?: true;
  readonly format?: readonly string[];
  readonly output: string;
  readonly quiet?: true;
  readonly verbose?: true;
}

interface Subject {
  readonly client: ProfileClient;
  readonly name: string;
  readonly digest: string;
  readonly strict: boolean;
}

export async function client(words: readonly string[], flags: ClientFlags): Promise<void> {
  if (flags.json && flags.format !== undefined)
    throw new UsageError('--json is --format json=-: use only one of them', 'formats-collide');
  const quiet = flags.quiet ?? flags.json;
  const destinations = destinationsOf(flags.json ? ['json=-'] : (flags.format ?? ['console']), flags.output);
  const selected = selectedFrom(clientIds, flags.only ?? [], flags.skip ?? []);
  const subject = await subjectOf(words, flags);
  const waiving = await waivingFor(flags);
  const shown = quiet ? silence : progress();
  const interrupt = interruption(shown.clear);
  let unlock = (): void => {};
  try {
    makeOutputFolder(flags.output);
    unlock = lock(flags.output, '.check.lock', 'check');
    removeOld(destinations);
    const writer = openRunFile(join(flags.output, 'run.jsonl'), systemClock);
    interrupt.before(writer.flush);
    const run = await judgeClient(
      clientCatalogue,
      subject.client,
      { env: process.env, processors: availableParallelism() },
      {
        profile: {
          name: subject.name,
          digest: subject.digest,
          ...(words.length === 0 ? {} : { command: shownWords(words) }),
        },
        depth: flags.depth,
        strict: flags.strict ?? subject.strict,
        ...(flags.seed === undefined ? {} : { seed: flags.seed }),
        ...(flags.concurrency === undefined ? {} : { concurrency: flags.concurrency }),
        ...(selected === undefined ? {} : { selected }),
        ...waiving,
        signal: interrupt.signal,
        write: writer.write,
        on: shown.on,
      },
    ).finally(shown.clear);
    writer.close();
    await tell(run, destinations, flags, writer.path);
    exitWith(exitCodes[outcomeOf(run)]);
  } finally {
    unlock();
    interrupt.done();
  }
}

async function subjectOf(words: readonly string[], flags: ClientFlags): Promise<Subject> {
  if (words.length > 0 && flags.profile === undefined) {
    const own = { ...usualClient, command: words, folder: process.cwd() };
    const digest = createHash('sha256')
      .update(JSON.stringify([words, usualClient]))
      .digest('hex');
    return { client: within(own, flags), name: fromCommandLine, digest, strict: false };
  }
  const profile = await readProfile({ path: flags.profile, client: true, env: process.env, cwd: process.cwd() });
  if (profile.client === undefined)
    throw new UsageError(
      `${profile.source} has no \`client\`: write \`client: { command: […] }\`, or give the command after --`,
      'no-client',
    );
  const folder = resolve(profile.folder, profile.client.folder);
  const own = { ...profile.client, folder, ...(words.length > 0 ? { command: words } : {}) };
  return { client: within(own, flags), name: profile.source, digest: profile.digest, strict: profile.strict };
}

export async function waivingFor({
  waivers,
  profile,
}: Pick<ClientFlags, 'waivers' | 'profile'>): Promise<{ readonly waiving?: Waiving }> {
  const { readWaivers } = await import('../../waivers/read.ts');
  const { waivingBy } = await import('../../waivers/apply.ts');
  const today = systemClock.date().slice(0, 10);
  const read = readWaivers({ waivers, profile, cwd: process.cwd() }, { rules: explained, today });
  return read.length === 0 ? {} : { waiving: waivingBy(read, today) };
}

const within = (client: ProfileClient, { within: withinMs }: ClientFlags): ProfileClient =>
  withinMs === undefined ? client : { ...client, withinMs };

export async function tell(
  run: Run,
  destinations: readonly Destination[],
  flags: Pick<ClientFlags, 'quiet' | 'verbose' | 'json'>,
  runFile: string,
): Promise<void> {
  const options = {
    runFile,
    ...(flags.quiet === undefined ? {} : { quiet: true }),
    ...(flags.verbose === undefined ? {} : { verbose: true }),
  };
  await deliver(run, destinations, options);
  if (!destinations.some(({ format }) => format === 'github')) await tellActions(run, options);
  if (flags.json || destinations.some(({ format, path }) => format === 'console' && path === undefined)) return;
  const { consoleReport } = await import('../../../reports/console.ts');
  const text = consoleReport(run, { quiet: true }).trimEnd();
  say(inActions() ? calmed(text) : text);
}

const silence = { on() {}, clear() {} };

/** On a terminal one line that is written over; elsewhere nothing until the end. */
function progress(): { on(done: number, of: number, title: string): void; clear(): void } {
  if (!terminal.canUpdate) return silence;
  let shown = false;
  return {
    on(done, of, title) {
      shown = true;
      sayOver(`\r\u001b[2K${`${done}/${of} ${title}`.slice(0, terminal.widthOnError - 1)}`);
    },
    clear() {
      if (shown) sayOver('\r\u001b[2K');
      shown = false;
    },
  };
}
