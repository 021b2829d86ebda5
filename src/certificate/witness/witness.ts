/**
 * Pure: what a challenge and the journal of started runs say about the runs of a certificate. That the challenge is the verifier's, only
 * the verifier's key shows.
 */
import type { KeyObject } from 'node:crypto';
import type { Exchange } from '../../model/exchange.ts';
import type { Run } from '../../model/run.ts';
import { gzippedIn } from '../../secrets/packed.ts';
import { tokenOf } from '../../words.ts';
import type { BundleFiles } from '../bundle.ts';
import { keyId } from '../keys.ts';
import { challengeFrom, type GivenChallenge, rootOf, seedOf } from './challenge.ts';
import { challengeName, journalName } from './names.ts';
import { type StartedRun, startedFrom } from './started.ts';

export interface Witness {
  readonly challenge: GivenChallenge;
  readonly started: readonly StartedRun[];
}

/** As a certificate shows it. */
export interface WitnessInCertificate {
  readonly challenge: string;
  readonly keyid: string;
  readonly target: string;
  readonly issued: string;
  readonly expires: string;
  /** Every run that was started with the challenge. */
  readonly runs: readonly {
    readonly number: number;
    readonly started: string;
    readonly ended?: string;
    readonly outcome?: string;
    /** The file of the bundle that holds it. */
    readonly file?: string;
  }[];
}

interface InFile {
  readonly name: string;
  readonly run: Run;
  readonly sha256: string;
}

/** Undefined: the bundle has none. A sentence: it has one that is not what it should be. */
export function witnessIn(files: BundleFiles): Witness | string | undefined {
  const [given, journal] = [files.get(challengeName), files.get(journalName)];
  if (given === undefined && journal === undefined) return undefined;
  if (given === undefined || journal === undefined)
    return `${given === undefined ? challengeName : journalName} is missing`;
  return witnessFrom(Buffer.from(given).toString('utf8'), Buffer.from(journal).toString('utf8'));
}

export function witnessFrom(challengeText: string, journalText: string): Witness | string {
  const challenge = challengeFrom(challengeText);
  if (challenge === undefined) return `${challengeName} is not a challenge as a verifier wrote it`;
  const started = startedFrom(journalText, challenge);
  return typeof started === 'string' ? started : { challenge, started };
}

export function inCertificate({ challenge, started }: Witness, runs: readonly InFile[]): WitnessInCertificate {
  const { digest, keyid, target, issued, expires } = challenge;
  const fileOf = new Map(runs.map(({ name, run }) => [run.header.witness?.number, name]));
  return {
    challenge: digest,
    keyid,
    target,
    issued,
    expires,
    runs: started.map(({ number, started: began, ended, outcome }) => {
      const file = fileOf.get(number);
      return {
        number,
        started: began,
        ...(ended === undefined ? {} : { ended }),
        ...(outcome === undefined ? {} : { outcome }),
        ...(file === undefined ? {} : { file }),
      };
    }),
  };
}

/** Signed by somebody else, or altered since. */
export function whyNotBy({ challenge }: Witness, key: KeyObject): string[] {
  if (challenge.keyid !== keyId(key))
    return [`the challenge is signed by another key than the witness key: by ${challenge.keyid}, not by ${keyId(key)}`];
  return challenge.isSignedBy(key) ? [] : ['the challenge was altered: its signature does not match'];
}

export function whyNotWitnessed(witness: Witness, runs: readonly InFile[]): string[] {
  const numbers = runs.map(({ run }) => run.header.witness?.number);
  return [
    ...(new Set(numbers).size < numbers.length ? ['one started run occurs twice'] : []),
    ...runs.flatMap((each) => whyOther(witness, each).map((says) => `${each.name}: ${says}`)),
  ];
}

function whyOther({ challenge, started }: Witness, { run, sha256: file }: InFile): string[] {
  const { header, footer } = run;
  const { witness: by } = header;
  if (by === undefined) return ['the run was started without a challenge (check --challenge)'];
  if (by.challenge !== challenge.digest) return ['the run was started with another challenge'];
  const entry = started[by.number - 1];
  if (entry === undefined || entry.entry !== by.entry)
    return [`the journal of started runs has no run ${by.number} that the run names`];
  const [from, to] = [Date.parse(header.started), Date.parse(footer?.ended ?? '')];
  return [
    ...(entry.file === file ? [] : ['it is not the run whose end the journal records']),
    ...(entry.outcome === 'conforms' ? [] : [`the journal says that the run ended as ${entry.outcome ?? 'nothing'}`]),
    ...(header.target === challenge.target && entry.target === challenge.target
      ? []
      : [`the challenge is for ${challenge.target}, but the run is of ${header.target}`]),
    ...(header.seed === seedOf(challenge, by.number) ? [] : ['its seed does not follow from the challenge']),
    ...(from >= Date.parse(challenge.issued) && from >= Date.parse(entry.started)
      ? []
      : ['it began before the challenge was issued']),
    ...(to <= Date.parse(challenge.expires) && to >= from && to <= Date.parse(entry.ended ?? '')
      ? []
      : ['it did not end before the challenge expired']),
    ...whyOtherNonces([...run.exchanges.values()], rootOf(challenge, by.number)),
  ];
}

/** Some are drawn and never sent. */
const spare = 500;

const mostUnpacked = 1024 * 1024;

/** The body of the request, unpacked where it was sent compressed. */
const sentBy = ({ request: { body } }: Exchange): string =>
  body?.text ?? gzippedIn(Buffer.from(body?.base64 ?? '', 'base64'), mostUnpacked);

/** Each nonce is one that only this run can have had, and is in what was sent. */
function whyOtherNonces(exchanges: readonly Exchange[], root: string): string[] {
  const own = new Set(Array.from({ length: exchanges.length + spare }, (_, at) => tokenOf(root, at + 1)));
  const bearing = exchanges.filter(({ planted }) => planted?.nonce !== undefined);
  const strange = bearing.filter(
    (exchange) => !own.has(exchange.planted!.nonce!) || !sentBy(exchange).includes(exchange.planted!.nonce!),
  );
  if (bearing.length === 0)
    return [
      'no exchange has a nonce, so nothing in it follows from the challenge: the profile needs an actor that takes `{{nonce}}`',
    ];
  return strange.slice(0, 5).map(({ id }) => `the nonce of exchange ${id} does not follow from the challenge`);
}
