/** The pages that are made from the source. Pure. */

import { type Mistake, mistakes } from '../../src/mistakes.ts';
import type { ClientRule } from '../../src/model/client.ts';
import { areaOf, areas, type Rule } from '../../src/model/rule.ts';
import { exitCodes } from '../../src/model/run.ts';

export const made = (update: string): string =>
  `<!-- Made from the source by \`${update}\`; a test keeps it current. Do not edit it by hand. -->`;

export const update = 'UPDATE_DOCS=1 npx vitest run docs';

/** Escapes markup, so that GitHub, GitLab and editors show any text literally. */
export const plain = (text: string): string => text.replaceAll(/[\\<>[\]*_|]/g, (sign) => `\\${sign}`);

export function errorsPage(): string {
  const rows = Object.entries<Mistake>(mistakes).flatMap(([code, { says, next, exit }]) => [
    `## ${code}`,
    '',
    says,
    '',
    `Next: ${next}`,
    '',
    `Exit code ${exitCodes[exit]}.`,
    '',
  ]);
  return [
    made(update),
    '',
    '# Errors',
    '',
    'For everybody who met an error message of Touchstone. After this page you know what it means and what to do next.',
    '',
    'Each message ends with its code in brackets. Codes never change, so scripts may rely on them. A fault of your *service* is not an error but a',
    'finding; [rules.md](rules.md) explains those.',
    '',
    ...rows,
  ].join('\n');
}

const mostProofs = 6;

function proofOf(rule: Rule | ClientRule, proofs: ReadonlyMap<string, readonly string[]>): string {
  if ('observe' in rule) return 'It only records a fact and cannot fail a service, so there is nothing to prove.';
  const faults = proofs.get(rule.id) ?? [];
  const what = rule.id.startsWith('client.') ? 'client' : 'service';
  if (faults.length === 0) return `No faulty ${what} that it catches is known.`;
  const shown = faults.slice(0, mostProofs).join(', ');
  const more = faults.length > mostProofs ? `, and ${faults.length - mostProofs} more` : '';
  return `Catches these faulty ${what}s: ${shown}${more}.`;
}

export function rulesPage(
  rules: readonly Rule[],
  ofClients: readonly ClientRule[],
  proofs: ReadonlyMap<string, readonly string[]>,
): string {
  const parts = areas.flatMap((area) => {
    const own = rules.filter((rule) => areaOf(rule.id) === area);
    return own.length === 0 ? [] : [`## ${area}`, '', ...own.flatMap((rule) => ruleLines(rule, proofs))];
  });
  const count = (level: string, of: readonly (Rule | ClientRule)[] = rules): number =>
    of.filter(({ clause }) => clause.level === level).length;
  return [
    made(update),
    '',
    '# The rules',
    '',
    'For everybody who looks up a finding. After this page you know what each rule demands, how to fix a failure, and which faulty services it catches.',
    '',
    `There are ${rules.length} rules: ${count('required')} required, ${count('expected')} expected, ${count('observed')} observed.`,
    'On the command line, `touchstone explain <rule>` shows one of them.',
    '',
    ...parts,
    '## client',
    '',
    `${ofClients.length} more rules judge programs that call the service (\`touchstone client\`, [clients.md](clients.md)):`,
    `${count('required', ofClients)} required, ${count('expected', ofClients)} expected, ${count('observed', ofClients)} observed.`,
    '',
    ...ofClients.flatMap((rule) => ruleLines(rule, proofs)),
  ].join('\n');
}

function ruleLines(rule: Rule | ClientRule, proofs: ReadonlyMap<string, readonly string[]>): string[] {
  const { clause, fix } = rule;
  const needs = 'needs' in rule ? rule.needs : [];
  return [
    `### ${rule.id}`,
    '',
    `- **Clause** (${clause.level}, ${plain(clause.section)}): ${plain(clause.says)}`,
    ...(needs.length === 0 ? [] : [`- **Needs from the profile:** ${needs.join(', ')}`]),
    ...(fix === '' ? [] : [`- **Fix:** ${plain(fix)}`]),
    `- **Proof:** ${plain(proofOf(rule, proofs))}`,
    '',
  ];
}
