/** A shell script that asks again what failed: one curl a rule, secrets from the environment. */
import type { Run } from '../src/vocabulary.ts';
import { again } from './again.ts';
import { summaryOf } from './summary.ts';
import { messageOf, proofOf } from './tell.ts';
import { inline } from './text.ts';
import { waiverOf } from './waiver.ts';

export function curlReport(run: Run): string {
  const summary = summaryOf(run);
  const rows = summary.areas.flatMap((area) => area.rows);
  const variables = new Map<string, string>();
  const parts = rows.flatMap(({ planned, finding }) => {
    if (finding === undefined || (finding.verdict !== 'fail' && finding.verdict !== 'warn')) return [];
    const [exchange] = proofOf(run, finding);
    const title = [`# ${finding.verdict} ${inline(planned.rule)}: ${inline(messageOf(finding), 600)}`];
    if (finding.waived !== undefined) title.push(`# ${inline(waiverOf(finding.waived), 600)}`);
    if (exchange === undefined) return [[...title, '# no exchange was recorded for it']];
    const { command, notes } = again(run.header, exchange, planned.rule);
    for (const note of notes) {
      const variable = /^(TOUCHSTONE_\w+) is /.exec(note)?.[1];
      if (variable !== undefined) variables.set(variable, note);
    }
    const others = notes.filter((note) => !/^TOUCHSTONE_\w+ is /.test(note));
    return [[...title, ...others.map((note) => `# ${inline(note, 400)}`), command, 'echo']];
  });
  const names = [...variables.keys()];
  const head = [
    '#!/usr/bin/env bash',
    `# ${summary.headline}. ${inline(summary.because, 400)}`,
    `# The failures at ${inline(run.header.target, 300)}, reproduced. Without failures, it sends nothing.`,
    ...[...variables.values()].map((note) => `# ${inline(note, 400)}`),
    'set -u',
    // A variable that is not set would be sent as an empty key, and prove something else.
    ...names.map((name) => `: "\${${name}:?is needed: see the head of this script}"`),
    ...(parts.length === 0 ? ['echo nothing failed'] : []),
  ];
  return `${[head, ...parts].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
