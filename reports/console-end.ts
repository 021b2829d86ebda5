/** The end: what the run cost, where to look next, and the answer. */
import { type Finding, isViolation, type PlannedRule, ruleAddress } from '../src/vocabulary.ts';
import { again } from './again.ts';
import type { View } from './console.ts';
import type { Style } from './paint.ts';
import { countsInWords, exitReasons, type Summary } from './summary.ts';
import { messageOf, proofOf } from './tell.ts';
import { inline, lasting, list, plural, wrap } from './text.ts';

const styles: Record<Summary['outcome'], Style> = {
  conforms: ['green', 'bold'],
  violation: ['red', 'bold'],
  incomplete: ['magenta', 'bold'],
  unreachable: ['magenta', 'bold'],
  interrupted: ['magenta', 'bold'],
};

export function endLines(view: View): string[] {
  const { summary, paint, run, options } = view;
  const { headline, because, outcome, counts } = summary;
  const planned = plural(run.header.planned.length, 'rule');
  const counted = `${planned}: ${countsInWords(counts)}${summary.missing.length > 0 ? ` · ${summary.missing.length} without a verdict` : ''}`;
  const broken = firstBroken(view);
  if (broken !== undefined && options.unwritten === undefined) {
    return [
      ...(options.quiet ? [] : [...costLines(view), '']),
      ...wrap(because, view.width),
      counted,
      ...answerLines(view, broken),
    ];
  }
  return [
    ...(options.quiet ? [] : [...costLines(view), ...hintLines(view), '']),
    options.unwritten !== undefined && outcome === 'conforms'
      ? paint(styles.incomplete, 'NOT WRITTEN: the run file or a requested report is missing')
      : paint(outcome === 'conforms' && counts.fail > 0 ? styles.incomplete : styles[outcome], headline),
    ...wrap(because, view.width),
    counted,
    options.unwritten === undefined
      ? exitReasons[outcome]
      : `exit code ${options.unwritten}: the run or a report could not be written`,
  ];
}

/** The first rule that makes the run a violation: failures before warnings under --strict. */
function firstBroken({ rows, run, summary }: View): Broken | undefined {
  if (summary.outcome !== 'violation') return undefined;
  const broken = rows.flatMap(({ planned, finding }) =>
    finding !== undefined && isViolation(finding, run.header.strict) ? [{ planned, finding }] : [],
  );
  return broken.find(({ finding }) => finding.verdict === 'fail') ?? broken[0];
}

interface Broken {
  readonly planned: PlannedRule;
  readonly finding: Finding;
}

/** The last five lines of a check that fails: a reader of nothing else knows what to do next. */
function answerLines({ summary, paint, run, options }: View, { planned, finding }: Broken): string[] {
  const { outcome, headline, exitCode } = summary;
  const [exchange] = proofOf(run, finding);
  const rule = inline(planned.rule);
  const page = ruleAddress(rule, options.docs);
  return [
    `${paint(styles[outcome], headline)} (exit code ${exitCode})`,
    `First failure: ${paint('bold', rule)}: ${inline(messageOf(finding), 400)}`,
    ...(exchange === undefined ? [] : [`Reproduce: ${again(run.header, exchange, planned.rule).command}`]),
    `Explain: touchstone explain ${rule}${page === undefined ? '' : ` or ${page}`}`,
    ...(options.runFile === undefined ? [] : [`More: touchstone report ${inline(options.runFile, 400)} --verbose`]),
  ];
}

function costLines({ run: { footer, exchanges, header }, paint, width }: View): string[] {
  if (footer === undefined) {
    return [
      paint('yellow', `This run is incomplete: it has no footer. ${plural(exchanges.size, 'exchange')} were written.`),
    ];
  }
  const lines = [
    `${plural(footer.exchanges, 'exchange')} in ${lasting(footer.tookMs)}, seed ${header.seed}${waited(footer.waits)}`,
    ...footer.remarks.flatMap((remark) => wrap(`Note: ${inline(remark, 600)}`, width)),
  ];
  if (footer.leftBehind.length > 0) {
    const names = footer.leftBehind.slice(0, 10).map((name) => inline(name, 60));
    const more = footer.leftBehind.length - names.length;
    const left = more > 0 ? `${names.join(', ')} and ${more} more` : list(names);
    lines.push(paint('yellow', `Left in the service; remove by hand: ${left}`));
  }
  return lines;
}

function waited(waits: readonly { readonly who: string; readonly times: number; readonly ms: number }[]): string {
  if (waits.length === 0) return '';
  const each = waits
    .slice(0, 4)
    .map(({ who, times, ms }) => `${inline(who, 60)} ${lasting(ms)} (${plural(times, 'time')})`);
  const more = waits.length > 4 ? ` and ${waits.length - 4} more` : '';
  return `; rate-limited, so it waited: ${each.join(', ')}${more}`;
}

function hintLines({ run, rows, options, paint }: View): string[] {
  const broken = rows.find(({ finding }) => finding?.verdict === 'fail');
  const hints = [
    ...(broken === undefined ? [] : [`touchstone explain ${inline(broken.planned.rule)}`]),
    ...(options.runFile === undefined || run.exchanges.size === 0
      ? []
      : [`touchstone report ${inline(options.runFile, 400)} --verbose`]),
  ];
  return hints.length === 0 ? [] : [paint('dim', `More: ${hints.join('   ')}`)];
}
