/**
 * Annotations of GitHub Actions: workflow commands, one a line. GitHub shows ten of a kind and drops the rest in silence, so the
 * tenth says how many there are.
 */
import { type Run, ruleAddress } from '../src/vocabulary.ts';
import { checksOf } from './measured.ts';
import type { ReportOptions } from './options.ts';
import { type Row, summaryOf } from './summary.ts';
import { messageOf } from './tell.ts';
import { inline } from './text.ts';
import { waiverOf } from './waiver.ts';

const shown = 10;
const longest = 1500;

interface Annotation {
  readonly kind: 'error' | 'warning';
  readonly title: string;
  readonly says: string;
}

export function githubReport(run: Run, { docs }: ReportOptions = {}): string {
  const summary = summaryOf(run);
  const rows = summary.areas.flatMap((area) => area.rows);
  const all = rows.flatMap((row) => annotationOf(row, run.header.strict, docs) ?? []);
  for (const { name, outcome, says } of checksOf(run.measurements ?? [])) {
    if (outcome === 'passed') continue;
    all.push({ kind: 'error', title: outcome === 'failed' ? `${name} is missed` : `${name} is undetermined`, says });
  }
  if (!summary.complete || (summary.outcome !== 'conforms' && !all.some(({ kind }) => kind === 'error')))
    all.unshift({ kind: 'error', title: summary.headline, says: summary.because });
  const lines = (['error', 'warning'] as const).flatMap((kind) => atMost(all.filter((each) => each.kind === kind)));
  return lines.map((line) => `${line}\n`).join('');
}

function annotationOf({ planned, finding }: Row, strict: boolean, docs?: string): Annotation | undefined {
  if (finding === undefined) return undefined;
  const { verdict, waived } = finding;
  const { rule, level, clause } = planned;
  const page = ruleAddress(rule, docs);
  const says = `${messageOf(finding)} (${clause.section}: ${clause.says})${page === undefined ? '' : ` ${page}`}`;
  if (waived !== undefined)
    return { kind: 'warning', title: `${rule}: ${verdict}, waived`, says: `${waiverOf(waived)}. ${says}` };
  if (verdict === 'fail') return { kind: 'error', title: `${rule} is broken`, says };
  if (verdict === 'error') return { kind: 'error', title: `${rule}: a fault in Touchstone`, says: messageOf(finding) };
  if (verdict === 'warn') return { kind: strict ? 'error' : 'warning', title: `${rule}: warning`, says };
  if (verdict === 'inconclusive' && level === 'required')
    return { kind: 'error', title: `${rule} is undetermined`, says: messageOf(finding) };
  return undefined;
}

function atMost(annotations: readonly Annotation[]): string[] {
  const kept = annotations.length > shown ? annotations.slice(0, shown - 1) : annotations;
  const left = annotations.length - kept.length;
  const kind = annotations[0]?.kind ?? 'error';
  const more: Annotation[] =
    left === 0
      ? []
      : [
          {
            kind,
            title: `${left} more`,
            says: `${left} more of this kind: they are in the report and the job summary`,
          },
        ];
  return [...kept, ...more].map(command);
}

const command = ({ kind, title, says }: Annotation): string =>
  `::${kind} title=${property(inline(`touchstone: ${title}`, 200))}::${data(inline(says, longest))}`;

/** What `inline` leaves has no line ends; the percent sign could still spell one. */
const data = (text: string): string => text.replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
