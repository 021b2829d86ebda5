/** The top of the page: does it conform, how far was it tested, what fails. A reader who stops here knows the answer. */
import type { Finding, Outcome, Run } from '../../src/vocabulary.ts';
import { type ClauseRow, coverageByLevel } from '../coverage.ts';
import { isLoad } from '../measured.ts';
import { type Counts, countsInWords, exitReasons, type Row, type Summary } from '../summary.ts';
import { inline, lasting, plural, thousands } from '../text.ts';
import { type Content, html, type Markup, prose } from './markup.ts';

const failuresNamed = 6;

const shapes: Readonly<Record<Outcome, { readonly mark: string; readonly tone: string }>> = {
  conforms: { mark: '✓', tone: 'pass' },
  violation: { mark: '✗', tone: 'fail' },
  incomplete: { mark: '?', tone: 'inconclusive' },
  unreachable: { mark: '?', tone: 'inconclusive' },
  interrupted: { mark: '?', tone: 'inconclusive' },
};

/** The headline is in capitals for terminals. */
export const sentence = (headline: string): string => {
  const calm = headline.replaceAll(/\b[A-Z]{2,}\b/g, (word) => word.toLowerCase());
  return calm.charAt(0).toUpperCase() + calm.slice(1);
};

export function answers(run: Run, summary: Summary, coverage: readonly ClauseRow[] | undefined): Markup {
  const failing = withVerdict(summary, 'fail');
  const waived = failing.filter(({ finding }) => finding?.waived !== undefined);
  const { mark, tone } =
    summary.outcome === 'conforms' && waived.length > 0 ? shapes.incomplete : shapes[summary.outcome];
  return html`<header>
<p class="maker">Touchstone ${inline(run.header.touchstone, 40)} <span class="quiet">${isLoad(run) ? 'load report' : 'conformance report'}</span><button type="button" id="theme" hidden>Dark</button></p>
<div class="answer tone-${tone}">
<span class="mark" aria-hidden="true">${mark}</span>
<div><h1>${sentence(summary.headline)}</h1>
<p>${summary.because}</p>
${run.footer === undefined && html`<p class="alarm">The run file has no footer: the run ended early or is still running.</p>`}
${summary.missing.length > 0 && html`<p class="alarm">${plural(summary.missing.length, 'rule')} got no verdict.</p>`}
</div>
<p class="exit">${isLoad(run) ? `exit code ${summary.exitCode}` : exitReasons[summary.outcome]}${run.header.strict && html`<br>warnings count as violations (strict)`}</p>
</div>
<dl class="facts">${facts(run)}</dl>
</header>
${
  run.header.planned.length > 0 &&
  html`<div class="cards">
<section class="card"><h2>What fails?</h2>${fails(summary, failing)}</section>
<section class="card"><h2>How far was it tested?</h2>${reach(run, summary, coverage)}</section>
</div>`
}`;
}

function facts({ header, footer }: Run): Content {
  const pairs: readonly (readonly [string, string])[] = [
    ['Service', inline(header.target, 300)],
    ['Profile', inline(header.profile.name, 200)],
    ['Started', inline(header.started.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'), 40)],
    ...(footer === undefined ? [] : [['Took', lasting(footer.tookMs)] as const]),
    ...(header.planned.length === 0
      ? []
      : [['Depth', header.repeat === undefined ? header.depth : `${header.depth}, ${header.repeat} times`] as const]),
    ['Seed', String(header.seed)],
  ];
  return pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
}

const withVerdict = ({ areas }: Summary, verdict: string): Row[] =>
  areas.flatMap(({ rows }) => rows).filter(({ finding }) => finding?.verdict === verdict);

function reach(run: Run, { counts, areas }: Summary, coverage: readonly ClauseRow[] | undefined): Content {
  const able = areas.flatMap(({ rows }) => rows).filter(({ planned }) => planned.level !== 'observed').length;
  const judged = counts.pass + counts.fail + counts.warn;
  const asked = run.findings.reduce((sum, { asked: { contexts } }) => sum + contexts, 0);
  return html`${verdictBar(counts)}
<p class="big">${thousands(judged)} <span class="quiet">of ${plural(able, 'rule')} that can fail were judged</span></p>
<p>${plural(run.exchanges.size, 'exchange')}; rules were asked in ${plural(asked, 'context')}${counts.observed > 0 ? `, and ${plural(counts.observed, 'open question')} observed` : ''}.</p>
${coverage !== undefined && coverageTable(coverage)}`;
}

/** The shares of the verdicts, most serious first; the numbers are next to it. */
function verdictBar(counts: Counts): Markup {
  const order = ['fail', 'error', 'inconclusive', 'warn', 'untested', 'observed', 'pass'] as const;
  const all = Math.max(
    1,
    order.reduce((sum, verdict) => sum + counts[verdict], 0),
  );
  let from = 0;
  const parts = order.map((verdict) => {
    const width = (100 * counts[verdict]) / all;
    const part = html`<rect class="fill-${verdict}" x="${from.toFixed(2)}" width="${width.toFixed(2)}" height="4"/>`;
    from += width;
    return counts[verdict] > 0 && part;
  });
  return html`<svg class="share" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">${parts}</svg>
<p class="quiet">${countsInWords(counts)}</p>`;
}

function coverageTable(coverage: readonly ClauseRow[]): Markup {
  const rows = Object.entries(coverageByLevel(coverage)).filter(([level]) => level !== 'observed');
  return html`<table class="small"><caption class="quiet">Sentences of the specification</caption>
<thead><tr><th scope="col">level</th><th scope="col">testable</th><th scope="col">exercised</th><th scope="col">proven</th></tr></thead>
<tbody>${rows.map(
    ([level, { testable, exercised, proven }]) =>
      html`<tr><th scope="row">${level}</th><td>${testable}</td><td>${exercised ?? '–'}</td><td>${proven ?? '–'}</td></tr>`,
  )}</tbody></table>
<p><a href="#coverage">All of them</a></p>`;
}

function inShort(finding: Finding): Content {
  const [first] = finding.reasons.filter(({ weight }) => weight !== 'note');
  if (first === undefined) return inline(finding.because ?? 'no reason was recorded', 200);
  const where = finding.where === undefined ? '' : `, only ${inline(finding.where, 120)}`;
  return html`expected ${prose(first.expected, 120)}, got ${inline(first.came, 120)}${where}`;
}

function fails(summary: Summary, failing: readonly Row[]): Content {
  const { counts, missing } = summary;
  const others = [
    ...(counts.warn > 0 ? [plural(counts.warn, 'warning')] : []),
    ...(counts.error > 0 ? [`${counts.error} × a fault in Touchstone`] : []),
    ...(counts.inconclusive > 0 ? [`${counts.inconclusive} inconclusive`] : []),
    ...(counts.untested > 0 ? [`${counts.untested} untested`] : []),
    ...(missing.length > 0 ? [`${missing.length} without a verdict`] : []),
  ];
  const named = failing.slice(0, failuresNamed);
  const none = counts.pass + counts.warn === 0 ? 'Nothing was judged' : 'No rule';
  return html`<p class="big">${failing.length === 0 ? none : plural(failing.length, 'rule')}</p>
${
  named.length > 0 &&
  html`<ul class="plain">${named.map(
    ({ planned, finding }) =>
      html`<li><a href="#${planned.rule}">${planned.rule}</a>${finding?.waived !== undefined && html` <span class="tag">waived</span>`}
<span class="quiet">${inShort(finding!)}</span></li>`,
  )}</ul>`
}
${failing.length > named.length && html`<p>and <a href="#rules">${failing.length - named.length} more</a></p>`}
${others.length > 0 && html`<p class="quiet">Also: ${others.join(', ')}.</p>`}`;
}
