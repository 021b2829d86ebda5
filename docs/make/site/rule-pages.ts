/** A page for each rule, under an address that stays: clause, question, fix, and the faults that prove it. */

import type { Clause } from '../../../src/model/clause.ts';
import { type ClientRule, isClientObservation } from '../../../src/model/client.ts';
import { rulePage } from '../../../src/model/documentation.ts';
import { areaOf, areas, isObservation, type Rule } from '../../../src/model/rule.ts';
import { failureMeans, lookedAtBy, meaningOf, questionOf } from '../../../src/model/rule-words.ts';
import { clientRules, situations } from '../../../suites/client/index.ts';
import { catalogue } from '../../../suites/index.ts';
import { plain } from '../pages.ts';

export type Proofs = ReadonlyMap<string, readonly string[]>;

export const isOfClients = (rule: Rule | ClientRule): rule is ClientRule => rule.id.startsWith('client.');

/** Code stays code, everything else is plain text. */
export const prose = (text: string): string =>
  text
    .split(/(`[^`]+`)/)
    .map((part, at) => (at % 2 === 1 ? part : plain(part)))
    .join('');

const words = (name: string): string => name.replaceAll('-', ' ');

function proofLines(rule: Rule | ClientRule, proofs: Proofs): string[] {
  const [who, what] = isOfClients(rule) ? ['client', 'clients'] : ['service', 'services'];
  const observed = isOfClients(rule) ? isClientObservation(rule) : isObservation(rule);
  if (observed) return ['This rule only records a fact. It can fail nobody, so there is nothing to prove.'];
  const faults = proofs.get(rule.id) ?? [];
  if (faults.length === 0) return [`No faulty ${who} is known that this rule catches.`];
  return [
    `\`npm run prove\` shows that this rule catches these deliberately faulty ${what}, each named after what it does:`,
    '',
    ...faults.map((name) => `- ${words(name)}`),
  ];
}

export function ruleText(rule: Rule | ClientRule, proofs: Proofs): string {
  const { id, clause, fix } = rule;
  const ofClients = isOfClients(rule);
  const question = ofClients ? lookedAtBy(rule, situations) : questionOf(rule);
  const meaning = meaningOf[clause.level];
  return [
    '---',
    `title: ${JSON.stringify(id)}`,
    `description: ${JSON.stringify(clause.says)}`,
    '---',
    `# \`${id}\``,
    '',
    `${prose(clause.says)} {.clause}`,
    '',
    `[${plain(clause.section)}](../specification.md#${anchorOf(clause)}) · **${clause.level}**`,
    '',
    '## What it asks',
    '',
    prose(question),
    '',
    '## What its verdict means',
    '',
    prose(ofClients ? meaning.replaceAll('service', 'client') : meaning),
    '',
    ...(ofClients || isObservation(rule) ? [] : [prose(failureMeans(rule)), '']),
    ...(fix === '' ? [] : ['## How to fix it', '', prose(fix), '']),
    '## What proves it',
    '',
    ...proofLines(rule, proofs),
    '',
    '## On the command line',
    '',
    '```sh',
    ofClients ? `touchstone explain ${id}` : `touchstone check --only ${id}\ntouchstone explain ${id}`,
    '```',
    '',
  ].join('\n');
}

/** Clauses stand on one page, which anchors each. */
export const anchorOf = ({ id }: Clause): string => id.toLowerCase();

const row = ({ id, clause }: Rule | ClientRule): string =>
  `| [\`${id}\`](./${id}.md) | ${clause.level} | ${prose(clause.says)} |`;

const table = (rules: readonly (Rule | ClientRule)[]): string[] => [
  '| rule | level | clause |',
  '| --- | --- | --- |',
  ...rules.map(row),
  '',
];

export const rulesOf = (area: string): readonly Rule[] => catalogue.filter(({ id }) => areaOf(id) === area);

export const rulesIndex = (): string =>
  [
    '# Rules',
    '',
    `${catalogue.length} rules for services and ${clientRules.length} for programs that call one. Each has a page of its own, whose address stays.`,
    '',
    ...areas.flatMap((area) => (rulesOf(area).length === 0 ? [] : [`## ${area}`, '', ...table(rulesOf(area))])),
    '## client',
    '',
    ...table(clientRules),
  ].join('\n');

export const rulePages = (proofs: Proofs): [string, string][] => [
  ['rules/index.md', rulesIndex()],
  ...[...catalogue, ...clientRules].map((rule): [string, string] => [
    `${rulePage(rule.id)}.md`,
    ruleText(rule, proofs),
  ]),
];
