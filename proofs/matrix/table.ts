/** The matrix as a page that a person can read. Pure. */
import { isObservation, type Rule } from '../../src/vocabulary.ts';
import { killed, proofsOf, type Result } from './result.ts';

export function tableOf(results: readonly Result[], rules: readonly Rule[]): string {
  const proofs = proofsOf(results);
  const faults = results.filter((each) => each.kind === 'fault');
  const lawful = results.filter((each) => each.kind === 'lawful');
  const lines = [
    '# The matrix',
    '',
    `${rules.length} rules, ${faults.length} faults, ${lawful.length} lawful runs.`,
    '',
    '## Rules, and the faults that prove them',
    '',
    '| rule | level | proven by |',
    '| --- | --- | --- |',
    ...rules
      .filter((rule) => !isObservation(rule))
      .map((rule) => `| ${rule.id} | ${rule.clause.level} | ${(proofs[rule.id] ?? ['—']).join(', ')} |`),
    '',
    '## Faults, and the rules that they kill',
    '',
    '| fault | found at | kills |',
    '| --- | --- | --- |',
    ...faults.map((each) => `| ${each.name} | ${each.depth} | ${killed(each).join(', ')} |`),
    '',
    '## Lawful variants: nobody minds',
    '',
    '| variant | exchanges | accused by |',
    '| --- | --- | --- |',
    ...lawful.map((each) => `| ${each.name} | ${each.exchanges} | ${killed(each).join(', ') || 'nobody'} |`),
    '',
  ];
  return lines.join('\n');
}
