/** `touchstone certificate verify`: a certificate checked without network and without the service, and said in plain words. */
import type { KeyObject } from 'node:crypto';
import { certificateWords, problemWords } from '../../../reports/certificate.ts';
import { readBundle } from '../../certificate/folder.ts';
import { publicKeyFrom } from '../../certificate/keys.ts';
import { subjectFrom, subjectName } from '../../certificate/subject.ts';
import { type VerifyOptions, verifyBundle } from '../../certificate/verify.ts';
import { systemClock } from '../../clock.ts';
import { exitCodes } from '../../model/run.ts';
import { largestKey, readBounded } from '../../profile/bounded.ts';
import { whyNot } from '../../profile/interpolate.ts';
import { UsageError } from '../errors.ts';
import { clientKnowledge, knowledge, knowledgeOf } from '../knowledge.ts';
import { exitWith, out, terminal } from '../output.ts';

export interface VerifyFlags {
  readonly key?: string;
  readonly subject?: string;
  readonly witnessKey?: string;
  readonly repository?: string;
}

export function verify(folder: string, flags: VerifyFlags): void {
  const options = optionsOf(flags);
  const { problems, statement, keyid, underived } = verifyBundle(readBundle(folder), knowledge(), {
    ...options,
    others: knowledgeOf,
    ofClients: clientKnowledge(),
    now: systemClock.date(),
  });
  const shown = { colour: terminal.colour, ...(terminal.width === undefined ? {} : { width: terminal.width }) };
  const wrong = [
    ...problems,
    ...(statement === undefined ? [] : whyOther(subjectName(statement.predicate.touchstone.subject), flags)),
    ...(statement === undefined ? [] : whyOtherBuild(statement.predicate.touchstone.pipeline?.repository, flags)),
  ];
  if (wrong.length > 0 || statement === undefined || keyid === undefined) {
    out(problemWords(folder, wrong, shown));
    exitWith(exitCodes.violation);
    return;
  }
  const trusted = flags.key !== undefined;
  const witnessed = flags.witnessKey !== undefined;
  const today = systemClock.date().slice(0, 10);
  out(
    certificateWords(
      {
        statement: statement.predicate.touchstone,
        keyid,
        trusted,
        witnessed,
        today,
        ...(underived === undefined ? {} : { underived }),
      },
      shown,
    ),
  );
  exitWith(underived === undefined ? exitCodes.conforms : exitCodes.incomplete);
}

function optionsOf({ key, subject, witnessKey }: VerifyFlags): VerifyOptions {
  if (subject !== undefined) {
    const wanted = subjectFrom(subject);
    if (typeof wanted === 'string') throw new UsageError(`--subject: ${wanted}`);
  }
  return {
    ...(key === undefined ? {} : { publicKey: keyIn(key) }),
    ...(witnessKey === undefined ? {} : { witnessKey: keyIn(witnessKey) }),
  };
}

function keyIn(path: string): KeyObject {
  let pem: string;
  try {
    pem = readBounded(path, largestKey).toString('utf8');
  } catch (error) {
    throw new UsageError(`the key ${path} cannot be read: ${whyNot(error)}`);
  }
  return publicKeyFrom(pem, path);
}

function whyOther(name: string, { subject }: VerifyFlags): string[] {
  const wanted = subject === undefined ? undefined : subjectFrom(subject);
  if (wanted === undefined || typeof wanted === 'string' || subjectName(wanted) === name) return [];
  return [`it is about ${name}, not about ${subjectName(wanted)}`];
}

function whyOtherBuild(named: string | undefined, { repository }: VerifyFlags): string[] {
  if (repository === undefined || named === repository.replace(/\/+$/, '')) return [];
  return [named === undefined ? 'it names no build' : `it names a build of ${named}, not of ${repository}`];
}
