/**
 * Pure: whether a bundle is what somebody signed, and whether what they signed follows from what they recorded. Cheap
 * questions first: nothing is read further that is not as it was signed.
 */
import type { KeyObject } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { RunFileError, readRunBytes } from '../runfile/read.ts';
import { type BundleFiles, digestOfFile, envelopeName, predicateName, predicateText, publicKeyName } from './bundle.ts';
import { envelopeFrom, isSignedBy } from './dsse.ts';
import { KeyError, keyId, publicKeyFrom, publicPem } from './keys.ts';
import { type FileDigest, inFile, type Knowledge, type RunInFile, type Statement, statementOf } from './predicate.ts';
import { statementFrom } from './shape.ts';
import { digestOfName, subjectName } from './subject.ts';
import { whyNotCertified } from './why-not.ts';
import { type Witness, whyNotBy, whyNotWitnessed, witnessIn } from './witness/witness.ts';

export interface Verification {
  /** Why it is not what it claims. An empty list: it is. */
  readonly problems: readonly string[];
  /** Signature and files hold, but these rules are not those that judged: the verdicts could not be derived again. */
  readonly underived?: string;
  /** Of what is signed; absent if nothing of it can be believed. */
  readonly statement?: Statement;
  readonly keyid?: string;
}

export interface VerifyOptions {
  /** From a place that the checker trusts. If omitted: the one in the bundle, which proves the signer only to somebody who knows the key. */
  readonly publicKey?: KeyObject;
  /** The verifier's own: whose challenge the runs must have been started with. */
  readonly witnessKey?: KeyObject;
  /** What is known of another version of the rules. */
  readonly others?: (version: string) => Knowledge | undefined;
  /** What is known about clients: a certificate about a client is compared with it. */
  readonly ofClients?: Knowledge;
  /** A date and time: nothing that is signed is of later. */
  readonly now?: string;
}

export function verifyBundle(files: BundleFiles, knowledge: Knowledge, options: VerifyOptions = {}): Verification {
  const opened = open(files, options);
  if ('problems' in opened) return opened;
  const { statement, keyid } = opened;
  const altered = whyAltered(files, statement);
  if (altered.length > 0) return { problems: altered };
  const witness = witnessIn(files);
  const unwitnessed = whyNotWitnessedBy(witness, options.witnessKey);
  if (typeof witness === 'string' || unwitnessed.length > 0) return { problems: unwitnessed };
  const { suite } = statement.predicate.touchstone;
  const known = knownOf(statement, knowledge, options);
  if (known === undefined) return { problems: [], underived: 'it is about a client', statement, keyid };
  if (suite.rules !== known.version || suite.specification !== known.specification || suite.digest !== known.digest) {
    const other =
      suite.specification !== known.specification ? ', of another specification' : ', with other rules in it';
    const why = `it was made with rules of version ${suite.rules.slice(0, 40)}, and this Touchstone has version ${known.version}${suite.rules === known.version ? other : ''}`;
    return { problems: [], underived: why, statement, keyid };
  }
  const problems = [...whyOfLater(statement, options.now), ...whyNotDerived(files, statement, known, witness)];
  return { problems, statement, keyid };
}

function knownOf(
  { predicate: { touchstone } }: Statement,
  knowledge: Knowledge,
  { others, ofClients }: VerifyOptions,
): Knowledge | undefined {
  if (touchstone.about === 'client') return ofClients;
  const { rules } = touchstone.suite;
  return rules === knowledge.version ? knowledge : (others?.(rules) ?? knowledge);
}

function whyNotWitnessedBy(witness: Witness | string | undefined, key: KeyObject | undefined): string[] {
  if (typeof witness === 'string') return [witness];
  if (key === undefined) return [];
  return witness === undefined ? ['it is not witnessed: there is no challenge in it'] : whyNotBy(witness, key);
}

const day = 24 * 3_600_000;

/** Clocks differ by less than a day. */
function whyOfLater({ predicate: { touchstone } }: Statement, now: string | undefined): string[] {
  const issued = Date.parse(touchstone.issued);
  const early = touchstone.runs.filter(({ ended }) => Date.parse(ended) > issued + day).map(({ file }) => file);
  return [
    ...(now !== undefined && issued > Date.parse(now) + day
      ? [`it was issued in the future, on ${touchstone.issued}`]
      : []),
    ...early.map((file) => `it was issued before ${file} had ended`),
  ];
}

type Opened = { readonly statement: Statement; readonly keyid: string } | { readonly problems: readonly string[] };

function open(files: BundleFiles, { publicKey: given }: VerifyOptions): Opened {
  const text = textOf(files.get(envelopeName));
  const envelope = text === undefined ? undefined : envelopeFrom(text);
  if (envelope === undefined)
    return {
      problems: [`${envelopeName} ${files.has(envelopeName) ? 'is not the envelope as it was written' : 'is missing'}`],
    };
  const key = keyIn(files);
  if (typeof key === 'string') return { problems: [key] };
  if (given !== undefined && keyId(given) !== keyId(key))
    return { problems: [`it is signed by another key than the one given: by ${keyId(key)}, not by ${keyId(given)}`] };
  if (envelope.keyid !== keyId(key)) return { problems: [`${envelopeName} names another key than ${publicKeyName}`] };
  if (!isSignedBy(envelope, key)) return { problems: ['the signature does not match: the certificate was altered'] };
  const statement = statementFrom(envelope.payload);
  if (statement === undefined)
    return { problems: ['what is signed is not a certificate of a version that this Touchstone knows'] };
  return { statement, keyid: envelope.keyid };
}

function keyIn(files: BundleFiles): KeyObject | string {
  const pem = textOf(files.get(publicKeyName));
  if (pem === undefined) return `${publicKeyName} is missing`;
  try {
    const key = publicKeyFrom(pem, publicKeyName);
    return publicPem(key) === pem ? key : `${publicKeyName} is not as Touchstone writes it`;
  } catch (error) {
    if (error instanceof KeyError) return error.message;
    throw error;
  }
}

/** Each file as it was signed, none missing, none more. */
function whyAltered(files: BundleFiles, statement: Statement): string[] {
  const { files: listed } = statement.predicate.touchstone;
  const names = new Set([envelopeName, predicateName, ...listed.map(({ name }) => name)]);
  return [
    ...(names.size < listed.length + 2 ? ['a file is listed twice in the statement'] : []),
    ...[...files.keys()].filter((name) => !names.has(name)).map((name) => `${name} is not listed in the statement`),
    ...listed.flatMap((signed) => whyOther(files.get(signed.name), signed)),
    ...(textOf(files.get(predicateName)) === predicateText(statement)
      ? []
      : [`${predicateName} is not what was signed`]),
  ];
}

function whyOther(bytes: Uint8Array | undefined, signed: FileDigest): string[] {
  if (bytes === undefined) return [`${signed.name} is missing`];
  return isDeepStrictEqual(digestOfFile(signed.name, bytes), signed) ? [] : [`${signed.name} is not what was signed`];
}

function whyNotDerived(
  files: BundleFiles,
  statement: Statement,
  knowledge: Knowledge,
  witness: Witness | undefined,
): string[] {
  const { touchstone } = statement.predicate;
  const { subject, files: listed } = touchstone;
  const wrongSubject =
    subject.digestOf === 'name-and-version' && subject.sha256 !== digestOfName(subject.name, subject.version)
      ? [`the digest of ${subjectName(subject)} is not that of its name and version`]
      : [];
  const runs: RunInFile[] = [];
  for (const { file: name } of touchstone.runs) {
    const file = listed.find((each) => each.name === name);
    const bytes = files.get(name);
    if (file === undefined || bytes === undefined) return [`${name} is named as a run, but is not in the folder`];
    try {
      runs.push({
        file,
        run: readRunBytes(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length), { source: name }),
      });
    } catch (error) {
      if (error instanceof RunFileError) return [error.message];
      throw error;
    }
  }
  const others = listed.filter(({ name }) => !runs.some(({ file }) => file.name === name));
  const whyNot = whyNotCertified(
    runs.map(({ file, run }) => ({ name: file.name, run, bytes: files.get(file.name)! })),
    touchstone.level,
    touchstone.issued,
    knowledge,
  );
  if (witness !== undefined) whyNot.push(...whyNotWitnessed(witness, runs.map(inFile)));
  if (whyNot.length > 0) return [...wrongSubject, ...whyNot];
  const { level, issued, suite, pipeline } = touchstone;
  const more = { ...(witness === undefined ? {} : { witness }), ...(pipeline === undefined ? {} : { pipeline }) };
  const again = statementOf(
    { subject, level, issued, touchstone: suite.touchstone, runs, files: others, ...more },
    knowledge,
  );
  return [...wrongSubject, ...membersThatDiffer(statement, again)];
}

function membersThatDiffer(signed: Statement, again: Statement): string[] {
  const [ours, theirs] = [membersOf(again), membersOf(signed)];
  const names = [...new Set([...ours.keys(), ...theirs.keys()])];
  return names
    .filter((name) => !isDeepStrictEqual(theirs.get(name), ours.get(name)))
    .map((name) => `\`${name}\` does not follow from the recorded exchanges`);
}

/** By their names, as a file gives them back. */
function membersOf(statement: Statement): ReadonlyMap<string, unknown> {
  const { predicate, ...outer } = JSON.parse(JSON.stringify(statement)) as Statement;
  const { touchstone, ...rest } = predicate;
  const named = (part: object, prefix: string): [string, unknown][] =>
    Object.entries(part).map(([name, value]) => [`${prefix}${name}`, value]);
  return new Map([...named(outer, 'statement.'), ...named(rest, 'predicate.'), ...named(touchstone, '')]);
}

const textOf = (bytes: Uint8Array | undefined): string | undefined => {
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
};
