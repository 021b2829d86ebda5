/** The pages that are made from what the program itself is made of. Pure. */

import { type Mistake, mistakes } from '../../src/mistakes.ts';
import { areaOf, areas, isObservation, type Rule } from '../../src/model/rule.ts';
import { exitCodes } from '../../src/model/run.ts';

export const made = (update: string): string =>
  `<!-- Made from the source by \`${update}\`; a test holds that it is current. Changes by hand are lost. -->`;

export const update = 'UPDATE_DOCS=1 npx vitest run docs';

/** GitHub, GitLab and editors alike take these for text, whatever stands in it. */
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
    '# What can go wrong at the keyboard',
    '',
    'Each message ends with the code of its mistake, in brackets. Codes are stable: scripts may rely on them. What a *service* does wrong',
    'is no error of this kind; it is a finding, and [rules.md](rules.md) explains it.',
    '',
    ...rows,
  ].join('\n');
}

const mostProofs = 6;

function proofOf(rule: Rule, proofs: ReadonlyMap<string, readonly string[]>): string {
  if (isObservation(rule)) return 'It records a fact and can fail nobody, so there is nothing to prove.';
  const faults = proofs.get(rule.id) ?? [];
  if (faults.length === 0) return 'No faulty service is known that it catches.';
  const shown = faults.slice(0, mostProofs).join(', ');
  const more = faults.length > mostProofs ? `, and ${faults.length - mostProofs} more` : '';
  return `Seen to catch these faulty services: ${shown}${more}.`;
}

export function rulesPage(rules: readonly Rule[], proofs: ReadonlyMap<string, readonly string[]>): string {
  const parts = areas.flatMap((area) => {
    const own = rules.filter((rule) => areaOf(rule.id) === area);
    return own.length === 0 ? [] : [`## ${area}`, '', ...own.flatMap((rule) => ruleLines(rule, proofs))];
  });
  const count = (level: string): number => rules.filter(({ clause }) => clause.level === level).length;
  return [
    made(update),
    '',
    '# The rules',
    '',
    `${rules.length} rules: ${count('required')} required, ${count('expected')} expected, ${count('observed')} observed.`,
    'On the command line, `touchstone explain <rule>` says the same about one.',
    '',
    ...parts,
  ].join('\n');
}

function ruleLines(rule: Rule, proofs: ReadonlyMap<string, readonly string[]>): string[] {
  const { clause, needs, mend } = rule;
  return [
    `### ${rule.id}`,
    '',
    `- **Clause** (${clause.level}, ${plain(clause.section)}): ${plain(clause.says)}`,
    ...(needs.length === 0 ? [] : [`- **Needs of the profile:** ${needs.join(', ')}`]),
    ...(mend === '' ? [] : [`- **Mending:** ${plain(mend)}`]),
    `- **Proof:** ${plain(proofOf(rule, proofs))}`,
    '',
  ];
}
