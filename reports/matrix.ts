/**
 * Many implementations side by side. Where one alone fails, it is probably wrong; where lawful ones differ, the
 * specification is silent. Pure; how it reads is for matrix-text.ts and matrix-html.ts.
 */
import {
  type Finding,
  type Level,
  type Outcome,
  outcomeOf,
  type Run,
  type RunFooter,
  type Verdict,
} from '../src/vocabulary.ts';

/** A run without its exchanges: hundreds of them fit in memory. */
export interface MatrixRun {
  readonly name: string;
  readonly header: Run['header'];
  readonly findings: readonly Finding[];
  readonly footer?: RunFooter;
  /** Names that are this implementation's own and are in its facts: its actors. */
  readonly actors: readonly string[];
}

export interface Column {
  readonly name: string;
  readonly target: string;
  readonly started: string;
  readonly outcome: Outcome;
  /** Nothing that it was asked is broken, waived or not: what it does is a way of keeping the specification. */
  readonly lawful: boolean;
  readonly counts: Readonly<Record<'pass' | 'fail' | 'warn', number>>;
}

export interface Cell {
  readonly verdict?: Verdict;
  readonly waived: boolean;
  readonly finding?: Finding;
}

export interface MatrixRow {
  readonly rule: string;
  readonly level: Level;
  readonly section: string;
  readonly says: string;
  readonly cells: readonly Cell[];
  /** The one column that is wrong where others are right. */
  readonly only?: number;
}

export interface Behaviour {
  readonly does: string;
  /** Columns. */
  readonly who: readonly number[];
}

/** What lawful implementations do differently. */
export interface Ambiguity {
  readonly rule: string;
  readonly level: Level;
  readonly section: string;
  readonly says: string;
  readonly behaviours: readonly Behaviour[];
}

export interface Matrix {
  readonly rules: string;
  readonly columns: readonly Column[];
  readonly rows: readonly MatrixRow[];
  /** Of observed clauses: who does what. */
  readonly observed: readonly Ambiguity[];
  readonly ambiguities: readonly Ambiguity[];
}

export function matrixOf(runs: readonly MatrixRun[]): Matrix {
  const columns = runs.map(columnOf);
  const rows = rowsOf(runs);
  const lawful = columns.flatMap((column, at) => (column.lawful ? [at] : []));
  const everyone = columns.map((_, at) => at);
  const observed = rows.filter(({ level }) => level === 'observed');
  return {
    rules: runs[0]?.header.rules.version ?? '',
    columns,
    rows,
    observed: observed.map((row) => ({ ...headOf(row), behaviours: factsOf(row, runs, everyone) })),
    ambiguities: [
      ...observed.map((row) => ({ ...headOf(row), behaviours: differing(factsOf(row, runs, lawful)) })),
      ...rows
        .filter(({ level }) => level === 'expected')
        .map((row) => ({ ...headOf(row), behaviours: warnings(row, lawful) })),
    ].filter(({ behaviours }) => behaviours.length > 0),
  };
}

function columnOf(run: MatrixRun): Column {
  const { name, header, findings } = run;
  const outcome = outcomeOf({ ...run, exchanges: new Map(), steps: [], limits: [] });
  const count = (verdict: Verdict): number => findings.filter((each) => each.verdict === verdict).length;
  const broken = findings.some((each) => each.verdict === 'fail');
  return {
    name,
    target: header.target,
    started: header.started,
    outcome,
    // Under --strict warnings break a run, but no specification.
    lawful: !broken && (outcome === 'conforms' || outcome === 'violation'),
    counts: { pass: count('pass'), fail: count('fail'), warn: count('warn') },
  };
}

/** In the order of the first run that plans a rule. */
function rowsOf(runs: readonly MatrixRun[]): MatrixRow[] {
  const planned = new Map(runs.flatMap(({ header }) => header.planned).map((each) => [each.rule, each]));
  const found = runs.map(({ findings }) => new Map(findings.map((each) => [each.rule, each])));
  return [...planned.values()].map(({ rule, level, clause: { section, says } }) => {
    const cells = found.map((own): Cell => {
      const finding = own.get(rule);
      return finding === undefined
        ? { waived: false }
        : { verdict: finding.verdict, waived: finding.waived !== undefined, finding };
    });
    const only = onlyOne(cells);
    return { rule, level, section, says, cells, ...(only === undefined ? {} : { only }) };
  });
}

function onlyOne(cells: readonly Cell[]): number | undefined {
  const wrong = cells.flatMap(({ verdict }, at) => (verdict === 'fail' || verdict === 'warn' ? [at] : []));
  const right = cells.filter(({ verdict }) => verdict === 'pass').length;
  return wrong.length === 1 && right > 1 ? wrong[0] : undefined;
}

const headOf = ({ rule, level, section, says }: MatrixRow): Omit<Ambiguity, 'behaviours'> => ({
  rule,
  level,
  section,
  says,
});

/** What was seen, and by whom. Names of actors are each implementation's own: they are no difference. */
function factsOf(row: MatrixRow, runs: readonly MatrixRun[], among: readonly number[]): Behaviour[] {
  const who = new Map<string, number[]>();
  for (const at of among) {
    const facts = row.cells[at]?.finding?.facts ?? [];
    for (const fact of new Set(facts.map((each) => withoutNames(each, runs[at]?.actors ?? []))))
      who.set(fact, [...(who.get(fact) ?? []), at]);
  }
  return [...who].map(([does, columns]) => ({ does, who: columns })).sort((a, b) => (a.does < b.does ? -1 : 1));
}

function withoutNames(fact: string, actors: readonly string[]): string {
  let text = fact;
  for (const name of [...actors].sort((a, b) => b.length - a.length)) {
    const literal = name.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
    text = text.replaceAll(new RegExp(`(?<![\\w-])${literal}(?![\\w-])`, 'g'), '{actor}');
  }
  return text;
}

/** A fact is an answer to a question. An implementation without an answer was not asked, and differs from none. */
const questionOf = (fact: string): string => {
  const at = [' gets ', ' is answered ', ': ', ' with '].map((part) => fact.indexOf(part)).find((index) => index > 0);
  return at === undefined ? '' : fact.slice(0, at);
};

/**
 * Of each question the answers, where two implementations answer differently. One that was only seen to do what another
 * does too does not differ from it: it may have been asked less.
 */
function differing(behaviours: readonly Behaviour[]): Behaviour[] {
  const questions = Map.groupBy(behaviours, ({ does }) => questionOf(does));
  return [...questions.values()]
    .filter((answers) => {
      const asked = [...new Set(answers.flatMap(({ who }) => who))];
      const covers = (one: number, other: number): boolean =>
        answers.every(({ who }) => !who.includes(other) || who.includes(one));
      return asked.some((one) => asked.some((other) => !covers(one, other) && !covers(other, one)));
    })
    .flat();
}

/** An expected rule that lawful implementations keep and break: the standards say it, and the specification does not. */
function warnings(row: MatrixRow, lawful: readonly number[]): Behaviour[] {
  const keeps = lawful.filter((at) => row.cells[at]?.verdict === 'pass');
  const others = lawful.filter((at) => row.cells[at]?.verdict === 'warn');
  if (keeps.length === 0 || others.length === 0) return [];
  const said = new Map<string, number[]>();
  for (const at of others) {
    const [reason] = row.cells[at]?.finding?.reasons ?? [];
    const does = reason === undefined ? 'breaks it' : `${reason.came}, where ${reason.expected} is expected`;
    said.set(does, [...(said.get(does) ?? []), at]);
  }
  return [{ does: 'keeps it', who: keeps }, ...[...said].map(([does, who]) => ({ does, who }))];
}
