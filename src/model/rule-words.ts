/** What a rule is, in sentences for a reader of a report. `touchstone explain` and the documentation use the same ones. */
import type { ClientRule, Situation } from './client.ts';
import { describeDeviation, deviations } from './client-context.ts';
import { isSweep, type Rule } from './rule.ts';

export const meaningOf = {
  required: 'Required: a service that breaks it does not conform.',
  expected: 'Expected: a service that breaks it gets a warning, and a violation under --strict.',
  observed: 'Observed: the specification leaves it open. The run records it; it cannot fail a service.',
} as const;

export function questionOf(rule: Rule): string {
  const sentences = [
    rule.actor === undefined
      ? 'Does the clause hold in every context of the run? The rule needs no actor.'
      : `Does the clause hold in every context of the run? The rule calls the actors of the role \`${rule.actor}\`.`,
    rule.cases === undefined
      ? ''
      : rule.eachKey
        ? 'It asks several cases, with each kind of key.'
        : 'It asks several cases.',
    rule.twin === undefined ? '' : `It counts only if its twin succeeds: ${rule.twin.name}.`,
    isSweep(rule) ? 'It also judges every matching answer of the whole run.' : '',
    rule.alone ? 'Nothing else runs meanwhile.' : '',
    rule.needs.length === 0 ? '' : `It is untested if the profile lacks one of: ${rule.needs.join(', ')}.`,
    rule.without === undefined || rule.without.length === 0
      ? ''
      : `It is not repeated for each: ${rule.without.join(', ')}.`,
  ];
  return sentences.filter((each) => each !== '').join(' ');
}

export const failureMeans = ({ clause: { level } }: Rule): string =>
  level === 'required'
    ? 'In at least one context, an answer was not what the clause demands. `where` in the report names the contexts that fail; if it is missing, all of them fail.'
    : 'In at least one context, an answer was not what HTTP standards or plain safety demand. The specification itself does not say it.';

/** A rule of clients sends nothing: it judges what a client did in situations. */
export const lookedAtBy = (
  { situations }: ClientRule,
  all: readonly Pick<Situation, 'name' | 'title' | 'varies'>[],
): string => {
  const own = all.filter(({ name }) => situations?.includes(name));
  if (own.length === 0) return 'Every start of the client, whatever response it gets.';
  const contexts = deviations.filter((each) => own.some(({ varies }) => varies?.includes(each)));
  const also =
    contexts.length === 0 ? '' : ` From \`--depth standard\` on also: ${contexts.map(describeDeviation).join('; ')}.`;
  return `What the client does about: ${own.map(({ title }) => title).join('; ')}.${also}`;
};
