/** Pages of errors, each with its permanent address, and of the specification's clauses. */

import { type Mistake, mistakes } from '../../../src/mistakes.ts';
import type { Clause } from '../../../src/model/clause.ts';
import { errorPage } from '../../../src/model/documentation.ts';
import { exitCodes } from '../../../src/model/run.ts';
import { clauses } from '../../../suites/clauses/index.ts';
import { clientRules } from '../../../suites/client/index.ts';
import { catalogue } from '../../../suites/index.ts';
import { plain } from '../pages.ts';
import { anchorOf, prose } from './rule-pages.ts';

const all = Object.entries<Mistake>(mistakes);

export const errorPages = (): [string, string][] => [
  [
    'errors/index.md',
    [
      '# Errors',
      '',
      'Each message ends with its code in brackets. Codes and the addresses of their pages are stable. What a *service* does wrong is not an error',
      'of this kind but a finding: see [Rules](../rules/index.md).',
      '',
      '| code | meaning |',
      '| --- | --- |',
      ...all.map(([code, { says }]) => `| [\`${code}\`](./${code}.md) | ${prose(says)} |`),
      '',
    ].join('\n'),
  ],
  ...all.map(([code, { says, next, exit }]): [string, string] => [
    `${errorPage(code)}.md`,
    [
      `# \`${code}\``,
      '',
      prose(says),
      '',
      '## Next step',
      '',
      prose(next),
      '',
      `Exit code ${exitCodes[exit]}: see [Exit codes](../verdicts.md#exit-codes).`,
      '',
    ].join('\n'),
  ]),
];

const rulesFor = ({ id }: Clause): string => {
  const own = [...catalogue, ...clientRules].filter(({ clause }) => clause.id === id);
  return own.map((rule) => `[\`${rule.id}\`](./rules/${rule.id}.md)`).join(', ');
};

function clauseLines(clause: Clause): string[] {
  const rules = rulesFor(clause);
  const asked = rules === '' ? '' : ` Rules: ${rules}.`;
  const untestable = clause.untestable === undefined ? '' : ` Not testable from outside: ${prose(clause.untestable)}.`;
  return [
    `### ${clause.id} {#${anchorOf(clause)}}`,
    '',
    prose(clause.says),
    '',
    `**${clause.level}**.${asked}${untestable}`,
    '',
  ];
}

/** By the sections of the specification; its opening before them, the standards after them. */
const numberOf = ({ section }: Clause): number =>
  section === 'opening' ? 0 : Number(/^§(\d+)/.exec(section)?.[1] ?? 1000);

export function specificationPage(): string {
  const used = [...Object.values<Clause>(clauses), ...clientRules.map(({ clause }) => clause)];
  const unique = [...new Map(used.map((clause) => [clause.id, clause])).values()];
  const inOrder = unique.toSorted((a, b) => numberOf(a) - numberOf(b));
  const sections = Map.groupBy(inOrder, ({ section }) => section);
  return [
    '---',
    'outline: 2',
    '---',
    '# The specification, clause by clause',
    '',
    'What Touchstone judges by, in its own words. A *required* clause stands in the specification. An *expected* one stands in the standards',
    'that it builds on. An *observed* one is left open: no service can fail it.',
    '',
    ...[...sections].flatMap(([section, own]) => [`## ${plain(section)}`, '', ...own.flatMap(clauseLines)]),
  ].join('\n');
}
