/** The top of the page: does it conform, how far was it tested, what fails. Whoever reads no further knows the answer. */
import type { Outcome, Run } from '../../src/index.ts';
import { type ClauseRow, coverageByLevel } from '../coverage.ts';
import { exitReasons, type Row, type Summary } from '../summary.ts';
import { messageOf } from '../tell.ts';
import { inline, lasting, plural, thousands } from '../text.ts';
import { type Content, html, type Markup } from './markup.ts';

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
  const { mark, tone } = summary.outcome === 'conforms' && waived.length > 0 ? shapes.incomplete : shapes[summary.outcome];
  return html`<header class="top">
<p class="maker">Touchstone ${inline(run.header.touchstone, 40)} <span class="quiet">conformance report</span></p>
<div class="answer tone-${tone}">
<span class="mark" aria-hidden="true">${mark}</span>
<div><h1>${sentence(summary.headline)}</h1>
<p>${summary.because}</p></div>
</div>
<dl class="facts">${facts(run)}</dl>
</header>
<div class="cards">
<section class="card"><h2>Does it conform?</h2>
<p class="big tone-${tone}">${answerIn[summary.outcome](waived.length)}</p>
<p>${exitReasons[summary.outcome].replace(/^e/, 'E')}.</p>
${run.footer === undefined && html`<p class="alarm">The run file has no footer: the run ended before its end, or is still going on.</p>`}
${summary.missing.length > 0 && html`<p class="alarm">${plural(summary.missing.length, 'rule')} got no verdict.</p>`}
${run.header.strict && html`<p>Warnings count as violations (strict).</p>`}
</section>
<section class="card"><h2>How far was it tested?</h2>${reach(run, summary, coverage)}</section>
<section class="card"><h2>What fails?</h2>${fails(summary, failing)}</section>
</div>`;
}

const answerIn: Readonly<Record<Outcome, (waived: number) => string>> = {
  conforms: (waived) => (waived > 0 ? 'Only with waivers' : 'Yes, as far as tested'),
  violation: () => 'No',
  incomplete: () => 'Not known',
  unreachable: () => 'Not known: no answer',
  interrupted: () => 'Not known: interrupted',
};

function facts({ header, footer }: Run): Content {
  const pairs: readonly (readonly [string, string])[] = [
    ['Service', inline(header.target, 300)],
    ['Profile', inline(header.profile.name, 200)],
    ['Started', inline(header.started.replace('T', ' ').replace(/\.\d+Z$/, ' UTC'), 40)],
    ...(footer === undefined ? [] : [['Took', lasting(footer.tookMs)] as const]),
    ['Depth', header.depth],
    ['Seed', String(header.seed)],
    ['Rules', `version ${inline(header.rules.version, 40)}`],
  ];
  return pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`);
}

const withVerdict = ({ areas }: Summary, verdict: string): Row[] =>
  areas.flatMap(({ rows }) => rows).filter(({ finding }) => finding?.verdict === verdict);

function reach(run: Run, { counts, areas }: Summary, coverage: readonly ClauseRow[] | undefined): Content {
  const able = areas.flatMap(({ rows }) => rows).filter(({ planned }) => planned.level !== 'observed').length;
  const judged = counts.pass + counts.fail + counts.warn;
  const asked = run.findings.reduce((sum, { asked: { contexts } }) => sum + contexts, 0);
  return html`<p class="big">${thousands(judged)} <span class="quiet">of ${plural(able, 'rule')} that can fail</span></p>
<p>${plural(run.exchanges.size, 'exchange')}; rules were asked in ${plural(asked, 'context')}${counts.observed > 0 ? `, and ${counts.observed} open questions answered by looking` : ''}.</p>
${coverage !== undefined && coverageTable(coverage)}`;
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

function fails(summary: Summary, failing: readonly Row[]): Content {
  const { counts, missing } = summary;
  const others = [
    ...(counts.warn > 0 ? [plural(counts.warn, 'warning')] : []),
    ...(counts.error > 0 ? [`${counts.error} × a fault of the harness`] : []),
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
<span class="quiet">${inline(messageOf(finding!), 140)}</span></li>`,
  )}</ul>`
}
${failing.length > named.length && html`<p>and <a href="#rules">${failing.length - named.length} more</a></p>`}
${others.length > 0 && html`<p class="quiet">Beside that: ${others.join(', ')}.</p>`}`;
}
