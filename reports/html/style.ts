/** How the page looks: quiet, so that what is coloured means something; in light, in dark, on paper. */

export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#f6f7f8, #13161a); --card: light-dark(#ffffff, #1b1f25); --sunk: light-dark(#f1f3f5, #12151a);
  --ink: light-dark(#1b1f24, #e4e7eb); --muted: light-dark(#57606a, #9aa5b1); --line: light-dark(#dfe3e8, #2d333b);
  --link: light-dark(#0a5aa8, #79b8ff);
  --pass: light-dark(#1a7033, #56d364); --fail: light-dark(#b3261e, #ff8a80); --warn: light-dark(#865300, #e3b341);
  --observed: light-dark(#0b6484, #6cc4e8); --untested: light-dark(#57606a, #9aa5b1); --inconclusive: light-dark(#7b3aa6, #d2a8ff);
  --error: light-dark(#b3261e, #ff8a80); --missing: light-dark(#7b3aa6, #d2a8ff);
}
:root[data-theme="light"] { color-scheme: light; }
:root[data-theme="dark"] { color-scheme: dark; }
* { box-sizing: border-box; }
[hidden] { display: none !important; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; overflow-wrap: break-word; }
main { max-width: 1080px; margin: 0 auto; padding: 24px 20px 80px; }
h1, h2, h3, h4, p, dl, ul, figure { margin: 0; }
h1 { font-size: 28px; line-height: 1.2; font-weight: 650; letter-spacing: -0.01em; }
h2 { font-size: 20px; font-weight: 650; margin: 44px 0 12px; }
h3 { font-size: 15px; font-weight: 650; margin: 24px 0 8px; }
.wire h3, .wire h4 { font-size: 12px; font-weight: 600; color: var(--muted); margin: 12px 0 4px; }
a { color: var(--link); text-underline-offset: 2px; }
code, pre, .name, a.exchange { font-family: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, monospace; font-size: 13px; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 3px; }
.quiet { color: var(--muted); font-weight: 400; }
.skip { position: absolute; left: -999px; }
.skip:focus { left: 12px; top: 12px; background: var(--card); padding: 8px 12px; }
.tone-pass { color: var(--pass); } .tone-fail { color: var(--fail); } .tone-warn { color: var(--warn); } .tone-observed { color: var(--observed); }
.tone-untested { color: var(--untested); } .tone-inconclusive { color: var(--inconclusive); } .tone-error { color: var(--error); } .tone-missing { color: var(--missing); }

.maker { display: flex; flex-wrap: wrap; gap: 8px; align-items: baseline; font-weight: 600; margin-bottom: 16px; }
#theme { margin-left: auto; font-weight: 400; }
.answer { display: flex; gap: 18px; align-items: center; background: var(--card); border: 1px solid var(--line); border-left: 6px solid currentColor; border-radius: 10px; padding: 20px 24px; }
.answer h1, .answer p { color: var(--ink); }
.answer .exit { margin-left: auto; font-size: 13px; color: var(--muted); text-align: right; max-width: 220px; }
.answer p { margin-top: 4px; }
.mark { flex: none; width: 44px; height: 44px; border: 2.5px solid currentColor; border-radius: 50%; display: grid; place-items: center; font-size: 24px; font-weight: 700; }
.facts { display: flex; flex-wrap: wrap; gap: 6px 28px; margin: 14px 2px 0; font-size: 13px; }
.facts div { display: flex; gap: 6px; }
.facts dt { color: var(--muted); } .facts dd { margin: 0; }
.cards { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 16px; margin-top: 20px; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: 10px; padding: 16px 18px; display: flex; flex-direction: column; gap: 8px; font-size: 14px; }
.card h2 { margin: 0; font-size: 13px; font-weight: 600; color: var(--muted); }
.big { font-size: 22px; font-weight: 650; line-height: 1.25; }
.big .quiet { font-size: 14px; }
.alarm { border-left: 4px solid var(--inconclusive); background: var(--sunk); padding: 8px 12px; border-radius: 4px; }
ul.plain { list-style: none; padding: 0; display: grid; gap: 8px; }
ul.plain .quiet { display: block; font-size: 13px; }

.tools { display: flex; flex-wrap: wrap; gap: 10px 14px; align-items: center; position: sticky; top: 0; z-index: 2; background: var(--paper); padding: 10px 0; border-bottom: 1px solid var(--line); font-size: 14px; }
.tools label { display: flex; align-items: center; gap: 6px; color: var(--muted); }
.chips, .buttons { display: flex; flex-wrap: wrap; gap: 6px; }
button, select, input { font: inherit; font-size: 14px; color: var(--ink); background: var(--card); border: 1px solid var(--line); border-radius: 6px; padding: 4px 10px; }
input[type="search"] { width: 220px; }
input[type="checkbox"] { padding: 0; }
button { cursor: pointer; }
button:hover:not(:disabled) { border-color: var(--muted); }
button:disabled { color: var(--muted); cursor: default; }
.chip { border-radius: 999px; }
.chip.tone-pass { color: var(--pass); } .chip.tone-fail, .chip.tone-error { color: var(--fail); } .chip.tone-warn { color: var(--warn); } .chip.tone-observed { color: var(--observed); } .chip.tone-inconclusive { color: var(--inconclusive); } .chip.tone-untested { color: var(--untested); }
.chip[aria-pressed="true"] { border-color: currentColor; }
.chip[aria-pressed="false"] { text-decoration: line-through; color: var(--muted); background: transparent; border-style: dashed; }
#shown { margin-left: auto; }

.rule { background: var(--card); border: 1px solid var(--line); border-radius: 8px; margin-top: 6px; scroll-margin-top: 104px; }
.rule[open] { margin: 12px 0; }
summary { cursor: pointer; }
.rule > summary { display: grid; grid-template-columns: 118px auto 1fr auto; gap: 12px; align-items: baseline; padding: 7px 14px; list-style: none; border-radius: 8px; }
.rule > summary::-webkit-details-marker { display: none; }
.rule > summary:hover { background: var(--sunk); }
.rule[open] > summary { border-bottom: 1px solid var(--line); border-radius: 8px 8px 0 0; }
.verdict { font-weight: 600; font-size: 13px; white-space: nowrap; }
.verdict > span { display: inline-block; width: 1.1em; text-align: center; }
.verdict.waived { text-decoration: underline dotted; white-space: normal; }
.name { font-weight: 600; }
.says { color: var(--muted); font-size: 14px; }
.rule:not([open]) .says { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.tag { font-size: 12px; color: var(--muted); border: 1px solid var(--line); border-radius: 999px; padding: 0 8px; white-space: nowrap; }
.body { padding: 14px 16px 16px; display: grid; gap: 12px; grid-template-columns: minmax(0, 1fr); }
.where { font-weight: 600; }
.pairs { display: grid; gap: 6px; }
.pairs div { display: grid; grid-template-columns: 200px minmax(0, 1fr); gap: 12px; }
.body .pairs div { grid-template-columns: 64px minmax(0, 1fr); }
.pairs dt { color: var(--muted); } .pairs dd { margin: 0; }

table { border-collapse: collapse; width: 100%; font-size: 14px; }
table.small { width: auto; min-width: 50%; }
caption { text-align: left; padding-bottom: 4px; }
th { text-align: left; font-weight: 600; font-size: 13px; color: var(--muted); }
th, td { padding: 5px 12px 5px 0; border-bottom: 1px solid var(--line); vertical-align: top; }
tbody th { color: var(--ink); font-weight: 400; }
.reasons td { width: 46%; overflow-wrap: anywhere; } .reasons td:last-child, .reasons th:last-child { width: 1%; white-space: nowrap; }
.wide td, .wide th { white-space: nowrap; } .wide td.long { white-space: normal; width: 60%; overflow-wrap: anywhere; } td code { overflow-wrap: anywhere; } .came { color: var(--fail); }
.clauses td:first-child { width: 18%; } .clauses td:last-child { width: 38%; }
.wide { max-height: 560px; overflow: auto; border: 1px solid var(--line); border-radius: 6px; padding: 4px 12px; margin: 8px 0; }

.wire { border: 1px solid var(--line); border-radius: 8px; padding: 10px 14px 14px; }
.wire .line { display: flex; flex-wrap: wrap; gap: 4px 10px; align-items: baseline; }
.status { font-weight: 600; font-size: 13px; }
.s2 { color: var(--pass); } .s4 { color: var(--warn); } .s5, .s0 { color: var(--fail); } .s1, .s3 { color: var(--observed); }
.bar rect { fill: var(--line); } .bar rect.wait { fill: var(--observed); }
.share { width: 100%; height: 8px; border-radius: 4px; display: block; }
.fill-pass { fill: var(--pass); } .fill-fail, .fill-error { fill: var(--fail); } .fill-warn { fill: var(--warn); } .fill-observed { fill: var(--observed); } .fill-untested { fill: var(--untested); } .fill-inconclusive { fill: var(--inconclusive); }
.sides { display: grid; grid-template-columns: repeat(2, minmax(0, 1fr)); gap: 14px; }
pre { margin: 0; padding: 10px 12px; background: var(--sunk); border-radius: 6px; white-space: pre-wrap; overflow: auto; max-height: 340px; font-size: 12.5px; line-height: 1.45; }
pre.curl { max-height: 160px; }
.notes { font-size: 13px; color: var(--muted); padding-left: 18px; }
.copy { margin-top: 6px; }
details.asked, section > details, .found > details { margin-top: 8px; }
.measurement > * + * { margin-top: 10px; }
.figures { display: grid; grid-template-columns: repeat(auto-fill, minmax(190px, 1fr)); gap: 8px; }
.figures div { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 8px 12px; display: flex; flex-direction: column; }
.figures dt { font-size: 12px; color: var(--muted); } .figures dd { margin: auto 0 0; font-weight: 600; }
.picture { margin: 12px 0; } .picture figcaption { font-size: 14px; margin: 4px 0; }
.limit { width: 100%; height: auto; background: var(--card); border: 1px solid var(--line); border-radius: 8px; }
.limit .grid { stroke: var(--line); } .limit .tick { fill: var(--muted); font-size: 11px; }
.limit .admitted { fill: none; stroke: var(--pass); stroke-width: 2; } .limit .model { fill: none; stroke: var(--observed); stroke-width: 2; stroke-dasharray: 6 4; }
.limit .refused { fill: none; stroke: var(--fail); stroke-width: 1.5; }
.chart { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 10px 6px; min-height: 260px; }
.u-legend { font-size: 13px; } .u-legend th, .u-legend td { border: 0; padding: 0 4px; color: var(--ink); }

#drawer { width: min(1000px, 94vw); max-height: 90vh; border: 1px solid var(--line); border-radius: 12px; background: var(--card); color: var(--ink); padding: 18px 20px; }
#drawer::backdrop { background: rgb(0 0 0 / 45%); }
.bar-of-drawer { display: flex; justify-content: space-between; align-items: center; margin-bottom: 10px; }
.bar-of-drawer h2 { margin: 0; }

@media (max-width: 820px) {
  .cards, .sides { grid-template-columns: minmax(0, 1fr); }
  .rule > summary { grid-template-columns: minmax(0, 1fr) auto; gap: 2px 10px; }
  .rule > summary .says { grid-column: 1 / -1; }
  .pairs div { grid-template-columns: minmax(0, 1fr); gap: 0; }
  .tools { position: static; } #shown { margin-left: 0; }
  h1 { font-size: 22px; } .answer { flex-wrap: wrap; padding: 16px; gap: 8px 14px; } .answer > div { flex: 1 1 180px; } .answer .exit { margin-left: 0; text-align: left; max-width: none; }
}
@media print {
  :root { color-scheme: light; }
  body { background: #fff; font-size: 13px; }
  main { max-width: none; padding: 0; }
  .tools, #theme, .copy, .screen, .skip, .asked, .rule:not([open]) > .body { display: none !important; }
  .rule, .wire, .card, .answer { break-inside: avoid; }
  .rule[open] { break-inside: auto; }
  pre { max-height: none; }
  a { color: inherit; text-decoration: none; }
}
`;
