/** `touchstone certify`: what complete runs show, signed, as a folder that anybody can check. */
import { statSync } from 'node:fs';
import { plural } from '../../../reports/text.ts';
import { bundleOf, digestOfFile, type WitnessFiles } from '../../certificate/bundle.ts';
import { largestBundle, writeBundle } from '../../certificate/folder.ts';
import { keyId, privateKeyFrom } from '../../certificate/keys.ts';
import type { LevelName } from '../../certificate/levels.ts';
import { pipelineFrom } from '../../certificate/pipeline.ts';
import type { Knowledge } from '../../certificate/predicate.ts';
import { keyShapesIn, secretsIn } from '../../certificate/scan.ts';
import { subjectFrom, subjectName } from '../../certificate/subject.ts';
import { whyNotCertified } from '../../certificate/why-not.ts';
import { readChallenge, readStarted } from '../../certificate/witness/journal.ts';
import { type Witness, whyNotWitnessed } from '../../certificate/witness/witness.ts';
import { systemClock } from '../../clock.ts';
import { keyringOf } from '../../engine/assemble.ts';
import { exitCodes, type Run } from '../../model/run.ts';
import { largestKey, readBounded, TooLarge } from '../../profile/bounded.ts';
import { whyNot } from '../../profile/interpolate.ts';
import type { Profile } from '../../profile/profile.ts';
import { readProfile } from '../../profile/read.ts';
import { readRunBytes } from '../../runfile/read.ts';
import { writeError } from '../../runfile/write.ts';
import { catalogueOf } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { clientKnowledge, knowledge, knowledgeOf } from '../knowledge.ts';
import { exitWith, out, say } from '../output.ts';
import { profileOf } from '../profile.ts';
import { fromCommandLine } from './client.ts';

export interface CertifyFlags {
  readonly subject: string;
  readonly key: string;
  readonly level: LevelName;
  readonly digest?: string;
  readonly witness?: string;
  readonly pipeline?: true;
  readonly profile?: readonly string[];
  readonly withoutProfile?: true;
  readonly rules?: string;
  readonly output: string;
}

interface GivenRun {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly run: Run;
}

export async function certify(paths: readonly string[], flags: CertifyFlags): Promise<void> {
  const subject = subjectFrom(flags.subject, flags.digest);
  if (typeof subject === 'string') throw new UsageError(`--subject: ${subject}`);
  const keys = privateKeyFrom(readKey(flags.key), flags.key);
  const runs = readRuns(paths);
  const issued = systemClock.date();
  const known = knowledgeFor(runs, flags.rules);
  const missing = whyNotCertified(runs, flags.level, issued, known);
  const witness = flags.witness === undefined ? undefined : witnessOf(flags.witness);
  if (witness !== undefined) missing.push(...whyNotWitnessed(witness.witness, asFiles(runs)));
  const pipeline = flags.pipeline ? pipelineFrom(process.env) : undefined;
  if (typeof pipeline === 'string') throw new UsageError(`--pipeline: ${pipeline}`);
  if (missing.length > 0) return refuse(subjectName(subject), flags.level, missing);
  const profiles = flags.withoutProfile ? [] : await profilesOf(runs, flags.profile);
  const { statement, files } = bundleOf(
    {
      subject,
      level: flags.level,
      issued,
      touchstone: known.touchstone,
      runs,
      ...(witness === undefined ? {} : { witness: witness.witness }),
      ...(pipeline === undefined ? {} : { pipeline }),
    },
    known,
    keys,
    witness?.files,
  );
  const hits = secretsIn(files, keyringOf(...profiles));
  if (hits.length > 0) {
    const where = hits.map(({ file, line, secret }) => `  ${file}${line === undefined ? '' : `:${line}`}: ${secret}`);
    throw new UsageError(
      `nothing was written: the certificate would contain a secret of the profile\n${where.join('\n')}`,
    );
  }
  for (const file of keyShapesIn(files))
    say(
      `${file} contains something that looks like an API key but is not one of the profile: check it before you publish it.`,
    );
  try {
    writeBundle(flags.output, files);
  } catch (error) {
    if (error instanceof Error && error.name === 'BundleError') throw error;
    throw new UsageError(writeError(`the certificate cannot be written to ${flags.output}`, error).message);
  }
  const { coverage, waivers } = statement.predicate.touchstone;
  out(`${flags.output}: ${subjectName(subject)}, level ${flags.level}, signed by ${keyId(keys.publicKey)}`);
  out(
    `${coverage.required.exercised} of ${coverage.required.testable} testable required clauses were exercised${waivers.length === 0 ? '' : `; ${plural(waivers.length, 'waiver')} included`}.`,
  );
  out(
    `It contains every recorded exchange, with names in place of secrets. Verify it: touchstone certificate verify ${flags.output}`,
  );
}

function witnessOf(path: string): { readonly witness: Witness; readonly files: WitnessFiles } {
  const { text, challenge } = readChallenge(path);
  const { text: journal, runs: started } = readStarted(path, challenge);
  return { witness: { challenge, started }, files: { challenge: text, journal } };
}

const asFiles = (runs: readonly GivenRun[]) =>
  runs.map(({ name, bytes, run }) => ({ name, run, sha256: digestOfFile(name, bytes).sha256 }));

/** The set that judged the runs, where it is kept; what fits it not is said then. */
function knowledgeFor(runs: readonly GivenRun[], wanted: string | undefined): Knowledge {
  if (runs[0]?.run.header.client !== undefined) return clientKnowledge();
  if (wanted === undefined) return knowledgeOf(runs[0]?.run.header.rules.version ?? '') ?? knowledge();
  catalogueOf(wanted);
  return knowledgeOf(wanted) ?? knowledge();
}

function refuse(subject: string, level: LevelName, missing: readonly string[]): void {
  say(`touchstone: no certificate of the level ${level} for ${subject}:`);
  for (const each of missing.slice(0, 60)) say(`  ${each}`);
  if (missing.length > 60) say(`  and ${missing.length - 60} more`);
  exitWith(exitCodes.violation);
}

export function readKey(path: string): string {
  try {
    const text = readBounded(path, largestKey).toString('utf8');
    if ((statSync(path).mode & 0o077) !== 0) say(`${path} is readable by others: chmod 600 ${path}`);
    return text;
  } catch (error) {
    throw new UsageError(`the key ${path} cannot be read: ${whyNot(error)}`);
  }
}

function readRuns(paths: readonly string[]): GivenRun[] {
  let left = largestBundle;
  const runs = paths.map((path): GivenRun => {
    let bytes: Buffer;
    try {
      bytes = readBounded(path, left);
      left -= bytes.length;
    } catch (error) {
      if (error instanceof TooLarge)
        throw new UsageError(
          `the run files are larger than ${largestBundle} bytes together: nobody would verify a certificate of that size`,
        );
      throw new UsageError(`the run file ${path} cannot be read: ${whyNot(error)}`);
    }
    return { name: path, bytes, run: readRunBytes(bytes, { source: path }) };
  });
  for (const [index, { bytes, name }] of runs.entries())
    if (runs.slice(0, index).some((other) => Buffer.compare(other.bytes, bytes) === 0))
      throw new UsageError(`${name} is named twice`);
  return runs;
}

/** The profile of each run: its secrets are what must not be handed out. The digest says whether it is the one. */
async function profilesOf(runs: readonly GivenRun[], paths: readonly string[] | undefined): Promise<Profile[]> {
  const profiles: Profile[] = [];
  for (const { name, run } of runs) {
    const { target: address, profile, client } = run.header;
    // It was started from the command line: its keys were made for the run, and nothing else was secret.
    if (client !== undefined && profile.name === fromCommandLine) continue;
    const candidates = await Promise.all(
      (paths ?? [undefined]).map((path) =>
        client === undefined
          ? profileOf({ path, address })
          : readProfile({ path, client: true, env: process.env, cwd: process.cwd() }),
      ),
    );
    const own = candidates.find(({ digest }) => digest === profile.digest);
    if (own === undefined)
      throw new UsageError(
        `${name} was made with another profile (${profile.name.slice(0, 200)}) than ${paths === undefined ? 'the one that is here' : 'those given'}, so its secrets cannot be searched for: pass it with --profile, with the same environment; or pass --without-profile if its secrets are no longer valid`,
      );
    profiles.push(own);
  }
  return profiles;
}
