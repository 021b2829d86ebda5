/** For a person at a terminal. The last lines give the answer; the lines above give the reasons. */
import { areaOf, type Run } from '../src/vocabulary.ts';
import { endLines } from './console-end.ts';
import { failureLines, warningLines } from './console-failures.ts';
import { areaLines, factLines, openLines, untestedLines } from './console-parts.ts';
import { limitLines } from './limit-lines.ts';
import type { ReportOptions } from './options.ts';
import { type Paint, painter } from './paint.ts';
import { type Row, type Summary, summaryOf } from './summary.ts';
import { inline } from './text.ts';

export interface View {
  readonly run: Run;
  readonly summary: Summary;
  readonly rows: readonly Row[];
  readonly paint: Paint;
  readonly width: number;
  readonly options: ReportOptions;
}

export function consoleReport(run: Run, options: ReportOptions = {}): string {
  const summary = summaryOf(run);
  const view: View = {
    run,
    summary,
    rows: summary.areas.flatMap((area) => area.rows),
    paint: painter(options.colour ?? false),
    width: Math.max(60, Math.min(options.width ?? 110, 140)),
    options,
  };
  const sections = options.quiet
    ? [endLines(view)]
    : summary.outcome === 'unreachable'
      ? // Nothing was asked, so there is nothing to say of any rule.
        [headLines(view), endLines(view)]
      : [
          headLines(view),
          limitLines(view),
          areaLines(view),
          ...failureLines(view),
          warningLines(view),
          openLines(view),
          untestedLines(view),
          factLines(view),
          endLines(view),
        ];
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

/** Rules about limits are asked once each at every depth. */
function extentOf({ depth, planned }: Run['header']): string {
  const areas = new Set(planned.map(({ rule }) => areaOf(rule)));
  const isOfLimits = areas.has('limit') || areas.has('address');
  const isAlone = [...areas].every((area) => ['limit', 'address', 'error'].includes(area));
  return isOfLimits && isAlone ? 'rate limits alone' : `depth ${depth}`;
}

function headLines({ run: { header }, paint }: View): string[] {
  const { touchstone, target, profile, repeat, strict, seed, rules, started } = header;
  return [
    `${paint('bold', `Touchstone ${inline(touchstone, 20)}`)} on ${inline(target, 200)}`,
    paint(
      'dim',
      `profile ${inline(profile.name, 80)} · ${extentOf(header)}${repeat === undefined ? '' : `, ${repeat} times`}${strict ? ' · strict' : ''} · seed ${seed} · rules ${inline(rules.version, 40)} · ${inline(started, 30)}`,
    ),
  ];
}
