/** `touchstone init`: looks at a service, asks little, writes a first profile, and overwrites nothing. */
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { inline, lasting, list } from '../../../reports/text.ts';
import { type Visit, visit } from '../../engine/visit.ts';
import { isPackage, type Pipeline, pipelineFile, tarball, variablesIn, waiversText } from '../../init/files.ts';
import { type Look, look, readActor, Unreachable, type Variables } from '../../init/look.ts';
import { profileText } from '../../init/profile-text.ts';
import type { Seen, SeenActor } from '../../init/seen.ts';
import { codesOf, isName, limitsOf } from '../../init/signs.ts';
import { tryRuns } from '../../init/try-runs.ts';
import { exitCodes } from '../../model/run.ts';
import type { Environment } from '../../profile/interpolate.ts';
import { defaultProfile, parseProfile } from '../../profile/parse.ts';
import { profileNames } from '../../profile/read.ts';
import { writeError } from '../../runfile/write.ts';
import { type Asked, asker, Cancelled } from '../ask.ts';
import { UsageError } from '../errors.ts';
import { initSummary, type Written } from '../init-summary.ts';
import { interruption } from '../interrupt.ts';
import { exitWith, out, say } from '../output.ts';

export interface InitFlags {
  readonly yes?: true;
  readonly actor?: readonly string[];
  readonly run?: true;
  readonly keyEnv: string;
  readonly pipeline?: Pipeline;
  readonly package?: string;
}

const profileName = 'touchstone.yaml';
const waiversName = 'touchstone.waivers.yaml';

/** How many actors are looked at where the service lists them by itself. */
const mostListed = 5;

export async function init(address: string, flags: InitFlags): Promise<void> {
  const folder = process.cwd();
  if (flags.package !== undefined && !isPackage(flags.package))
    throw new UsageError(`--package: ${JSON.stringify(flags.package)} cannot be a package for npm`, 'command-line');
  if (addsPipeline(folder, flags)) return;
  refuseToOverwrite(folder);
  for (const name of flags.actor ?? [])
    if (!isName(name))
      throw new UsageError(`--actor: ${JSON.stringify(name)} cannot be the name of an actor`, 'command-line');
  const interrupt = interruption(() => {});
  try {
    const ask = await asker({ silent: flags.yes === true, signal: interrupt.signal });
    const env = await withKey(flags, ask);
    const profile = defaultProfile({ address, env });
    const waiting = (who: string, ms: number): void => say(`rate-limited: waiting ${lasting(ms)} (${inline(who, 60)})`);
    const seen = await visit(profile, { signal: interrupt.signal, waiting }, (it) => explore(it, flags, ask));
    interrupt.signal.throwIfAborted();
    out(initSummary(seen, write(folder, seen, flags, env), flags.keyEnv, (process.env[flags.keyEnv] ?? '') !== ''));
  } catch (error) {
    if (!interrupt.signal.aborted && !(error instanceof Cancelled)) throw error;
    say('Interrupted: nothing was written.');
    exitWith(exitCodes.interrupted);
  } finally {
    interrupt.done();
  }
}

/** A gate for a profile that is there already: its variables are the secrets of the pipeline, and nobody is called. */
function addsPipeline(folder: string, { pipeline: kind, package: from }: InitFlags): boolean {
  const there = profileNames.find((name) => existsSync(join(folder, name)));
  if (there === undefined || kind === undefined) return false;
  const pipeline = pipelineFile(kind, variablesIn(readFileSync(join(folder, there), 'utf8')), from, hasTarball(folder));
  const { path, kept } = writeNew(folder, pipeline.path, pipeline.text);
  const written = kept ? `${path} exists and stays unchanged.` : `Wrote ${path}.`;
  out([`${there} exists and stays unchanged.`, written, pipeline.remaining].join('\n'));
  return true;
}

const hasTarball = (folder: string): boolean => existsSync(join(folder, tarball));

/** Before anybody is asked anything. */
function refuseToOverwrite(folder: string): void {
  const there = profileNames.find((name) => existsSync(join(folder, name)));
  if (there !== undefined)
    throw new UsageError(`${there} already exists here, and init overwrites nothing`, 'profile-exists');
  try {
    accessSync(folder, constants.W_OK);
  } catch (error) {
    throw writeError(`${profileName} cannot be written`, error);
  }
}

/** The key's variable under the name that profiles without a file know; a key that was typed goes no further than this process. */
async function withKey({ keyEnv }: InitFlags, ask: Asked): Promise<Environment> {
  const given = process.env[keyEnv] ?? '';
  const key =
    given === '' ? await ask.secret(`An API key of the service (not shown, not stored; empty for none)`) : given;
  const { TOUCHSTONE_API_KEY: _, ...others } = process.env;
  return key === '' ? others : { ...others, TOUCHSTONE_API_KEY: key };
}

const variablesOf = ({ keyEnv }: InitFlags): Variables => ({
  main: keyEnv,
  test: 'TOUCHSTONE_TEST_KEY',
  limited: 'TOUCHSTONE_RESTRICTED_KEY',
});

async function explore(it: Visit, flags: InitFlags, ask: Asked): Promise<Seen> {
  const first = await lookAt(it, flags);
  refuseStrangers(first);
  const works = first.keys.some(({ role, works }) => role === 'entitled' && works);
  const names = new Set(works ? await namesOf(first, flags, ask) : (flags.actor ?? []));
  const { main } = first;
  const limited = it.session.subject.keys.find(({ role }) => role === 'restricted');
  let actors: SeenActor[] = [];
  for (const name of names) actors.push(await readActor(it, name, main));
  const ready = actors.filter(({ input }) => input !== undefined);
  if (main !== undefined && works && ready.length > 0 && (await mayRun(ready, flags, ask))) {
    const tried: SeenActor[] = [];
    for (const actor of actors)
      tried.push(
        ready.includes(actor)
          ? { ...actor, runs: await tryRuns(it, actor, { main, ...(limited === undefined ? {} : { limited }) }) }
          : actor,
      );
    actors = tried;
  }
  const { main: _, ...seen } = first;
  return { ...seen, actors, codes: codesOf(it.exchanges), limits: limitsOf(it.exchanges, it.waitedMs()) };
}

function refuseStrangers({ address, signs, first, limits }: Look): void {
  if (signs.length > 0) return;
  if (limits.refused > 0)
    throw new UsageError(`${address} answers 429 and asks for too long a wait: ${first}`, 'too-limited');
  throw new UsageError(
    `${address} does not look like an Actor Execution Service: GET /v1/auth/verify got ${first}`,
    'no-such-service',
  );
}

async function lookAt(it: Visit, flags: InitFlags): Promise<Look> {
  try {
    return await look(it, variablesOf(flags));
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    const { origin, basePath } = it.session.profile;
    throw new UsageError(`${origin}${basePath}: ${error.message}`, 'not-reachable');
  }
}

async function namesOf({ listed }: Look, { actor }: InitFlags, ask: Asked): Promise<readonly string[]> {
  if (actor !== undefined) return actor;
  const offered = listed.slice(0, mostListed);
  const hint = offered.length === 0 ? 'empty: none' : `empty: ${offered.join(', ')}`;
  const text = await ask.text(`Names of actors that your key may run, separated by commas (${hint})`);
  const named = text
    .split(',')
    .map((each) => each.trim())
    .filter(isName);
  return named.length > 0 ? named : offered;
}

/** Reading is polite; running does work in the service, and so is asked for. */
async function mayRun(ready: readonly SeenActor[], { run }: InitFlags, ask: Asked): Promise<boolean> {
  if (run) return true;
  return ask.whether(`Run ${list(ready.map(({ name }) => name))} a few times, to see which roles they can play?`);
}

function write(folder: string, seen: Seen, flags: InitFlags, env: Environment): Written {
  const text = profileText(seen);
  // Touchstone must be able to read what it wrote: otherwise fail now, not in the first check.
  const readable = { ...env, [flags.keyEnv]: env.TOUCHSTONE_API_KEY ?? 'vk_live_none' };
  parseProfile(text, { source: profileName, env: readable, readFile: () => '' });
  const variables = seen.keys.filter(({ works }) => works).map(({ variable }) => variable);
  const pipeline =
    flags.pipeline === undefined
      ? undefined
      : pipelineFile(flags.pipeline, variables, flags.package, hasTarball(folder));
  const wanted = [
    { path: profileName, text },
    { path: waiversName, text: waiversText() },
    ...(pipeline === undefined ? [] : [pipeline]),
  ];
  const files = wanted.map((file) => writeNew(folder, file.path, file.text));
  return { files, ...(pipeline === undefined ? {} : { pipeline }) };
}

function writeNew(folder: string, name: string, text: string): Written['files'][number] {
  const path = join(folder, name);
  try {
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text, { flag: 'wx' });
    return { path: name };
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return { path: name, kept: true };
    throw writeError(`${name} cannot be written`, error);
  }
}
