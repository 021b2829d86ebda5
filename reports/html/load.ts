/** Load: what was measured and whether it is worth anything, in figures first; the pictures are drawn by the script, with uPlot. */
import { fewestFor } from '../../src/statistics/figures.ts';
import type { Latencies, Measurement, StatusClass } from '../../src/vocabulary.ts';
import { calmText } from '../measured.ts';
import { inline, lasting, plural, thousands } from '../text.ts';
import { type Chart, chartsOf } from './charts.ts';
import { type Content, html, type Markup } from './markup.ts';

/** Ascending: a percentile, and the milliseconds within which that share stays. The caller, who knows how histograms are written, supplies it. */
export type CurveOf = (latencies: Latencies) => readonly { readonly percent: number; readonly ms: number }[];

export interface LoadPage {
  readonly section: Markup | undefined;
  readonly charts: readonly Chart[];
}

const rowsShown = 300;

export function loadPage(measurements: readonly Measurement[], curveOf: CurveOf): LoadPage {
  if (measurements.length === 0) return { section: undefined, charts: [] };
  const parts = measurements.map((each) => {
    const curve = curveOf(each.latencies.ok).filter(({ percent }) => isShown(each, percent));
    return { each, curve, charts: chartsOf(each, curve) };
  });
  return {
    charts: parts.flatMap(({ charts }) => charts),
    section: html`<section id="load" aria-labelledby="load-title"><h2 id="load-title">Load</h2>
${parts.map(({ each, curve, charts }, at) => one(each, curve, charts, `load-${at + 1}`))}</section>`,
  };
}

/** As the console has it: of a valid measurement, and no percentile that its sample does not support. */
const isShown = ({ validity, latencies }: Measurement, percent: number): boolean =>
  validity.verdict === 'valid' && latencies.ok.count >= Math.max(1, fewestFor(percent));

function one(each: Measurement, curve: ReturnType<CurveOf>, charts: readonly Chart[], anchor: string): Markup {
  const { id, scenario, engine, plan, validity, conclusions, interrupted, calm } = each;
  const tone = validity.verdict === 'valid' ? 'pass' : validity.verdict === 'invalid' ? 'fail' : 'inconclusive';
  const rate =
    plan.perSecond === undefined
      ? plural(plan.connections ?? 0, 'connection')
      : `${plan.changing === undefined ? '' : `${thousands(plan.changing.from)} to `}${thousands(plan.perSecond)} requests a second`;
  return html`<article class="measurement" aria-labelledby="${anchor}"><h3 id="${anchor}">${inline(id, 60)} <span class="quiet">${id === scenario ? '' : `${scenario}: `}${rate} for ${plan.seconds} s, ${engine.name} ${inline(engine.version, 30)}, ${engine.model} loop</span></h3>
<p><span class="verdict tone-${tone}">${validity.verdict}</span> ${validity.verdict !== 'valid' ? 'These figures are not a result:' : calm === undefined ? 'The service was measured.' : `In calm windows: ${calmText(calm, plan.seconds)}. Latencies are those of requests that began in calm time.`}${interrupted && ' It was interrupted.'}</p>
${validity.reasons.length > 0 && html`<ul>${validity.reasons.map(({ says, change }) => html`<li>${inline(says, 500)} <span class="quiet">${inline(change, 400)}</span></li>`)}</ul>`}
${conclusions.slice(0, 30).map((said) => html`<p>${inline(said, 600)}</p>`)}
${figures(each, curve)}
${thresholds(each)}
${charts.map(({ name, title, says }) => html`<figure class="picture needs-script" hidden><figcaption>${title} <span class="quiet">${says}</span></figcaption><div class="chart" data-chart="${name}" role="img" aria-label="${title}: ${says}"></div></figure>`)}
${bySecond(each)}
</article>`;
}

const latency = (ms: number | undefined): string =>
  ms === undefined ? '–' : ms < 10 ? `${ms.toFixed(2)} ms` : lasting(ms);

function figures(measured: Measurement, curve: ReturnType<CurveOf>): Markup {
  const { achieved, latencies, answers, others, from, calm } = measured;
  const at = (percent: number): string =>
    isShown(measured, percent)
      ? latency(curve.find((each) => each.percent >= percent)?.ms)
      : `needs ${thousands(fewestFor(percent))} answers`;
  const countOf = (status: StatusClass): string => {
    const outside = calm?.outside[status] ?? 0;
    return `${thousands(latencies[status].count)}${outside > 0 ? ` (${thousands(outside)} excluded)` : ''}`;
  };
  const pairs: (readonly [string, string])[] = [
    ...(achieved.intended === undefined ? [] : [['Requests scheduled', thousands(achieved.intended)] as const]),
    ['Requests started', `${thousands(achieved.begun)} in ${achieved.seconds.toFixed(1)} s`],
    ['Answered 2xx', countOf('ok')],
    ['Refused with 429', countOf('limited')],
    [
      'Other answers',
      `${countOf('other')}${
        others.length > 0
          ? ` (${others
              .slice(0, 5)
              .map(({ what, count }) => `${inline(what, 60)} × ${count}`)
              .join(', ')})`
          : ''
      }`,
    ],
    ...(measured.validity.verdict === 'valid' ? [50, 90, 99, 99.9] : []).map(
      (percent) => [`${percent} % of the 2xx within`, at(percent)] as const,
    ),
    ['Answers checked', `${thousands(answers.checked)}, ${answers.wrong} wrong`],
  ];
  return html`<dl class="figures">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>
<p class="quiet">Latencies count from ${from === 'intended-start' ? 'the scheduled start of each request' : 'the sending of each request'}.</p>`;
}

const outcomeTone = { met: 'pass', missed: 'fail', unknown: 'inconclusive' } as const;

const thresholds = ({ thresholds: all }: Measurement): Content =>
  all.length > 0 &&
  html`<table class="small"><thead><tr><th scope="col">threshold</th><th scope="col">demanded</th><th scope="col">got</th><th scope="col">outcome</th></tr></thead>
<tbody>${all.map(({ name, demanded, came, outcome }) => html`<tr><th scope="row">${inline(name, 80)}</th><td>${inline(demanded, 120)}</td><td>${inline(came ?? '–', 120)}</td><td><span class="verdict tone-${outcomeTone[outcome]}">${outcome}</span></td></tr>`)}</tbody></table>`;

function bySecond({ series }: Measurement): Content {
  if (series.length === 0) return undefined;
  const ms = (us: number | undefined): string => (us === undefined ? '–' : latency(us / 1000));
  return html`<details><summary>By second (${series.length})</summary><div class="wide" tabindex="0"><table><thead><tr>${['second', '2xx', '429', 'other', 'p50', 'p99', 'max'].map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
<tbody>${series.slice(0, rowsShown).map(({ at, counts, p50Us, p99Us, maxUs }) => html`<tr><th scope="row">${at}</th><td>${counts.ok}</td><td>${counts.limited}</td><td>${counts.other}</td><td>${ms(p50Us)}</td><td>${ms(p99Us)}</td><td>${ms(maxUs)}</td></tr>`)}</tbody></table></div>
${series.length > rowsShown && html`<p class="quiet">and ${plural(series.length - rowsShown, 'more second')} (in the run file)</p>`}</details>`;
}
