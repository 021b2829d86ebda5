/** The matrix as one page: no script, nothing from outside, and nothing that an implementation said can be more than text. */
import { createHash } from 'node:crypto';
import { html, Markup, prose } from './html/markup.ts';
import type { Ambiguity, Behaviour, Matrix, MatrixRow } from './matrix.ts';
import { alike, legend, markOf, standing } from './matrix-text.ts';
import { inline, plural } from './text.ts';

const style = `
:root{color-scheme:light dark;--ground:#fff;--ink:#1a1d21;--quiet:#5a6068;--line:#d5d9de;--pass:#17693a;--fail:#b3261e;--warn:#7a5200;--open:#6b3fa0;--band:#f3f5f7}
@media(prefers-color-scheme:dark){:root{--ground:#15181c;--ink:#e8eaed;--quiet:#a3abb5;--line:#363c44;--pass:#6fd394;--fail:#ff8a80;--warn:#f0c060;--open:#c9a7ff;--band:#1e2227}}
body{margin:0 auto;max-width:76rem;padding:1.5rem;background:var(--ground);color:var(--ink);font:16px/1.5 system-ui,sans-serif}
h1{font-size:1.6rem}h2{font-size:1.2rem;margin-top:2.2rem}h3{font-size:1rem;margin-bottom:.2rem}
.scroll{overflow-x:auto}
table{border-collapse:collapse}th,td{border-bottom:1px solid var(--line);padding:.25rem .6rem;text-align:left;vertical-align:top}
thead th{position:sticky;top:0;background:var(--ground)}
td.mark,th.mark{text-align:center}
tr.differs{background:var(--band)}
.quiet{color:var(--quiet)}.pass{color:var(--pass)}.fail,.error{color:var(--fail);font-weight:600}.warn{color:var(--warn)}.inconclusive{color:var(--open)}
abbr{text-decoration:none}
code{font:.9em ui-monospace,monospace;overflow-wrap:anywhere}
@media print{thead th{position:static}body{max-width:none}}
`;

export function matrixHtml(matrix: Matrix): string {
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'`;
  const { columns, rows, observed, ambiguities } = matrix;
  const page = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Implementations side by side</title>
<style>${new Markup(style)}</style></head>
<body><main>
<h1>Implementations side by side</h1>
<p class="quiet">Rules of version ${inline(matrix.rules, 40)}.</p>
<ol>${columns.map(
    (each) =>
      html`<li><strong>${inline(each.name, 80)}</strong>: ${standing(each)} <span class="quiet">${inline(each.target, 200)}, ${inline(each.started, 40)}</span></li>`,
  )}</ol>
${onlyPart(matrix)}
<section aria-labelledby="rules"><h2 id="rules">Rules</h2>
<p class="quiet">${legend}. ${plural(rows.filter((row) => !alike(row)).length, 'rule')} differ between implementations; their rows are shaded.</p>
<div class="scroll" role="region" aria-labelledby="rules" tabindex="0"><table><thead><tr><th scope="col">Rule</th><th scope="col">Level</th>${columns.map(
    (each, at) => html`<th scope="col" class="mark"><abbr title="${inline(each.name, 80)}">${at + 1}</abbr></th>`,
  )}<th scope="col">Only one fails</th></tr></thead>
<tbody>${rows.map((row) => rowOf(row, matrix))}</tbody></table></div></section>
<section aria-labelledby="open"><h2 id="open">What each does where the specification is silent</h2>
${observed.map((each) => subject(each, matrix))}</section>
<section aria-labelledby="authors"><h2 id="authors">For the authors of the specification</h2>
${
  ambiguities.length === 0
    ? html`<p>Lawful implementations do not differ in anything observed.</p>`
    : html`<p>Implementations that break none of the required rules differ in the following. Clients cannot rely on any of it until the specification decides.</p>${ambiguities.map((each) => subject(each, matrix))}`
}</section>
</main></body></html>
`;
  return page.toString();
}

function onlyPart({ columns, rows }: Matrix): Markup | false {
  const alone = rows.filter(({ only }) => only !== undefined);
  if (alone.length === 0) return false;
  return html`<section aria-labelledby="only"><h2 id="only">Only this one fails</h2><ul>${alone.map(
    ({ rule, only = 0, says, cells }) =>
      html`<li><strong>${inline(columns[only]?.name ?? '', 80)}</strong>: <code>${rule}</code> (${cells[only]?.verdict}): ${prose(says, 600)}</li>`,
  )}</ul></section>`;
}

const rowOf = (row: MatrixRow, { columns }: Matrix): Markup =>
  html`<tr${alike(row) ? '' : new Markup(' class="differs"')}><th scope="row"><code>${row.rule}</code></th><td class="quiet">${row.level}</td>${row.cells.map(
    (cell) =>
      html`<td class="mark ${cell.verdict ?? ''}"><abbr title="${cell.verdict ?? 'not asked'}${cell.waived ? ', waived' : ''}">${markOf(cell)}</abbr></td>`,
  )}<td>${row.only === undefined ? '' : inline(columns[row.only]?.name ?? '', 60)}</td></tr>`;

const subject = ({ rule, section, says, level, behaviours }: Ambiguity, matrix: Matrix): Markup =>
  html`<h3>${inline(section, 80)} <span class="quiet">(<code>${rule}</code>, ${level})</span></h3><p>${prose(says, 600)}</p>
${behaviours.length === 0 ? html`<p class="quiet">No implementation was asked.</p>` : html`<ul>${behaviours.map((each) => doing(each, matrix))}</ul>`}`;

const doing = ({ does, who }: Behaviour, { columns }: Matrix): Markup =>
  html`<li><code>${inline(does, 300)}</code>: ${who.length === columns.length ? 'all' : who.map((at) => inline(columns[at]?.name ?? '', 60)).join(', ')}</li>`;
