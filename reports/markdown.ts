/** For the summary of a pipeline, or a comment. The answer first; cut with a count where the place for it is too small. */
import { type Finding, type PlannedRule, type Run, ruleAddress } from '../src/vocabulary.ts';
import { again } from './again.ts';
import { timelineOf } from './client-timeline.ts';
import { placeLines } from './console-failures.ts';
import { coverageTable } from './coverage.ts';
import { exchangeLines } from './exchange-text.ts';
import { block, code, folded, table, words } from './markdown-text.ts';
import { checksOf, isLoad } from './measured.ts';
import type { ReportOptions } from './options.ts';
import { countsInWords, countsOf, type Row, type Summary, summaryOf } from './summary.ts';
import { proofOf } from './tell.ts';
import { lasting, plural, thousands } from './text.ts';
import { waiverOf } from './waiver.ts';

/** What a job summary of GitHub takes; more, and nothing of it is shown. */
const mostBytes = 2 ** 20;
/** Kept free for the lines that say what was omitted. */
const reserve = 2048;

interface Part {
  readonly title: string;
  readonly blocks: readonly string[];
}

export function markdownReport(run: Run, { maxBytes = mostBytes, coverage, docs }: ReportOptions = {}): string {
  const summary = summaryOf(run);
  const { counts } = summary;
  const rows = summary.areas.flatMap((area) => area.rows);
  const having = (...verdicts: readonly string[]): Row[] =>
    rows.filter(({ finding }) => finding !== undefined && verdicts.includes(finding.verdict));
  const parts: Part[] = [
    { title: `What fails (${counts.fail})`, blocks: having('fail').map((row) => failure(run, row, docs)) },
    { title: 'Undetermined', blocks: [...having('error', 'inconclusive').map(unknown), ...missing(summary)] },
    { title: 'Load', blocks: load(run) },
    { title: `Warnings (${counts.warn})`, blocks: having('warn').map((row) => failure(run, row, docs)) },
    { title: `What was not tested (${counts.untested})`, blocks: untested(having('untested')) },
    ...(coverage === undefined
      ? []
      : [{ title: 'Specification coverage', blocks: [table(...coverageTable(coverage))] }]),
  ];
  return within(maxBytes - reserve, head(run, summary), parts);
}

const marks = { conforms: '✅', violation: '❌', incomplete: '⚠️', unreachable: '⚠️', interrupted: '⚠️' } as const;

function head(run: Run, summary: Summary): string {
  const { header, footer } = run;
  const waived = summary.waived.some(({ finding }) => finding?.verdict === 'fail');
  const mark = summary.outcome === 'conforms' && waived ? '⚠️' : marks[summary.outcome];
  const { planned, depth, repeat, strict, seed } = header;
  const open = summary.missing.length > 0 ? `, ${summary.missing.length} without a verdict` : '';
  const took = footer === undefined ? '' : ` in ${lasting(footer.tookMs)}`;
  const asked = `${depth}${repeat === undefined ? '' : `, ${repeat} times`}${strict ? ', strict' : ''}, seed ${seed}, ${plural(run.exchanges.size, 'exchange')}${took}`;
  const facts = [
    ['service', code(header.target, 300)],
    ['profile', code(header.profile.name)],
    ...(planned.length === 0
      ? []
      : [
          ['rules', `${words(countsInWords(summary.counts))}${open}`],
          ['asked', asked],
        ]),
    ['by', words(`Touchstone ${header.touchstone}, rules of version ${header.rules.version}`)],
  ];
  const areas = summary.areas.map(({ area, rows }) => [
    words(area),
    words(countsInWords(countsOf(rows.flatMap(({ finding }) => finding ?? [])))),
  ]);
  const remarks = [
    ...(footer?.remarks ?? []).slice(0, 20).map((remark) => `- ${words(remark)}`),
    ...((footer?.leftBehind.length ?? 0) > 0
      ? [
          `- Left behind in the service: ${footer!.leftBehind
            .slice(0, 10)
            .map((each) => code(each, 60))
            .join(', ')}`,
        ]
      : []),
  ];
  return [
    `## ${mark} Touchstone: ${words(summary.headline)}`,
    words(summary.because, 800),
    table(['', ''], facts),
    ...(summary.outcome === 'unreachable' || isLoad(run)
      ? []
      : [folded('By area', table(['area', 'verdicts'], areas))]),
    ...(remarks.length > 0 ? [remarks.join('\n')] : []),
  ].join('\n\n');
}

function failure(run: Run, { planned, finding }: Row, docs?: string): string {
  const { verdict, waived, reasons } = finding!;
  const telling = reasons.filter(({ weight }) => weight !== 'note');
  return [
    `#### ${waived === undefined ? '' : 'Waived: '}${code(planned.rule)}`,
    ...(waived === undefined ? [] : [`**${words(waiverOf(waived))}**`]),
    `${words(planned.clause.section, 100)} (${planned.level}): ${words(planned.clause.says)}`,
    ...placeLines(finding!).map((line) => `*${words(line)}*`),
    telling
      .slice(0, 5)
      .map(({ expected, came }) => `- expected ${code(expected, 300)}, got ${code(came, 300)}`)
      .join('\n'),
    ...(telling.length > 5 ? [`and ${plural(telling.length - 5, 'more reason')}`] : []),
    ...(verdict === 'fail' ? proof(run, finding!) : []),
    ...fixOf(planned),
    ...moreOf(planned, docs),
  ]
    .filter((each) => each !== '')
    .join('\n\n');
}

function proof(run: Run, finding: Finding): string[] {
  const [exchange] = proofOf(run, finding);
  if (exchange === undefined) return [];
  const { command } = again(run.header, exchange, finding.rule);
  const timeline = timelineOf(run, finding);
  return [
    folded(
      `Exchange ${exchange.id}, and how to reproduce it`,
      `${timeline.length === 0 ? '' : `${block(timeline, 'text')}\n\n`}${block(exchangeLines(exchange), 'http')}\n\n${block([command], 'sh')}`,
    ),
  ];
}

const fixOf = ({ fix }: PlannedRule): string[] => (fix === '' ? [] : [`Fix: ${words(fix)}`]);

const moreOf = ({ rule }: PlannedRule, docs?: string): string[] => {
  const page = ruleAddress(rule, docs);
  return page === undefined ? [] : [`[Documentation](<${page}>)`];
};

const load = ({ measurements = [] }: Run): string[] =>
  checksOf(measurements).map(
    ({ name, outcome, says }) =>
      `- ${outcome === 'passed' ? '' : `**${outcome}:** `}${words(name, 140)}${says === '' ? '' : `: ${words(says)}`}`,
  );

const unknown = ({ planned, finding }: Row): string =>
  `- ${code(planned.rule)}, ${finding!.verdict === 'error' ? 'a fault in Touchstone' : 'inconclusive'}: ${words(finding!.because ?? 'no reason was recorded')}`;

const missing = ({ missing: names }: Summary): string[] =>
  names.length === 0
    ? []
    : [
        `- without a verdict, because the run ended early: ${names
          .slice(0, 20)
          .map((name) => code(name))
          .join(', ')}${names.length > 20 ? ` and ${names.length - 20} more` : ''}`,
      ];

/** By the line of the profile that would unlock them. */
function untested(rows: readonly Row[]): string[] {
  const groups = Map.groupBy(rows, ({ planned, finding }) => planned.untested?.add ?? finding?.because ?? '');
  return [...groups].map(([add, each]) => {
    const waivers = each.flatMap(({ finding }) =>
      finding?.waived === undefined ? [] : [words(waiverOf(finding.waived))],
    );
    const names = each.map(({ planned }) => code(planned.rule)).join(', ');
    const unlock = each[0]?.planned.untested?.add === undefined ? words(add) : `add ${code(add, 400)} to the profile`;
    return `- ${unlock}: ${names}${waivers.length > 0 ? ` (${waivers.join('; ')})` : ''}`;
  });
}

const bytesOf = (text: string): number => Buffer.byteLength(text, 'utf8');

/** Whole blocks only, so that nothing is left open; what did not fit is counted. */
function within(bytes: number, start: string, parts: readonly Part[]): string {
  let left = bytes - bytesOf(start);
  const kept = [start];
  for (const { title, blocks } of parts) {
    if (blocks.length === 0) continue;
    const heading = `### ${title}`;
    const own: string[] = [];
    for (const each of blocks) {
      const size = bytesOf(each) + 2;
      if (size + bytesOf(heading) > left) break;
      left -= size;
      own.push(each);
    }
    left -= bytesOf(heading) + 2;
    const dropped = blocks.length - own.length;
    if (dropped > 0)
      own.push(`**${thousands(dropped)} more do not fit here. The run file and the HTML report have them.**`);
    kept.push(heading, ...own);
    if (left < 0) left = 0;
  }
  return `${kept.join('\n\n')}\n`;
}
