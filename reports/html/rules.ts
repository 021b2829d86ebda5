/** Every rule with its clause, verdict, reasons and proof. All of it can be read without a script. */
import {
  type Exchange,
  type Finding,
  type PlannedRule,
  type Reason,
  type Run,
  ruleAddress,
  type Verdict,
} from '../../src/vocabulary.ts';
import { restsOn } from '../asked.ts';
import { timelineOf } from '../client-timeline.ts';
import { placeLines } from '../console-failures.ts';
import { countsOf, type Row, type Summary } from '../summary.ts';
import { proofOf } from '../tell.ts';
import { inline, plural } from '../text.ts';
import { waiverOf } from '../waiver.ts';
import { type Content, html, type Markup, prose } from './markup.ts';
import { wire } from './wire.ts';

const marks: Readonly<Record<Verdict | 'missing', string>> = {
  pass: '✓',
  fail: '✗',
  warn: '!',
  observed: 'i',
  untested: '–',
  inconclusive: '?',
  error: '‼',
  missing: '?',
};

/** Of a finding that is no pass, so many exchanges can be read without a script; of one that is, none. */
const proofsShown = 3;
const opened = 12;
const reasonsShown = 12;

export function ruleList(run: Run, summary: Summary, docs?: string): Markup {
  let open = 0;
  // An exchange may prove two rules; an identifier stands for one element.
  const shown = new Set<number>();
  const isOpen = ({ finding }: Row): boolean => finding?.verdict === 'fail' && ++open <= opened;
  return html`<section id="rules" aria-labelledby="rules-title"><h2 id="rules-title">Rules</h2>
${tools(summary)}
${summary.areas.map(
  ({
    area,
    rows,
  }) => html`<section class="area" aria-labelledby="area-${area}"><h3 id="area-${area}">${area} <span class="quiet">${areaCounts(rows)}</span></h3>
${rows.map((row) => ruleOf(run, row, isOpen(row), shown, docs))}
</section>`,
)}
<p id="none" class="quiet" hidden>No rule matches the search.</p>
</section>`;
}

const areaCounts = (rows: readonly Row[]): string =>
  Object.entries(countsOf(rows.flatMap(({ finding }) => finding ?? [])))
    .filter(([, count]) => count > 0)
    .map(([verdict, count]) => `${count} ${verdict}`)
    .join(' · ');

/** Of no use without a script, which is what shows it. */
function tools({ counts }: Summary): Markup {
  const chips = Object.entries(counts).filter(([, count]) => count > 0) as [Verdict, number][];
  return html`<form class="tools" id="tools" role="search" aria-label="Rules" hidden>
<label class="search">Search <input type="search" id="search" autocomplete="off" spellcheck="false"></label>
<div class="chips" role="group" aria-label="Verdicts shown">${chips.map(
    ([verdict, count]) =>
      html`<button type="button" class="chip tone-${verdict}" data-verdict="${verdict}" aria-pressed="true"><span aria-hidden="true">${marks[verdict]}</span> ${count} ${verdict}</button>`,
  )}</div>
<label>Level <select id="level"><option value="">all</option><option>required</option><option>expected</option><option>observed</option></select></label>
<span class="buttons"><button type="button" id="open-all">Open all</button><button type="button" id="close-all">Close all</button></span>
<label><input type="checkbox" id="keys" checked> <kbd>/</kbd> searches</label>
<p id="shown" class="quiet" role="status"></p>
</form>`;
}

function ruleOf(run: Run, { planned, finding }: Row, open: boolean, shown: Set<number>, docs?: string): Markup {
  const page = ruleAddress(planned.rule, docs);
  const { rule, level, clause } = planned;
  const verdict = finding?.verdict ?? 'missing';
  const says = prose(clause.says, 400);
  const state = finding?.waived === undefined ? '' : ' waived';
  return html`<details class="rule" id="${rule}" data-verdict="${verdict}" data-level="${level}"${open && html` open`}>
<summary><span class="verdict tone-${verdict}${state}"><span aria-hidden="true">${marks[verdict]}</span> ${wordFor(verdict)}${state === '' ? '' : ', waived'}</span>
<span class="name">${rule}</span> <span class="says">${says}</span>${level !== 'required' && html` <span class="tag">${level}</span>`}</summary>
<div class="body">
${finding === undefined ? html`<p>The run ended before this rule had a verdict.</p>` : told(planned, finding)}
<dl class="pairs"><div><dt>Clause</dt><dd>${inline(clause.section, 100)}: ${says}</dd></div>
${planned.fix !== '' && verdict !== 'pass' && html`<div><dt>Fix</dt><dd>${prose(planned.fix, 600)}</dd></div>`}
<div><dt>More</dt><dd><code>touchstone explain ${rule}</code>${page !== undefined && html`, <a href="${page}" rel="noreferrer">documentation</a>`}</dd></div></dl>
${finding !== undefined && proofs(run, finding, shown)}
</div></details>`;
}

const wordFor = (verdict: Verdict | 'missing'): string => (verdict === 'missing' ? 'no verdict' : verdict);

function told(planned: PlannedRule, finding: Finding): Content {
  const { reasons, facts = [], because, asked, waived } = finding;
  const telling = reasons.filter(({ weight }) => weight !== 'note');
  const notes = reasons.filter(({ weight }) => weight === 'note');
  return [
    waived !== undefined && html`<p class="alarm">${inline(waiverOf(waived), 1000)}</p>`,
    because !== undefined &&
      html`<p>${finding.verdict === 'error' && 'A fault in Touchstone, not in the service: '}${inline(because, 1000)}</p>`,
    planned.untested?.add !== undefined &&
      html`<p>Add to the profile: <code>${inline(planned.untested.add, 400)}</code></p>`,
    telling.length > 0 && placeLines(finding).map((line) => html`<p class="where">${line}</p>`),
    telling.length > 0 && reasonTable(telling),
    notes
      .slice(0, reasonsShown)
      .map(({ expected, came }) => html`<p class="quiet">Note: ${inline(expected, 300)}; got ${inline(came, 300)}</p>`),
    facts.length > 0 && html`<ul>${facts.slice(0, 40).map((fact) => html`<li>${inline(fact, 400)}</li>`)}</ul>`,
    (telling.length === 0 || asked.leftOut.length > 0) &&
      html`<p class="quiet">${asked.contexts === 0 ? 'Of' : 'Asked in'} ${restsOn(finding)}${asked.contexts < asked.planned ? ` of ${asked.planned}` : ''}.${asked.leftOut.length > 0 && ` Left out: ${inline(asked.leftOut.slice(0, 10).join('; '), 600)}${asked.leftOut.length > 10 ? ` and ${asked.leftOut.length - 10} more` : ''}.`}</p>`,
  ];
}

const reasonTable = (reasons: readonly Reason[]): Markup => html`<table class="reasons">
<thead><tr><th scope="col">expected</th><th scope="col">got</th><th scope="col">exchange</th></tr></thead>
<tbody>${reasons
  .slice(0, reasonsShown)
  .map(
    ({ expected, came, exchange }) =>
      html`<tr><td>${prose(expected, 400)}</td><td class="came">${inline(came, 600)}</td><td>${exchange !== undefined && link(exchange)}</td></tr>`,
  )}</tbody></table>
${reasons.length > reasonsShown && html`<p class="quiet">and ${plural(reasons.length - reasonsShown, 'more reason')} (in the run file)</p>`}`;

/** Leads to what the script shows of it; without one, to where its number stands. */
export const link = (id: number): Markup =>
  html`<a class="exchange" href="#exchange-${id}" data-exchange="${id}">#${id}</a>`;

function proofs(run: Run, finding: Finding, before: Set<number>): Content {
  const all = proofOf(run, finding);
  const shown: readonly Exchange[] = finding.verdict === 'pass' ? [] : all.slice(0, proofsShown);
  const [first, ...others] = shown;
  const { header } = run;
  const timeline = finding.verdict === 'pass' ? [] : timelineOf(run, finding);
  const isNew = ({ id }: Exchange): boolean => !before.has(id) && before.add(id).has(id);
  return [
    timeline.length > 0 && html`<pre class="timeline" tabindex="0">${timeline.join('\n')}</pre>`,
    first !== undefined && wire(first, header, isNew(first)),
    others.length > 0 &&
      html`<details><summary>${plural(others.length, 'more exchange')} that ${others.length === 1 ? 'shows' : 'show'} it</summary>${others.map((each) => wire(each, header, isNew(each)))}</details>`,
    all.length > shown.length &&
      html`<p class="quiet">${shown.length > 0 ? 'Also' : 'For instance'} ${all.slice(shown.length, 40).map((each, at) => html`${at > 0 ? ', ' : ''}${link(each.id)}`)}</p>`,
    html`<div class="steps" data-rule="${finding.rule}" data-count="${run.steps.filter(({ rule }) => rule === finding.rule).length}"></div>`,
  ];
}
