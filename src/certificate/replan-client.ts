/**
 * Pure: the starts of a client as its depth plans them, compared with those that were recorded: none dropped, none added, and each
 * answered as its situation is.
 */
import { type SeenTrial, type Situation, seenTrial, type Trial } from '../model/client.ts';
import type { Run } from '../model/run.ts';
import { planOf, situationsFor } from '../verdict/client-plan.ts';
import type { Knowledge } from './predicate.ts';

type Clients = NonNullable<Knowledge['clients']>;

export function whyOtherTrials(name: string, run: Run, { rules, situations }: Clients): string[] {
  const { header, trials = [], exchanges } = run;
  const due = planOf(situationsFor(rules, situations, header.depth), header.depth);
  const there = new Map(trials.map((trial) => [trial.number, trial]));
  const wrong = [
    ...(there.size === due.length && trials.length === due.length
      ? []
      : [`at depth ${header.depth} a client is started ${due.length} times, but the run has ${trials.length} starts`]),
    ...due.flatMap(({ number, situation, key, connection, deviations }) => {
      const trial = there.get(number);
      if (trial === undefined) return [`start ${number}, for ${situation.title}, is missing`];
      if (trial.situation !== situation.name || trial.key !== key || trial.connection !== connection)
        return [`start ${number} is not for ${situation.title}, with a ${key} key on a ${connection} connection`];
      if (`${trial.deviations}` !== `${deviations}`) return [`start ${number} is not in the expected context`];
      return whyOtherAnswers(situation, seenTrial(trial, exchanges));
    }),
    ...whyShared(trials),
    ...header.planned.flatMap((plan) => whyOtherContexts(plan, due, rules)),
  ];
  return wrong.map((says) => `${name}: ${says}`);
}

function whyOtherContexts(
  { rule, contexts, untested }: Run['header']['planned'][number],
  due: readonly { readonly situation: Situation }[],
  rules: Clients['rules'],
): string[] {
  const own = rules.find(({ id }) => id === rule)?.situations;
  const count = due.filter(({ situation }) => own === undefined || own.includes(situation.name)).length;
  return contexts === count && (untested === undefined) === count > 0
    ? []
    : [`${rule} looks at ${count} of them, but the header states ${contexts}`];
}

/** Each exchange is in one start. That it is there, reading the file has shown. */
function whyShared(trials: readonly Trial[]): string[] {
  const ids = trials.flatMap((trial) => [...trial.exchanges, ...trial.elsewhere]);
  return new Set(ids).size < ids.length ? ['one exchange belongs to two starts'] : [];
}

/** The script answers the first run by its first answer, and so on; the last stands for all that follow. */
function whyOtherAnswers({ title, items, answers }: Situation, trial: SeenTrial): string[] {
  const { planted, runs, broken, deviations } = trial;
  if (planted.items.length !== items) return [`start ${trial.number} has other items than those for ${title}`];
  const own = answers({ ...planted, elsewhere: '', inAnHour: '' });
  const script = deviations?.includes('repeated') ? [{ status: 429, body: '', breaks: undefined }, ...own] : own;
  const strange = runs.filter(
    ({ response }) => response !== undefined && !script.some(({ status }) => status === response.status),
  );
  const first = runs.find(({ response }) => response !== undefined)?.response?.status;
  const wanted = script.find(({ breaks }) => breaks === undefined || breaks === 'in-body')?.status;
  const isOther = broken === 0 && first !== undefined && script[0]?.breaks === undefined && first !== wanted;
  return strange.length > 0 || isOther ? [`start ${trial.number} was answered differently than for ${title}`] : [];
}
