/** `touchstone explain`: a rule, for a reader who met it in a report. */

import { wrap } from '../../../reports/text.ts';
import { catalogue } from '../../../suites/index.ts';
import { type ClientRule, isClientObservation } from '../../model/client.ts';
import { ruleAddress } from '../../model/documentation.ts';
import { isObservation, type Rule } from '../../model/rule.ts';
import { failureMeans, lookedAtBy, meaningOf, questionOf } from '../../model/rule-words.ts';
import { clientCatalogue, near } from '../catalogue.ts';
import { documentationBase } from '../documentation.ts';
import { UsageError } from '../errors.ts';
import { out, terminal } from '../output.ts';
import { readProofs } from '../proofs.ts';

export function explain(id: string): void {
  const width = Math.max(60, Math.min(terminal.width ?? 100, 120));
  const ofClient = clientCatalogue.rules.find((each) => each.id === id);
  if (ofClient !== undefined) {
    out(clientPageOf(ofClient, readProofs()?.get(id), width).join('\n'));
    return;
  }
  const rule = catalogue.find((each) => each.id === id);
  if (rule === undefined) throw new UsageError(`there is no rule \`${id}\`${near(id)}`, 'unknown-rule');
  out(pageOf(rule, readProofs()?.get(id), width).join('\n'));
}

/** A rule of clients asks nothing: it looks at what a client did in situations. */
const more = (id: string, width: number): string[] => {
  const address = ruleAddress(id, documentationBase());
  return address === undefined ? [] : part('Read more', address, width);
};

function clientPageOf(rule: ClientRule, faults: readonly string[] | undefined, width: number): string[] {
  const { clause } = rule;
  const observed = isClientObservation(rule);
  return [
    rule.id,
    ...part(`The clause (${clause.section})`, clause.says, width),
    ...part('Level', meaningOf[clause.level].replaceAll('service', 'client'), width),
    ...part('What it looks at', lookedAtBy(rule, clientCatalogue.situations), width),
    ...part(
      'Under `touchstone between`',
      typeof rule.passing === 'string' ? `Untested: ${rule.passing}.` : 'Judged by the calls that pass.',
      width,
    ),
    ...(rule.fix === '' ? [] : part('How to fix it', rule.fix, width)),
    ...(observed ? [] : part('Proven by', faults?.join(', ') ?? 'no known fault', width)),
    ...more(rule.id, width),
  ];
}

const part = (title: string, text: string, width: number): string[] => [
  '',
  `${title}:`,
  ...wrap(text, width - 2).map((line) => `  ${line}`),
];

export function pageOf(rule: Rule, faults: readonly string[] | undefined, width: number): string[] {
  const { clause } = rule;
  return [
    rule.id,
    ...part(`The clause (${clause.section})`, clause.says, width),
    ...part('Level', meaningOf[clause.level], width),
    ...part('What it asks', questionOf(rule), width),
    ...(isObservation(rule) ? [] : part('What a failure means', failureMeans(rule), width)),
    ...(rule.fix === '' ? [] : part('How to fix it', rule.fix, width)),
    ...(isObservation(rule) ? [] : part('Proven by', faults?.join(', ') ?? 'no fault in the matrix', width)),
    ...more(rule.id, width),
  ];
}
