/** The pages that are made from what the program itself is made of. Pure. */

import { type Mistake, mistakes } from '../../src/mistakes.ts';
import type { ClientRule } from '../../src/model/client.ts';
import { areaOf, areas, type Rule } from '../../src/model/rule.ts';
import { exitCodes } from '../../src/model/run.ts';

export const made = (update: string): string =>
  `<!-- Made from the source by \`${update}\`; a test keeps it current. Do not edit it by hand. -->`;

export const update = 'UPDATE_DOCS=1 npx vitest run docs';

/** GitHub, GitLab and editors alike take these for text, whatever is in it. */
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
    'Each message ends with its code in brackets. Codes are stable, so scripts may rely on them. What a *service* does wrong is not an error',
    'of this kind but a finding; [rules.md](rules.md) explains it.',
    '',
    ...rows,
  ].join('\n');
}

const mostProofs = 6;

function proofOf(rule: Rule | ClientRule, proofs: ReadonlyMap<string, readonly string[]>): string {
  if ('observe' in rule) return 'It only records a fact and can fail nobody, so there is nothing to prove.';
  const faults = proofs.get(rule.id) ?? [];
  const what = rule.id.startsWith('client.') ? 'client' : 'service';
  if (faults.length === 0) return `No faulty ${what} is known that it catches.`;
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
    `${rules.length} rules: ${count('required')} required, ${count('expected')} expected, ${count('observed')} observed.`,
    'On the command line, `touchstone explain <rule>` says the same about one rule.',
    '',
    ...parts,
    '## client',
    '',
    `${ofClients.length} rules more, for programs that call the service (\`touchstone client\`, [clients.md](clients.md)):`,
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
    ...(needs.length === 0 ? [] : [`- **The profile must offer:** ${needs.join(', ')}`]),
    ...(fix === '' ? [] : [`- **Fix:** ${plain(fix)}`]),
    `- **Proof:** ${plain(proofOf(rule, proofs))}`,
    '',
  ];
}
