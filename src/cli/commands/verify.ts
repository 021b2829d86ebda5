/** `touchstone certificate verify`: a certificate checked without network and without the service, and said in plain words. */
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
  ];
  if (wrong.length > 0 || statement === undefined || keyid === undefined) {
    out(problemWords(folder, wrong, shown));
    exitWith(exitCodes.violation);
    return;
  }
  const trusted = flags.key !== undefined;
  const today = systemClock.date().slice(0, 10);
  out(
    certificateWords(
      {
        statement: statement.predicate.touchstone,
        keyid,
        trusted,
        today,
        ...(underived === undefined ? {} : { underived }),
      },
      shown,
    ),
  );
  exitWith(underived === undefined ? exitCodes.conforms : exitCodes.incomplete);
}

function optionsOf({ key, subject }: VerifyFlags): VerifyOptions {
  if (subject !== undefined) {
    const wanted = subjectFrom(subject);
    if (typeof wanted === 'string') throw new UsageError(`--subject: ${wanted}`);
  }
  if (key === undefined) return {};
  let pem: string;
  try {
    pem = readBounded(key, largestKey).toString('utf8');
  } catch (error) {
    throw new UsageError(`the key ${key} cannot be read: ${whyNot(error)}`);
  }
  return { publicKey: publicKeyFrom(pem, key) };
}

function whyOther(name: string, { subject }: VerifyFlags): string[] {
  const wanted = subject === undefined ? undefined : subjectFrom(subject);
  if (wanted === undefined || typeof wanted === 'string' || subjectName(wanted) === name) return [];
  return [`it is about ${name}, not about ${subjectName(wanted)}`];
}
