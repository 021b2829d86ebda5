/** For programs: everything that the console says, and the exchanges that reasons rest on. `schema/run-report.json` describes it. */
import type { Body, Exchange, Run } from '../src/vocabulary.ts';
import { countsOf, summaryOf } from './summary.ts';
import { calmJson, cut } from './text.ts';

/** Raised when a member changes its meaning or goes away; new members don't raise it. */
export const reportVersion = 1;

/** Longer bodies are cut: the run file has them whole. */
const bodyKept = 16_384;

export function jsonReport(run: Run): string {
  return `${calmJson(JSON.stringify(reportOf(run), undefined, 2))}\n`;
}

export function reportOf(run: Run): object {
  const { header, footer } = run;
  const summary = summaryOf(run);
  const { type: _, version: __, planned, rules, ...head } = header;
  return {
    format: 'touchstone-run-report',
    version: reportVersion,
    ...head,
    ruleSet: rules,
    ...(footer === undefined ? {} : { ended: footer.ended, tookMs: footer.tookMs }),
    outcome: summary.outcome,
    conforms: summary.outcome === 'conforms',
    complete: summary.complete,
    exitCode: summary.exitCode,
    says: `${summary.headline}. ${summary.because}`,
    counts: summary.counts,
    missing: summary.missing,
    interrupted: footer?.interrupted ?? false,
    unreachable: footer?.unreachable ?? null,
    areas: summary.areas.map(({ area, rows }) => ({
      area,
      planned: rows.length,
      counts: countsOf(rows.flatMap(({ finding }) => finding ?? [])),
    })),
    rules: summary.areas.flatMap(({ area, rows }) =>
      rows.map(({ planned: { rule, level, clause, fix, untested }, finding }) => ({
        rule,
        area,
        level,
        clause,
        fix,
        ...(untested?.add === undefined ? {} : { add: untested.add }),
        ...(finding === undefined ? { verdict: null } : { ...finding, rule }),
      })),
    ),
    limits: run.limits,
    exchanges: shownExchanges(run),
    ...(run.measurements === undefined ? {} : { measurements: run.measurements }),
    waits: footer?.waits ?? [],
    leftBehind: footer?.leftBehind ?? [],
    waivers: footer?.waivers ?? [],
    remarks: footer?.remarks ?? [],
    exchangeCount: run.exchanges.size,
    plannedCount: planned.length,
  };
}

/** Those that a finding names, by their numbers. */
function shownExchanges({ findings, exchanges }: Run): Record<string, object> {
  const ids = new Set(
    findings
      .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'observed')
      .flatMap((finding) => [...finding.exchanges, ...finding.reasons.flatMap(({ exchange }) => exchange ?? [])]),
  );
  return Object.fromEntries(
    [...ids]
      .sort((a, b) => a - b)
      .flatMap((id) => {
        const exchange = exchanges.get(id);
        return exchange === undefined ? [] : [[String(id), shown(exchange)]];
      }),
  );
}

const shown = ({ request, response, ...rest }: Exchange): object => ({
  ...rest,
  request: { ...request, ...(request.body === undefined ? {} : { body: shortened(request.body) }) },
  ...(response === undefined ? {} : { response: { ...response, body: shortened(response.body) } }),
});

const shortened = (body: Body): object => {
  const { text, base64 } = body;
  if ((text ?? base64 ?? '').length <= bodyKept) return body;
  return {
    ...body,
    ...(text === undefined ? {} : { text: cut(text, bodyKept) }),
    ...(base64 === undefined ? {} : { base64: base64.slice(0, bodyKept) }),
    shortened: true,
  };
};
