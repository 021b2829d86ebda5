/**
 * A run as one page that needs nothing else: no address, no server, no script for what matters. Whatever a service said is text:
 * `html/markup.ts` escapes it, the script only ever sets it as text, and the page's own policy lets nothing else run.
 */
import { describe, type FoundLimit, type Run, sentenceOf } from '../src/vocabulary.ts';
import { answers, sentence } from './html/answers.ts';
import { assets } from './html/assets.ts';
import { coverageSection } from './html/coverage.ts';
import { embeddedJson, jsonForScript } from './html/data.ts';
import { limitsSection, picturesOf } from './html/limits.ts';
import { loadPage } from './html/load.ts';
import { html, Markup } from './html/markup.ts';
import { drawer, exchangeSection, runSection, untestedSection } from './html/rest.ts';
import { ruleList } from './html/rules.ts';
import { shownLimits, toldIn } from './limit-told.ts';
import { isLoad } from './measured.ts';
import type { ReportOptions } from './options.ts';
import { summaryOf } from './summary.ts';
import { inline } from './text.ts';

/** First the sentence that a person can repeat. */
const saidOf =
  (run: Run) =>
  (limit: FoundLimit): readonly string[] => [sentenceOf(limit, toldIn(run, limit)), ...describe(limit.model)];

export function htmlReport(run: Run, options: ReportOptions = {}): string {
  const summary = summaryOf(run);
  const { coverage, limits = picturesOf(shownLimits(run), run.exchanges, saidOf(run)), curveOf = () => [] } = options;
  const planned = new Set(run.header.planned.map(({ rule }) => rule));
  const load = loadPage(run.measurements ?? [], curveOf);
  const { style, scripts, policy } = assets({ charts: load.charts.length > 0 });
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="Touchstone ${inline(run.header.touchstone, 40)}">
<title>${isLoad(run) && 'Load: '}${sentence(summary.headline)} · ${inline(run.header.target, 100)} · Touchstone</title>
<style>${new Markup(style)}</style>
</head>
<body>
<a class="skip" href="#${planned.size > 0 ? 'rules' : 'load'}">To the ${planned.size > 0 ? 'rules' : 'figures'}</a>
<main>
${answers(run, summary, coverage)}
${load.section}
${limitsSection(limits)}
${planned.size > 0 && ruleList(run, summary, options.docs)}
${untestedSection(summary)}
${coverageSection(coverage, planned)}
${exchangeSection(run)}
${runSection(run, options)}
</main>
${drawer()}
<script type="application/json" id="data">${new Markup(embeddedJson(run))}</script>
${load.charts.length > 0 && html`<script type="application/json" id="charts">${new Markup(jsonForScript(load.charts))}</script>`}
${scripts.map((script) => html`<script>${new Markup(script)}</script>\n`)}</body>
</html>
`;
  return page.toString();
}
