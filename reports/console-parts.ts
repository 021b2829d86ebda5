/** The quieter parts of the console report: areas, what stayed open, what was not tested, facts. */
import { type Reason, type Verdict, verdicts } from '../src/vocabulary.ts';
import { restsOn } from './asked.ts';
import type { View } from './console.ts';
import { verdictStyle } from './paint.ts';
import { countsOf, type Row } from './summary.ts';
import { inline, plural, wrap } from './text.ts';

const indented = (lines: readonly string[], by = '    '): string[] => lines.map((line) => by + line);

export const rowsWith = (view: View, ...wanted: readonly Verdict[]): Row[] =>
  view.rows.filter(({ finding }) => finding !== undefined && wanted.includes(finding.verdict));

/** One line an area. What is no pass stands out by its place, not by its colour alone. */
export function areaLines({ summary, paint }: View): string[] {
  const widest = Math.max(0, ...summary.areas.map(({ area }) => area.length));
  return summary.areas.map(({ area, rows }) => {
    const counts = countsOf(rows.flatMap(({ finding }) => finding ?? []));
    const missing = rows.filter(({ finding }) => finding === undefined).length;
    const parts = verdicts
      .filter((verdict) => counts[verdict] > 0)
      .map((verdict) => paint(verdictStyle[verdict], `${counts[verdict]} ${verdict}`));
    if (missing > 0) parts.push(paint(verdictStyle.inconclusive, `${missing} without a verdict`));
    const bad = counts.fail > 0 || counts.error > 0;
    const mark = bad ? paint(verdictStyle.fail, '✗') : counts.pass > 0 && missing === 0 ? paint('green', '✓') : '·';
    return `  ${mark} ${area.padEnd(widest)}  ${parts.join(' · ')}`;
  });
}

/** Inconclusive and faulty rules by their reason, which many share where a run ended early; then rules without a verdict. */
export function openLines(view: View): string[] {
  const { paint, width, summary } = view;
  const rows = [...rowsWith(view, 'error'), ...rowsWith(view, 'inconclusive')];
  const lines = rows.length > 0 ? [paint('bold', `Undetermined (${rows.length})`)] : [];
  for (const same of Map.groupBy(rows, ({ finding }) => `${finding?.verdict}\n${finding?.because ?? ''}`).values()) {
    const { verdict = 'error', because = 'no reason was recorded' } = same[0]?.finding ?? {};
    const what = verdict === 'error' ? 'ERROR (a fault in Touchstone)' : 'inconclusive';
    const names = same.map(({ planned: { rule, level } }) => `${rule}${level === 'required' ? '' : ` (${level})`}`);
    const shown = some(names, view.options.verbose ? 200 : 6);
    lines.push(`  ${paint(verdictStyle[verdict], what)} ${names.length === 1 ? shown : `${names.length} rules`}`);
    lines.push(...indented(wrap(inline(because, 600), width - 4)));
    if (names.length > 1) lines.push(...indented(wrap(shown, width - 6), '      '));
    for (const seen of seenElsewhere(same)) lines.push(...indented(wrap(inline(seen, 600), width - 6), '      '));
  }
  if (summary.missing.length > 0) {
    lines.push(
      `  ${plural(summary.missing.length, 'rule')} got no verdict, because the run ended early:`,
      ...indented(wrap(some(summary.missing, 12), width - 4)),
    );
  }
  return lines;
}

/** What another question of the same rule showed: that one question came to nothing must not hide it. */
const seenElsewhere = (rows: readonly Row[]): readonly string[] =>
  rows.flatMap(({ planned, finding }) => {
    const [first] = finding?.reasons ?? [];
    return first === undefined
      ? []
      : [`seen by ${planned.rule} all the same: expected ${first.expected}, got ${first.came}${exchangeOf(first)}`];
  });

const exchangeOf = ({ exchange }: Reason): string => (exchange === undefined ? '' : ` (exchange ${exchange})`);

const some = (names: readonly string[], most: number): string =>
  names.length <= most
    ? names.map((name) => inline(name)).join(', ')
    : `${names
        .slice(0, most)
        .map((name) => inline(name))
        .join(', ')} and ${names.length - most} more`;

/** Groups of untested rules that are shown without --verbose. */
const reasonsShown = 8;

/** Grouped by the piece of profile that would unlock them, the piece that unlocks most first. */
export function untestedLines(view: View): string[] {
  const rows = rowsWith(view, 'untested');
  if (rows.length === 0) return [];
  const groups = new Map<string, { because: string; add: string | undefined; rules: string[] }>();
  for (const { planned, finding } of rows) {
    const { because, add } = planned.untested ?? { because: finding?.because ?? 'no reason was recorded' };
    const name = `${add ?? ''}\n${because}`;
    const group = groups.get(name) ?? { because, add, rules: [] };
    group.rules.push(planned.rule);
    groups.set(name, group);
  }
  const lines = [view.paint('bold', `Not tested (${rows.length})`)];
  const sorted = [...groups.values()].sort((a, b) => b.rules.length - a.rules.length);
  const shown = view.options.verbose ? sorted : sorted.slice(0, reasonsShown);
  const left = sorted.slice(shown.length);
  for (const { because, add, rules } of shown) {
    lines.push(...wrap(`${inline(because, 400)}:`, view.width - 2).map((line) => `  ${line}`));
    lines.push(...indented(wrap(view.options.verbose ? some(rules, 200) : some(rules, 6), view.width - 4)));
    if (add !== undefined) lines.push(`    ${view.paint('cyan', 'add to the profile:')} ${inline(add, 400)}`);
  }
  const more = left.reduce((sum, { rules }) => sum + rules.length, 0);
  if (more > 0) lines.push(`  and ${plural(more, 'more rule')} for ${plural(left.length, 'other reason')} (--verbose)`);
  return lines;
}

/** `--verbose`: what passed, and what was seen where the specification says nothing. */
export function factLines(view: View): string[] {
  const { options, paint } = view;
  const observed = rowsWith(view, 'observed');
  if (!options.verbose) return [];
  const lines: string[] = [];
  if (observed.length > 0) lines.push(paint('bold', 'Observed (the specification is silent)'));
  for (const { planned, finding } of observed) {
    lines.push(`  ${inline(planned.rule)}`);
    lines.push(...indented((finding?.facts ?? ['nothing']).slice(0, 40).map((fact) => inline(fact, 400))));
  }
  const passed = rowsWith(view, 'pass');
  if (passed.length > 0) lines.push(...(lines.length > 0 ? [''] : []), paint('bold', 'Passed'));
  for (const { planned, finding } of passed) {
    lines.push(
      `  ${inline(planned.rule)} · ${finding === undefined ? '' : restsOn(finding)} · ${inline(planned.clause.says)}`,
    );
  }
  return lines;
}
