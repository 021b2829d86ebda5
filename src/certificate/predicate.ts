/**
 * Pure: what a certificate says, from the runs that it rests on. A verifier builds it again from the same files, and
 * the result must equal what was signed, member by member.
 */
import type { Clause, Level } from '../model/clause.ts';
import type { ClientRule, Situation } from '../model/client.ts';
import type { Json } from '../model/json.ts';
import type { Rule } from '../model/rule.ts';
import type { Run } from '../model/run.ts';
import type { Verdict, Waived } from '../model/verdict.ts';
import { claimed } from './claimed.ts';
import { type Combined, combined, coverageOf, exchangesByRule, type LevelCoverage } from './combine.ts';
import { limitInShort, measurementInShort } from './in-short.ts';
import type { LevelName } from './levels.ts';
import type { PipelineIdentity } from './pipeline.ts';
import { type CertifiedSubject, subjectName } from './subject.ts';
import { inCertificate, type Witness, type WitnessInCertificate } from './witness/witness.ts';

export const statementType = 'https://in-toto.io/Statement/v1';

/** In-toto's own predicate for results of tests, so that other tools can read it. Ours is in its member `touchstone`. */
export const predicateType = 'https://in-toto.io/attestation/test-result/v0.1';

/** Raised when a member changes its meaning or goes away. */
export const certificateVersion = 2;

export interface FileDigest {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
}

/** A run, and the file of the bundle that holds it. */
export interface RunInFile {
  readonly file: FileDigest;
  readonly run: Run;
}

export interface Certified {
  readonly subject: CertifiedSubject;
  readonly level: LevelName;
  /** A date and time. */
  readonly issued: string;
  readonly touchstone: string;
  readonly runs: readonly RunInFile[];
  /** The verifier's challenge, and every run that was started with it. */
  readonly witness?: Witness;
  /** The build that signs, as its surroundings say. */
  readonly pipeline?: PipelineIdentity;
  /** The other files of the bundle. */
  readonly files: readonly FileDigest[];
}

/** What the checker's own Touchstone knows: one frozen set of the rules. */
export interface Knowledge {
  readonly touchstone: string;
  readonly rules: readonly Rule[];
  readonly version: string;
  readonly specification: string;
  readonly clauses: readonly Pick<Clause, 'id' | 'level' | 'untestable'>[];
  /** The digest of the set, and the day on which it was frozen. */
  readonly digest: string;
  readonly since: string;
  /** The set is one of clients, and `rules` is empty. */
  readonly clients?: { readonly rules: readonly ClientRule[]; readonly situations: readonly Situation[] };
}

/** The rules of the set, whichever side they judge. */
export const rulesOf = ({ rules, clients }: Knowledge): readonly Pick<Rule | ClientRule, 'id' | 'clause'>[] =>
  clients?.rules ?? rules;

export interface WaiverInCertificate extends Waived {
  readonly rule: string;
  readonly verdict: Verdict;
}

export interface Statement {
  readonly _type: typeof statementType;
  readonly subject: readonly { readonly name: string; readonly digest: { readonly sha256: string } }[];
  readonly predicateType: typeof predicateType;
  readonly predicate: Predicate;
}

interface Described {
  readonly name: string;
  readonly digest: { readonly sha256: string };
}

export interface Predicate {
  readonly result: 'PASSED' | 'WARNED';
  readonly configuration: readonly Described[];
  readonly passedTests: readonly string[];
  readonly warnedTests: readonly string[];
  /** Each of them is waived: otherwise there is no certificate. */
  readonly failedTests: readonly string[];
  readonly touchstone: {
    readonly version: typeof certificateVersion;
    readonly subject: CertifiedSubject;
    /** The subject is a client: a program that calls the service. If omitted: a service. */
    readonly about?: 'client';
    readonly level: LevelName;
    readonly issued: string;
    readonly suite: {
      readonly touchstone: string;
      readonly rules: string;
      /** Of the rule set. */
      readonly digest: string;
      readonly specification: string;
    };
    /** Members that no exchange shows. */
    readonly claimed: readonly string[];
    readonly runs: readonly {
      readonly file: string;
      readonly touchstone: string;
      readonly target: string;
      readonly profile: string;
      readonly started: string;
      readonly ended: string;
      readonly depth: string;
      readonly seed: number;
      readonly strict: boolean;
      readonly exchanges: number;
    }[];
    readonly witness?: WitnessInCertificate;
    readonly pipeline?: PipelineIdentity;
    readonly coverage: Readonly<Record<Level, LevelCoverage>>;
    readonly verdicts: readonly {
      readonly rule: string;
      readonly level: Level;
      readonly clause: string;
      readonly verdict: Verdict;
      readonly contexts: number;
      /** How many recorded exchanges it rests on. */
      readonly exchanges: number;
      /** Contexts that were planned and not asked, because the service made the run wait for too long. */
      readonly leftOut?: number;
      readonly because?: string;
      readonly waived?: Waived;
    }[];
    readonly waivers: readonly WaiverInCertificate[];
    readonly observed: readonly { readonly rule: string; readonly facts: readonly string[] }[];
    readonly limits: readonly Json[];
    readonly measurements: readonly Json[];
    readonly files: readonly FileDigest[];
  };
}

export function statementOf(certified: Certified, knowledge: Knowledge): Statement {
  const { subject } = certified;
  return {
    _type: statementType,
    subject: [{ name: subjectName(subject), digest: { sha256: subject.sha256 } }],
    predicateType,
    predicate: predicateOf(certified, knowledge),
  };
}

function predicateOf(certified: Certified, knowledge: Knowledge): Predicate {
  const { runs, files, subject, level, issued, touchstone, witness, pipeline } = certified;
  const rows = combined(
    runs.map(({ run }) => run),
    rulesOf(knowledge),
  );
  const restsOn = exchangesByRule(
    runs.map(({ run }) => run),
    knowledge.clients?.rules,
  );
  const rulesWith = (...wanted: readonly Verdict[]): string[] =>
    rows.filter(({ finding }) => wanted.includes(finding.verdict)).map(({ finding }) => finding.rule);
  const [warnedTests, failedTests] = [rulesWith('warn'), rulesWith('fail')];
  const { version: rules, digest, specification } = knowledge;
  return {
    result: warnedTests.length + failedTests.length > 0 ? 'WARNED' : 'PASSED',
    configuration: configurationOf(runs, specification),
    passedTests: rulesWith('pass'),
    warnedTests,
    failedTests,
    touchstone: {
      version: certificateVersion,
      subject,
      ...(knowledge.clients === undefined ? {} : { about: 'client' as const }),
      level,
      issued,
      suite: { touchstone, rules, digest, specification },
      claimed: pipeline === undefined ? claimed : [...claimed, 'pipeline'],
      runs: runs.map(inShort),
      ...(witness === undefined ? {} : { witness: inCertificate(witness, runs.map(inFile)) }),
      ...(pipeline === undefined ? {} : { pipeline }),
      coverage: coverageOf(
        knowledge.clauses,
        rulesOf(knowledge),
        rows.map(({ finding }) => finding),
      ),
      verdicts: rows.map((row) => verdictOf(row, restsOn.get(row.finding.rule)?.size ?? 0)),
      waivers: rows.flatMap(({ finding: { rule, verdict, waived } }) =>
        waived === undefined ? [] : [{ rule, verdict, ...waived }],
      ),
      observed: rows.flatMap(({ finding: { rule, verdict, facts = [] } }) =>
        verdict === 'observed' ? [{ rule, facts }] : [],
      ),
      limits: runs.flatMap(({ run }) => run.limits.map(limitInShort)),
      measurements: runs.flatMap(({ run }) => (run.measurements ?? []).map(measurementInShort)),
      files: [...runs.map(({ file }) => file), ...files],
    },
  };
}

export const inFile = ({ file, run }: RunInFile) => ({ name: file.name, sha256: file.sha256, run });

function configurationOf(runs: readonly RunInFile[], specification: string): Described[] {
  const profiles = [...new Set(runs.map(({ run }) => run.header.profile.digest))];
  return [
    ...profiles.map((sha256) => ({ name: 'profile', digest: { sha256 } })),
    { name: 'specification', digest: { sha256: specification } },
    ...runs.map(({ file: { name, sha256 } }) => ({ name, digest: { sha256 } })),
  ];
}

const inShort = ({ file, run: { header, footer, exchanges } }: RunInFile): Predicate['touchstone']['runs'][number] => ({
  file: file.name,
  touchstone: header.touchstone,
  target: header.target,
  profile: header.profile.digest,
  started: header.started,
  ended: footer?.ended ?? '',
  depth: header.depth,
  seed: header.seed,
  strict: header.strict,
  exchanges: exchanges.size,
});

const verdictOf = ({ planned, finding }: Combined, asked: number): Predicate['touchstone']['verdicts'][number] => ({
  rule: finding.rule,
  level: planned.level,
  clause: planned.clause.id,
  verdict: finding.verdict,
  contexts: finding.asked.contexts,
  exchanges: Math.max(asked, finding.looked?.exchanges ?? 0),
  ...(finding.asked.leftOut.length === 0 ? {} : { leftOut: finding.asked.leftOut.length }),
  ...(finding.because === undefined ? {} : { because: finding.because }),
  ...(finding.waived === undefined ? {} : { waived: finding.waived }),
});
