/** What there is to say about one finding, for formats that put it into a field of plain text. */
import type { Exchange, Finding, PlannedRule, Run } from '../src/vocabulary.ts';
import { again } from './again.ts';
import { timelineOf } from './client-timeline.ts';
import { placeLines } from './console-failures.ts';
import { exchangeLines } from './exchange-text.ts';
import { inline } from './text.ts';
import { waiverOf } from './waiver.ts';

const reasonsTold = 8;

const telling = ({ reasons }: Finding) => reasons.filter(({ weight }) => weight !== 'note');

/** One sentence. */
export function messageOf(finding: Finding): string {
  const [first] = telling(finding);
  if (first === undefined) return finding.because ?? 'no reason was recorded';
  const { where } = finding;
  return `expected ${first.expected}, got ${first.came}${where === undefined ? '' : `, only ${where}`}`;
}

/** The exchanges that a finding rests on: those of its reasons first. */
export function proofOf(run: Run, finding: Finding): Exchange[] {
  const ids = new Set([...telling(finding).flatMap(({ exchange }) => exchange ?? []), ...finding.exchanges]);
  return [...ids].flatMap((id) => run.exchanges.get(id) ?? []);
}

/** The same as on the console, in plain text. */
export function detailOf(run: Run, planned: PlannedRule, finding: Finding): string {
  const reasons = telling(finding);
  const [exchange] = proofOf(run, finding);
  return [
    ...(finding.waived === undefined ? [] : [inline(waiverOf(finding.waived), 600)]),
    `${inline(planned.clause.section, 60)} (${planned.level}): ${inline(planned.clause.says, 400)}`,
    ...placeLines(finding),
    ...reasons
      .slice(0, reasonsTold)
      .flatMap(({ expected, came, exchange: id }) => [
        `expected ${inline(expected, 300)}`,
        `got ${inline(came, 300)}${id === undefined ? '' : ` (exchange ${id})`}`,
      ]),
    ...(reasons.length > reasonsTold ? [`and ${reasons.length - reasonsTold} more`] : []),
    ...(exchange === undefined
      ? []
      : [
          ...timelineOf(run, finding),
          ...exchangeLines(exchange),
          `reproduce: ${again(run.header, exchange, finding.rule).command}`,
        ]),
    ...(planned.fix === '' ? [] : [`Fix: ${inline(planned.fix, 400)}`]),
  ].join('\n');
}

/** How long each rule was being asked, in milliseconds. Rules are asked side by side, so that these add up to more than the run. */
export function timesOf({ steps }: Run): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { rule, tookMs } of steps) times.set(rule, (times.get(rule) ?? 0) + tookMs);
  return times;
}
