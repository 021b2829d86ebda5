/** A certificate that was checked, in plain words: what it claims, and what it does not. */
import type { Level, Verdict, Waived } from '../src/vocabulary.ts';
import { painter } from './paint.ts';
import { inline, lasting, list, plural, thousands, wrap } from './text.ts';

interface Coverage {
  readonly clauses: number;
  readonly testable: number;
  readonly exercised: number;
}

/** What is signed, as far as words need it. */
export interface SignedClaims {
  readonly subject: {
    readonly name: string;
    readonly version: string;
    readonly sha256: string;
    readonly digestOf: string;
  };
  readonly about?: 'client';
  readonly level: string;
  readonly issued: string;
  readonly suite: { readonly touchstone: string; readonly rules: string; readonly specification: string };
  readonly runs: readonly {
    readonly file: string;
    readonly target: string;
    readonly depth: string;
    readonly started: string;
    readonly ended: string;
    readonly exchanges: number;
  }[];
  readonly witness?: {
    readonly keyid: string;
    readonly issued: string;
    readonly expires: string;
    readonly runs: readonly {
      readonly number: number;
      readonly started: string;
      readonly outcome?: string;
      readonly file?: string;
    }[];
  };
  readonly pipeline?: Readonly<Record<'system' | 'repository' | 'workflow' | 'run' | 'commit' | 'ref', string>>;
  readonly coverage: Readonly<Record<Level, Coverage>>;
  readonly verdicts: readonly {
    readonly rule: string;
    readonly level: Level;
    readonly verdict: Verdict;
    readonly leftOut?: number;
  }[];
  readonly waivers: readonly (Waived & { readonly rule: string; readonly verdict: Verdict })[];
  readonly observed: readonly unknown[];
  readonly limits: readonly unknown[];
  readonly measurements: readonly unknown[];
  readonly files: readonly unknown[];
}

export interface CheckedCertificate {
  readonly statement: SignedClaims;
  readonly keyid: string;
  /** The key came from a place that the checker trusts, and not out of the certificate itself. */
  readonly trusted: boolean;
  /** Why the verdicts could not be derived again. */
  readonly underived?: string;
  /** By the verifier's key: the challenge is theirs. */
  readonly witnessed?: boolean;
  readonly today: string;
}

interface Shown {
  readonly colour?: boolean;
  readonly width?: number;
}

export function problemWords(folder: string, problems: readonly string[], { colour = false }: Shown = {}): string {
  const paint = painter(colour);
  return [
    ...problems.slice(0, 40).map((each) => `  ${paint('red', '✗')} ${inline(each, 400)}`),
    ...(problems.length > 40 ? [`  and ${problems.length - 40} more`] : []),
    '',
    paint(['red', 'bold'], `NOT VERIFIED: do not rely on ${inline(folder, 200)}`),
  ].join('\n');
}

export function certificateWords(checked: CheckedCertificate, { colour = false, width = 110 }: Shown = {}): string {
  const paint = painter(colour);
  const points = (lines: readonly string[]): string[] =>
    lines.flatMap((line) =>
      wrap(line, Math.max(60, Math.min(width, 120)) - 4).map((part, at) => `${at === 0 ? '  · ' : '    '}${part}`),
    );
  const { subject, about, issued, level } = checked.statement;
  return [
    paint('bold', `${inline(subject.name)}@${inline(subject.version)}`) +
      `${about === 'client' ? ' · a client' : ''} · level ${level} · issued ${inline(issued, 30)}`,
    '',
    paint('bold', 'Claimed by the signer'),
    ...points([signersWord(checked)]),
    '',
    paint('bold', 'Checked'),
    ...points(checkedPoints(checked)),
    '',
    paint('bold', 'Claimed'),
    ...points(claimed(checked.statement)),
    ...coverageLines(checked.statement.coverage),
    ...waiverLines(checked.statement).map((line) => paint('yellow', line)),
    '',
    paint('bold', 'Not claimed'),
    ...points(notClaimed(checked)),
    '',
    checked.underived === undefined
      ? paint(['green', 'bold'], 'VERIFIED: nothing was altered, and every verdict follows from the recorded exchanges')
      : paint(
          ['magenta', 'bold'],
          'SIGNATURE AND FILES VERIFIED, VERDICTS NOT: nothing was altered, and nothing was derived again',
        ),
  ].join('\n');
}

/** First of all, because nothing below it is worth more. */
function signersWord({ trusted, witnessed, statement: { subject, about, pipeline } }: CheckedCertificate): string {
  const shown = witnessed
    ? 'that there was no proxy in between, that the exchanges are real, and that no runs were cut from the end of the journal'
    : 'that there was no proxy in between, and that the exchanges are real and not the best of many runs';
  const ran =
    about === 'client' ? 'was the program that called on that day' : 'was running at that address on that day';
  const own = witnessed ? 'the profile' : 'the times at which the runs began and ended, the address, the profile';
  const build =
    pipeline === undefined
      ? ''
      : ' The build that signed is claimed too: only an attestation by the pipeline shows it.';
  return `Only the holder of ${trusted ? 'the key that you gave' : 'the key in the folder'} claims that ${subject.digestOf === 'build' ? 'the named build' : inline(subject.name)} ${ran}, ${shown}. Also only claimed: ${own}, --strict, waivers, limits and measurements.${build} Everything else below was derived again from the recorded exchanges.`;
}

/** What began the runs, and each that was begun. */
function witnessPoints({ witnessed, statement: { witness } }: CheckedCertificate): string[] {
  if (witness === undefined) return [];
  const { keyid, issued, expires, runs } = witness;
  const shown = runs.slice(0, 50).map(({ number, started, outcome, file }) => {
    const ended = outcome === undefined ? 'never ended' : `ended as ${inline(outcome, 40)}`;
    return `run ${number} of ${inline(started, 30)} ${ended}${file === undefined ? '' : ` (${inline(file, 100)}, certified)`}`;
  });
  const by = witnessed ? 'by the witness key that you passed' : `by the key ${keyid}, which --witness-key would check`;
  return [
    `Seed, nonces and times of the certified runs follow from a challenge ${by}; it was issued at ${inline(issued, 30)} and was valid until ${inline(expires, 30)}.`,
    `The journal has ${plural(runs.length, 'run')} started with this challenge: ${shown.join('; ')}${runs.length > 50 ? `; and ${runs.length - 50} more` : ''}.`,
  ];
}

function checkedPoints(checked: CheckedCertificate): string[] {
  const { statement, keyid, trusted, underived } = checked;
  const exchanges = statement.runs.reduce((sum, run) => sum + run.exchanges, 0);
  return [
    trusted
      ? `The signature is by the Ed25519 key that you passed: ${keyid}.`
      : `The signature is by the Ed25519 key in the folder: ${keyid}. Anybody can make such a key: compare it with the one that the signer published, or pass that one with --key.`,
    `All ${plural(statement.files.length, 'file')} are as signed, and there are no others.`,
    underived === undefined
      ? `${plural(statement.verdicts.length, 'verdict')} were derived again from ${plural(exchanges, 'recorded exchange')}; each is as signed, and so is everything that depends on them.`
      : `The verdicts were not derived again: ${inline(underived, 300)}.`,
    ...witnessPoints(checked),
  ];
}

function claimed({ verdicts, runs, suite, observed, limits, measurements, pipeline }: SignedClaims): string[] {
  const count = (verdict: Verdict): number => verdicts.filter((each) => each.verdict === verdict).length;
  const recorded = runs.map(
    ({ target, started, ended, exchanges, depth }) =>
      `${plural(exchanges, 'exchange')} with ${inline(target, 120)} at depth ${depth}, ${inline(started, 30)}, in ${lasting(Date.parse(ended) - Date.parse(started) || 0)}`,
  );
  return [
    `Recorded: ${recorded.join('; ')}.`,
    `Judged by rules of version ${inline(suite.rules, 40)} (Touchstone ${inline(suite.touchstone, 20)}), of the specification with the SHA-256 ${inline(suite.specification, 64)}.`,
    `${count('pass')} rules passed, ${count('warn')} warned, ${count('fail')} failed${count('fail') > 0 ? ' (each is waived, below)' : ''}; ${count('untested')} were not tested, ${count('inconclusive')} undetermined.`,
    ...(pipeline === undefined
      ? []
      : [
          `Signed by a build, as its environment says: ${inline(pipeline.repository, 200)} at ${inline(pipeline.commit, 80)} (${inline(pipeline.ref, 100)}), workflow ${inline(pipeline.workflow, 200)}, run ${inline(pipeline.run, 80)}.`,
        ]),
    ...(observed.length > 0
      ? [`What ${plural(observed.length, 'rule')} observed where the specification is silent is in predicate.json.`]
      : []),
    ...(limits.length > 0
      ? [`It contains ${plural(limits.length, 'limit')} as found: the signer's record, not derived again here.`]
      : []),
    ...(measurements.length > 0
      ? [
          `It contains ${plural(measurements.length, 'measurement')} with validity: the signer's record, not derived again here.`,
        ]
      : []),
  ];
}

function coverageLines(coverage: Readonly<Record<Level, Coverage>>): string[] {
  const row = (...cells: readonly (string | number)[]): string =>
    `    ${cells.map((cell, at) => (at === 0 ? String(cell).padEnd(12) : String(cell).padStart(10))).join('')}`;
  return [
    row('', 'clauses', 'testable', 'exercised'),
    ...Object.entries(coverage).map(([level, each]) => row(level, each.clauses, each.testable, each.exercised)),
  ];
}

const waiverLines = ({ waivers }: SignedClaims): string[] =>
  waivers.map(
    ({ rule, verdict, reason, owner, issue, expires }) =>
      `  WAIVED ${inline(rule, 80)} (${verdict}), by ${inline(owner, 80)}${expires === undefined ? '' : ` until ${inline(expires, 20)}`}: ${inline(reason, 300)}${issue === undefined ? '' : ` (${inline(issue, 200)})`}`,
  );

const isOfLimits = ({ rule, verdict }: SignedClaims['verdicts'][number]): boolean =>
  /^(limit|address)\./.test(rule) && verdict !== 'untested' && verdict !== 'inconclusive';

function notClaimed({ statement, trusted, today }: CheckedCertificate): string[] {
  const { subject, verdicts, coverage, waivers, limits, measurements } = statement;
  const open = verdicts.filter(
    ({ level, verdict }) => level === 'required' && (verdict === 'untested' || verdict === 'inconclusive'),
  );
  const leftOut = verdicts.reduce((sum, each) => sum + (each.leftOut ?? 0), 0);
  const unseen = coverage.required.testable - coverage.required.exercised;
  const expired = waivers.filter(({ expires }) => expires !== undefined && expires < today);
  return [
    `Self-signed: it proves who signed${trusted ? '' : ' (to somebody who knows the key)'}, not that the ${statement.about === 'client' ? 'program' : 'service'} was that build. That the exchanges came from ${inline(subject.name)} is only claimed.`,
    subject.digestOf === 'build'
      ? `The build with the SHA-256 ${subject.sha256} is named; that this build was running is only claimed.`
      : 'No build is named: the digest of the subject is that of its name and version only.',
    ...(unseen > 0
      ? [`${plural(unseen, 'required clause')} that could be tested from outside ${unseen === 1 ? 'was' : 'were'} not.`]
      : []),
    ...(open.length > 0
      ? [
          `Not judged: ${list(open.slice(0, 20).map(({ rule }) => inline(rule, 80)))}${open.length > 20 ? ` and ${thousands(open.length - 20)} more` : ''}.`,
        ]
      : []),
    ...(leftOut > 0
      ? [
          `${plural(leftOut, 'context')} of the depth that is stated ${leftOut === 1 ? 'was' : 'were'} skipped, because the service made the run wait too long.`,
        ]
      : []),
    ...(expired.length > 0
      ? [`Waivers that have expired since: ${list(expired.map(({ rule }) => inline(rule, 80)))}.`]
      : []),
    ...(limits.length === 0 && !verdicts.some(isOfLimits) ? ['It says nothing about rate limits.'] : []),
    ...(measurements.length === 0 ? ['It says nothing about load.'] : []),
    'It does not cover changes since the day of the run.',
  ];
}
