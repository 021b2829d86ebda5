/** `touchstone explain`: a rule, for whoever met it in a report. */

import { wrap } from '../../../reports/text.ts';
import { catalogue } from '../../../suites/index.ts';
import { type ClientRule, isClientObservation } from '../../model/client.ts';
import { isObservation, isSweep, type Rule } from '../../model/rule.ts';
import { clientCatalogue, near } from '../catalogue.ts';
import { UsageError } from '../errors.ts';
import { out, terminal } from '../output.ts';
import { readProofs } from '../proofs.ts';

const meaning = {
  required: 'Required: a service that breaks it does not conform.',
  expected: 'Expected: a service that breaks it gets a warning, and a violation under --strict.',
  observed: 'Observed: the specification leaves it open. The run records it; it can fail nobody.',
} as const;

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
function clientPageOf(rule: ClientRule, faults: readonly string[] | undefined, width: number): string[] {
  const { clause, situations } = rule;
  const titles = clientCatalogue.situations.filter(({ name }) => situations?.includes(name)).map(({ title }) => title);
  const observed = isClientObservation(rule);
  return [
    rule.id,
    ...part(`The clause (${clause.section})`, clause.says, width),
    ...part('Level', meaning[clause.level].replaceAll('service', 'client'), width),
    ...part(
      'What it looks at',
      titles.length === 0
        ? 'Every start of the client, whatever response it gets.'
        : `What the client does about: ${titles.join('; ')}.`,
      width,
    ),
    ...part(
      'Under `touchstone between`',
      typeof rule.passing === 'string' ? `Untested: ${rule.passing}.` : 'Judged by the calls that pass.',
      width,
    ),
    ...(rule.fix === '' ? [] : part('How to fix it', rule.fix, width)),
    ...(observed ? [] : part('Proven by', faults?.join(', ') ?? 'no known fault', width)),
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
    ...part('Level', meaning[clause.level], width),
    ...part('What it asks', asked(rule), width),
    ...(isObservation(rule) ? [] : part('What a failure means', failureMeans(rule), width)),
    ...(rule.fix === '' ? [] : part('How to fix it', rule.fix, width)),
    ...(isObservation(rule) ? [] : part('Proven by', faults?.join(', ') ?? 'no fault in the matrix', width)),
  ];
}

function asked(rule: Rule): string {
  const sentences = [
    rule.actor === undefined
      ? 'It asks no actor of the profile.'
      : `It asks the profile's actors of the role \`${rule.actor}\`.`,
    rule.cases === undefined ? '' : 'It has several cases, and asks each of them.',
    rule.twin === undefined ? '' : `Its twin (${rule.twin.name}) must succeed, or the rule proves nothing.`,
    isSweep(rule) ? 'It also judges every matching answer of the whole run.' : '',
    rule.alone ? 'It is asked while nothing else runs.' : '',
    rule.needs.length === 0 ? '' : `The profile must offer: ${rule.needs.join(', ')}; otherwise it is untested.`,
    rule.without === undefined || rule.without.length === 0 ? '' : `It does not vary: ${rule.without.join(', ')}.`,
  ];
  return sentences.filter((each) => each !== '').join(' ');
}

const failureMeans = ({ clause: { level } }: Rule): string =>
  level === 'required'
    ? 'In at least one context an answer was not what the clause demands. `where` in the report is the smallest description of the contexts that fail; without it, all of them do.'
    : 'In at least one context an answer was not what the standards or plain safety ask for. The specification itself does not say it.';
