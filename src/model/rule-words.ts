/** What a rule is, in sentences for a reader who met it in a report: `touchstone explain` and the documentation say the same. */
import type { ClientRule, Situation } from './client.ts';
import { describeDeviation, deviations } from './client-context.ts';
import { isSweep, type Rule } from './rule.ts';

export const meaningOf = {
  required: 'Required: a service that breaks it does not conform.',
  expected: 'Expected: a service that breaks it gets a warning, and a violation under --strict.',
  observed: 'Observed: the specification leaves it open. The run records it; it can fail nobody.',
} as const;

export function questionOf(rule: Rule): string {
  const sentences = [
    rule.actor === undefined
      ? 'Does the service keep the clause in every context of the run? No actor of the profile is needed.'
      : `Does the service keep the clause in every context of the run? It calls the profile's actors of the role \`${rule.actor}\`.`,
    rule.cases === undefined ? '' : 'It has several cases, and asks each of them.',
    rule.twin === undefined ? '' : `Its twin (${rule.twin.name}) must succeed, or the rule proves nothing.`,
    isSweep(rule) ? 'It also judges every matching answer of the whole run.' : '',
    rule.alone ? 'It is asked while nothing else runs.' : '',
    rule.needs.length === 0 ? '' : `The profile must offer: ${rule.needs.join(', ')}; otherwise it is untested.`,
    rule.without === undefined || rule.without.length === 0 ? '' : `It does not vary: ${rule.without.join(', ')}.`,
  ];
  return sentences.filter((each) => each !== '').join(' ');
}

export const failureMeans = ({ clause: { level } }: Rule): string =>
  level === 'required'
    ? 'In at least one context an answer was not what the clause demands. `where` in the report is the smallest description of the contexts that fail; without it, all of them do.'
    : 'In at least one context an answer was not what the standards or plain safety ask for. The specification itself does not say it.';

/** A rule of clients asks nothing: it looks at what a client did in situations. */
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
