/** The end: what the run cost, where to look next, and the answer. */
import type { View } from './console.ts';
import type { Style } from './paint.ts';
import { countsInWords, exitReasons, type Summary } from './summary.ts';
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
  return [
    ...(options.quiet ? [] : [...costLines(view), ...hintLines(view), '']),
    options.unwritten !== undefined && outcome === 'conforms'
      ? paint(styles.incomplete, 'NOT WRITTEN: what was asked for is not there')
      : paint(outcome === 'conforms' && counts.fail > 0 ? styles.incomplete : styles[outcome], headline),
    ...wrap(because, view.width),
    `${planned}: ${countsInWords(counts)}${summary.missing.length > 0 ? ` · ${summary.missing.length} without a verdict` : ''}`,
    options.unwritten === undefined
      ? exitReasons[outcome]
      : `exit code ${options.unwritten}: the run or a report could not be written`,
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
    lines.push(paint('yellow', `Left behind in the service, to be removed by hand: ${left}`));
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
