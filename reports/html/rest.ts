/** What was not tested and how to unlock it, what the run reports besides its verdicts, and how to check all of this. */
import type { Run } from '../../src/vocabulary.ts';
import type { ReportOptions } from '../options.ts';
import type { Summary } from '../summary.ts';
import { inline, lasting, plural } from '../text.ts';
import { waiverOf } from '../waiver.ts';
import { html, type Markup } from './markup.ts';

export function untestedSection({ areas }: Summary): Markup | undefined {
  const rows = areas.flatMap((area) => area.rows).filter(({ finding }) => finding?.verdict === 'untested');
  if (rows.length === 0) return undefined;
  const groups = [...Map.groupBy(rows, ({ planned, finding }) => planned.untested?.add ?? finding?.because ?? '')];
  return html`<section aria-labelledby="untested-title"><h2 id="untested-title">Not tested (${rows.length})</h2>
<p class="quiet">These are not counted as passed.</p>
<dl class="pairs">${groups
    .sort(([, a], [, b]) => b.length - a.length)
    .map(([add, each]) => {
      const unlocks = each[0]?.planned.untested?.add !== undefined;
      return html`<div><dt>${unlocks ? html`Add <code>${inline(add, 400)}</code> to the profile` : inline(add, 400)}</dt>
<dd>${each.map(({ planned, finding }, at) => html`${at > 0 && ', '}<a href="#${planned.rule}">${planned.rule}</a>${finding?.waived !== undefined && html` <span class="quiet">(${inline(waiverOf(finding.waived), 300)})</span>`}`)}</dd></div>`;
    })}</dl></section>`;
}

export function runSection(run: Run, { runFile }: ReportOptions): Markup {
  const { header, footer } = run;
  const waits = footer?.waits ?? [];
  const left = footer?.leftBehind ?? [];
  const file = runFile === undefined ? 'run.jsonl' : inline(runFile, 300);
  return html`<section aria-labelledby="run-title"><h2 id="run-title">The run</h2>
${(footer?.remarks ?? []).map((remark) => html`<p>${inline(remark, 800)}</p>`)}
${
  left.length > 0 &&
  html`<p class="alarm">Left in the service; remove by hand: ${left
    .slice(0, 50)
    .map((each) => inline(each, 80))
    .join(', ')}${left.length > 50 && ` and ${left.length - 50} more`}</p>`
}
<dl class="pairs">
${waits.length > 0 && html`<div><dt>Waited for 429s</dt><dd>${waits.slice(0, 20).map(({ who, times, ms }, at) => `${at > 0 ? ', ' : ''}${inline(who, 80)} ${lasting(ms)} (${plural(times, 'time')})`)}</dd></div>`}
<div><dt>Rules</dt><dd>version ${inline(header.rules.version, 80)}, for the specification with SHA-256 <code>${inline(header.rules.specification, 80)}</code></dd></div>
<div><dt>Profile</dt><dd>${inline(header.profile.name, 200)}, SHA-256 <code>${inline(header.profile.digest, 80)}</code></dd></div>
<div><dt>Check it</dt><dd><code>touchstone judge ${file}</code> derives every verdict again from the recorded exchanges, without the service.</dd></div>
</dl></section>`;
}

export const exchangeSection = ({ exchanges }: Run): Markup | undefined =>
  exchanges.size === 0
    ? undefined
    : html`<section class="screen" aria-labelledby="log-title"><h2 id="log-title">Exchanges</h2>
<p class="no-script">${plural(exchanges.size, 'exchange')}. Those that prove a failure are shown with their rule; the others are in the run file, and need JavaScript to be shown here.</p>
<details id="log" class="needs-script" hidden><summary>${plural(exchanges.size, 'exchange')}, in the order of sending</summary>
<p><label>Search <input type="search" id="log-search" autocomplete="off" spellcheck="false"></label> <span id="log-shown" class="quiet" role="status"></span></p>
<div id="log-list"></div></details></section>`;

/** One exchange by itself, over the page. */
export const drawer = (): Markup => html`<dialog id="drawer" aria-labelledby="drawer-title">
<div class="bar-of-drawer"><h2 id="drawer-title">Exchange</h2>
<span class="buttons"><button type="button" id="previous">Previous</button><button type="button" id="next">Next</button><button type="button" id="close">Close</button></span></div>
<div id="drawer-content"></div></dialog>`;
