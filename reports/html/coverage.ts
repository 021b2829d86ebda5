/** Every sentence of the specification: whether it can be tested, was exercised in this run, and is proven to be able to fail. */
import { type ClauseRow, type CoveredRule, coverageTable } from '../coverage.ts';
import { inline, plural } from '../text.ts';
import { html, type Markup, prose } from './markup.ts';

export function coverageSection(
  rows: readonly ClauseRow[] | undefined,
  planned: ReadonlySet<string>,
): Markup | undefined {
  if (rows === undefined) return undefined;
  const [head, body] = coverageTable(rows);
  return html`<section id="coverage" aria-labelledby="coverage-title"><h2 id="coverage-title">Specification coverage</h2>
<p class="quiet">Testable: can be seen from outside. Exercised: a rule about it has a verdict in this run. Proven: a deliberately faulty service was caught by it.</p>
<table class="small"><thead><tr>${head.map((each) => html`<th scope="col">${each}</th>`)}</tr></thead>
<tbody>${body.map(([level, ...cells]) => html`<tr><th scope="row">${level}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>`)}</tbody></table>
<details><summary>All ${plural(rows.length, 'sentence')}</summary>
<table class="clauses"><thead><tr><th scope="col">where</th><th scope="col">what it says</th><th scope="col">rules</th></tr></thead>
<tbody>${rows.map(
    ({
      clause,
      rules,
    }) => html`<tr><td>${clause.section}${clause.level !== 'required' && html`<br><span class="tag">${clause.level}</span>`}</td>
<td>${prose(clause.says, 600)}${clause.untestable !== undefined && html`<br><span class="quiet">Not testable from outside: ${clause.untestable}</span>`}</td>
<td>${rules.length === 0 ? html`<span class="quiet">${clause.untestable === undefined ? 'no rule yet' : '–'}</span>` : rules.map((rule) => ruleCell(rule, planned))}</td></tr>`,
  )}</tbody></table></details>
</section>`;
}

const ruleCell = ({ rule, exercised, provenBy }: CoveredRule, planned: ReadonlySet<string>): Markup =>
  html`<div>${planned.has(rule) ? html`<a href="#${rule}">${rule}</a>` : inline(rule)} <span class="quiet">${exercised ? 'exercised' : 'not exercised'}${provenBy.length > 0 && `, proven by ${plural(provenBy.length, 'fault')}`}</span></div>`;
