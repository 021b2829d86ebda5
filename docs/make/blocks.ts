/**
 * Parts of guides that are made from the source. In a guide, `<!-- made: name -->` and `<!-- /made -->` stand around each; what is
 * between them is written by `UPDATE_DOCS=1 npx vitest run docs`. Pure.
 */
import { formats } from '../../reports/index.ts';
import { type Verdict, verdicts } from '../../src/model/verdict.ts';
import { exitCodes, type Level } from '../../src/vocabulary.ts';

const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
  [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

const codeMeans: Readonly<Record<keyof typeof exitCodes, string>> = {
  conforms: 'conforms, as far as tested',
  violation: 'a violation, or a missed threshold of `load`',
  usage: 'wrong usage or profile',
  incomplete: 'incomplete: nothing was judged, a fault in Touchstone, or a required rule stayed inconclusive',
  unreachable: 'the target is not reachable or did not start',
  toolMissing: 'a tool is missing: Docker, compose, testcontainers or k6',
  interrupted: 'interrupted; the run file says so',
};

const verdictMeans: Readonly<Record<Verdict, readonly [string, string]>> = {
  pass: ['it was asked, and the service did what the rule demands', 'success'],
  fail: ['the service broke a required rule', 'violation'],
  warn: ['the service broke an expected rule', 'success; a violation under `--strict`'],
  observed: ['a fact about what the specification leaves open', 'none'],
  untested: ['the profile lacks something; the report names the line to add', 'success, but not a pass'],
  inconclusive: [
    'undetermined: the twin failed, the connection was lost, or patience ran out',
    'incomplete if the rule is required',
  ],
  error: ['a fault in Touchstone, not in the service', 'incomplete'],
};

const levelMeans: Readonly<Record<Level, readonly [string, string]>> = {
  required: ['the specification says it', '`fail`: the service does not conform'],
  expected: ['HTTP standards or plain safety demand it', '`warn`; a violation under `--strict`'],
  observed: ['the specification does not show it', 'nothing: a fact is recorded'],
};

const names = <T extends string>(record: Readonly<Record<T, unknown>>): T[] => Object.keys(record) as T[];

/** What is counted where this room may not look. */
export interface Counted {
  readonly faults: number;
  readonly lawful: number;
  /** What real HTTP stacks were seen to do, as tables. */
  readonly stacks: string;
}

export const blocks: Readonly<Record<string, (counted: Counted) => string>> = {
  'exit-codes': () =>
    table(
      ['code', 'meaning'],
      names(codeMeans).map((name) => [String(exitCodes[name]), codeMeans[name]]),
    ),
  verdicts: () =>
    table(
      ['verdict', 'meaning', 'counts as'],
      verdicts.map((name) => [`\`${name}\``, ...verdictMeans[name]]),
    ),
  levels: () =>
    table(
      ['level', 'meaning', 'when it is broken'],
      names(levelMeans).map((name) => [name, ...levelMeans[name]]),
    ),
  formats: () =>
    table(
      ['`--format`', 'file', 'for'],
      names(formats).map((name) => {
        const { says, ...rest } = formats[name];
        return [`\`${name}\``, 'file' in rest ? `\`${rest.file}\`` : '', says];
      }),
    ),
  stacks: ({ stacks }) => stacks,
  variants: ({ faults, lawful }) => `${faults} faults and ${lawful} lawful runs`,
};

const place = /<!-- made: ([a-z-]+) -->[\s\S]*?<!-- \/made -->/g;

/** The guide with every block as it is now. A block within a line stays within it. */
export const filled = (guide: string, counted: Counted): string =>
  guide.replaceAll(place, (_, name: string, at: number) => {
    const make = blocks[name];
    if (make === undefined) throw new Error(`no block is called ${name}`);
    const text = make(counted);
    const within = at > 0 && guide[at - 1] !== '\n';
    return within ? `<!-- made: ${name} -->${text}<!-- /made -->` : `<!-- made: ${name} -->\n${text}\n<!-- /made -->`;
  });
