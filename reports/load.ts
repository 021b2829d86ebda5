/** Measurements for a person at a terminal: the verdict first, and figures only where they mean something. */

import { fewestFor, inMs, type Percentile, percentileOf, shownPercentiles } from '../src/statistics/figures.ts';
import { Histogram } from '../src/statistics/histogram.ts';
import type { Latencies, Measurement, ProcessFigures, Run, StatusClass } from '../src/vocabulary.ts';
import { calmText } from './measured.ts';
import type { ReportOptions } from './options.ts';
import { type Paint, painter } from './paint.ts';
import { inline, thousands } from './text.ts';

export function loadReport(run: Run, options: ReportOptions = {}): string {
  const paint = painter(options.colour ?? false);
  const measurements = run.measurements ?? [];
  const texts = measurements.map((each) => measurementLines(each, paint, options.quiet === true).join('\n'));
  const end = [
    ...(run.footer === undefined ? ['The run was interrupted: its end is missing.'] : []),
    ...(run.footer?.unreachable === undefined ? [] : [`NOT REACHABLE: ${inline(run.footer.unreachable)}`]),
    ...(run.footer?.remarks ?? []).map((remark) => inline(remark)),
    ...(options.runFile === undefined ? [] : [paint('dim', `run file: ${inline(options.runFile, 200)}`)]),
  ];
  return `${[...texts, end.join('\n')].filter((text) => text !== '').join('\n\n')}\n`;
}

function measurementLines(measured: Measurement, paint: Paint, quiet: boolean): string[] {
  const valid = measured.validity.verdict === 'valid';
  return [
    headline(measured, paint),
    ...measured.validity.reasons.flatMap(({ says, change }) => [
      `  ${inline(says, 400)}`,
      paint('dim', `    → ${inline(change, 400)}`),
    ]),
    ...(valid ? measured.conclusions.map((says) => `  ${inline(says, 400)}`) : []),
    ...(quiet || measured.capacity === undefined ? [] : ['', ...stepLines(measured.capacity)]),
    ...(quiet
      ? []
      : ['', ...statusTable(measured), ...(valid ? ['', ...curve(measured)] : []), '', ...costLines(measured)]),
    ...thresholdLines(measured, paint),
  ];
}

function headline(measured: Measurement, paint: Paint): string {
  const { verdict, reasons } = measured.validity;
  const causes = [...new Set(reasons.map(({ cause }) => cause.replaceAll('-', ' ')))].join(', ');
  const word =
    verdict === 'valid'
      ? paint(
          'green',
          measured.calm === undefined
            ? 'VALID'
            : `VALID in calm windows: ${calmText(measured.calm, measured.plan.seconds)}\n `,
        )
      : paint(verdict === 'invalid' ? 'red' : 'yellow', `${verdict.toUpperCase()}: ${causes}`);
  const { engine, plan } = measured;
  const how =
    plan.perSecond === undefined
      ? `${plan.connections ?? 0} connections, as fast as they are answered`
      : `${plan.changing === undefined ? '' : `${number(plan.changing.from)} to `}${number(plan.perSecond)} requests a second`;
  const when = `${number(plan.seconds)} s after ${number(plan.warmUpSeconds)} s of warm-up`;
  const workers = engine.workers > 1 ? ` × ${engine.workers}` : '';
  return `${word}  ${measured.id} of ${inline(measured.target, 120)}: ${how}, ${when} · ${engine.name} ${inline(engine.version, 20)}${workers} · seed ${measured.seed}`;
}

const classes: readonly (readonly [StatusClass, string])[] = [
  ['ok', '2xx'],
  ['limited', '429'],
  ['other', 'other'],
];

function statusTable({ latencies, others, groups, calm }: Measurement): string[] {
  const total = classes.reduce((sum, [each]) => sum + latencies[each].count, 0);
  const rows = classes.map(([each, name]) => {
    const { count } = latencies[each];
    const share = total === 0 ? '-' : `${((100 * count) / total).toFixed(count === total || count === 0 ? 0 : 2)} %`;
    const what =
      each === 'other' && others.length > 0
        ? `   ${others
            .slice(0, 4)
            .map((one) => `${thousands(one.count)} × ${inline(one.what, 60)}`)
            .join(', ')}`
        : '';
    return `  ${name.padEnd(6)} ${thousands(count).padStart(10)}  ${share.padStart(8)}${what}`;
  });
  const parts = groups.map(({ name, plannedPerSecond, latencies: of }) => {
    return `  ${inline(name, 40)}: ${number(plannedPerSecond)} a second; ${classes.map(([each, text]) => `${thousands(of[each].count)} ${text}`).join(', ')}`;
  });
  const left = calm === undefined ? 0 : classes.reduce((sum, [each]) => sum + calm.outside[each], 0);
  const outside =
    calm === undefined || left === 0
      ? []
      : [
          `  excluded, started while this machine lost time: ${classes.map(([each, name]) => `${thousands(calm.outside[each])} ${name}`).join(', ')}`,
        ];
  return [...rows, ...outside, ...parts];
}

const barWidth = 40;

/** On a logarithmic axis: each column is the same factor. */
function curve({ latencies, from }: Measurement): string[] {
  const histogram = Histogram.of(latencies.ok);
  if (histogram.count === 0) return [];
  const known = shownPercentiles.flatMap((percent) => percentileOf(histogram, percent) ?? []);
  const lowest = Math.max(1, histogram.percentileUs(0.001) / 1.5);
  const bar = (us: number): string => {
    const share = Math.log(Math.max(us, lowest) / lowest) / Math.log(Math.max(histogram.maxUs, lowest * 2) / lowest);
    return '█'.repeat(Math.max(1, Math.round(share * barWidth)));
  };
  const next = shownPercentiles.find((percent) => histogram.count < fewestFor(percent));
  return [
    `  latency of the 2xx, from ${from === 'sending' ? 'the moment of sending' : 'the intended start'}; intervals with 95 % confidence; logarithmic scale`,
    ...known.map(
      (each) =>
        `  ${`p${each.percent}`.padEnd(7)}${inMs(each.us).padStart(9)}  ${interval(each).padEnd(22)} ${bar(each.us)}`,
    ),
    `  ${'max'.padEnd(7)}${inMs(histogram.maxUs).padStart(9)}  ${''.padEnd(22)} ${bar(histogram.maxUs)}`,
    ...(next === undefined
      ? []
      : [`  p${next} needs ${thousands(fewestFor(next))} answers; there are ${thousands(histogram.count)}`]),
  ];
}

const interval = ({ lowUs, highUs }: Percentile): string => `${inMs(lowUs)} … ${inMs(highUs)}`;

function costLines({ achieved, generator, service, engine, answers }: Measurement): string[] {
  const came = achieved.seconds > 0 ? achieved.begun / achieved.seconds : 0;
  const lag = percentileText(generator.lag);
  const offered =
    engine.model === 'open'
      ? `sent ${thousands(achieved.begun)} of ${thousands(achieved.intended ?? 0)}, ${number(came)} a second${lag === '' ? '' : `; 99 of 100 began within ${lag} of schedule`}`
      : `sent ${thousands(achieved.begun)}, ${number(came)} a second`;
  return [
    `  ${offered}; ${answers.checked} answers checked, ${answers.wrong} wrong`,
    `  generator: ${processText(generator, ` of ${number(generator.cores)} cores`)}`,
    ...(service === undefined ? [] : [`  service: ${processText(service, ' cores')}`]),
  ];
}

function percentileText(latencies: Latencies): string {
  return latencies.count === 0 ? '' : inMs(Histogram.of(latencies).percentileUs(99));
}

function processText({ samples }: ProcessFigures, cores: string): string {
  if (samples.length === 0) return 'its process is not visible from here';
  const measured = samples.filter(({ at }) => at >= 0);
  const most = (of: (sample: (typeof samples)[number]) => number): number => Math.max(0, ...samples.map(of));
  const mean = measured.reduce((sum, { cpuCores }) => sum + cpuCores, 0) / Math.max(1, measured.length);
  const sockets = most((sample) => sample.sockets ?? 0);
  const some = sockets > 0 ? `, ${sockets} sockets` : '';
  return `${Math.round(most(({ rssBytes }) => rssBytes) / 1e6)} MB at most${some}, busy ${mean.toFixed(2)}${cores}`;
}

/** What each step of the search came to, in their order. */
function stepLines({ steps }: NonNullable<Measurement['capacity']>): string[] {
  const rates = steps.map(({ perSecond }) => `${number(perSecond)} a second`);
  const widest = Math.max(0, ...rates.map((each) => each.length));
  return steps.map(
    ({ verdict, why }, at) => `  ${rates[at]!.padStart(widest)}  ${verdict.padEnd(7)}  ${inline(why, 200)}`,
  );
}

function thresholdLines({ thresholds, validity }: Measurement, paint: Paint): string[] {
  if (thresholds.length === 0) return [];
  return [
    '',
    ...thresholds.map(({ name, demanded, came, outcome }) => {
      const bound = `${name} ${name === 'admitted' ? '≥' : '≤'} ${inline(demanded, 30)}`;
      if (validity.verdict !== 'valid') return paint('dim', `  ${bound}: not judged: the measurement is invalid`);
      if (outcome === 'unknown') return paint('yellow', `  ${bound}: undetermined, too few answers`);
      return paint(outcome === 'met' ? 'green' : 'red', `  ${bound}: ${outcome}, ${came ?? ''}`);
    }),
  ];
}

const number = (value: number): string => String(Number(value.toPrecision(4)));
