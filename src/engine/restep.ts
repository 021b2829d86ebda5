/** Turns a context back into a step: for asking a failing rule again, and in plainer contexts. */
import type { Context } from '../model/context.ts';
import type { Subject } from '../model/subject.ts';
import type { StepInPlan } from './asker.ts';

/** The same question with other values of the context; undefined if the subject has no such key or actor. */
export function restep(
  step: StepInPlan,
  context: Context,
  subject: Subject,
  purpose: 'again' | 'narrow',
): StepInPlan | undefined {
  // What a case has chosen for itself is not the context's to change.
  if (step.case?.key !== undefined && context.key !== step.context.key) return undefined;
  if (step.case?.actor !== undefined && context.actor !== step.context.actor) return undefined;
  const role = step.rule.key ?? 'entitled';
  const key =
    context.key === step.context.key
      ? step.key
      : subject.keys.find((each) => each.role === role && each.kind === context.key);
  const actor =
    context.actor === step.context.actor || step.rule.actor === undefined
      ? step.actor
      : subject.actors[step.rule.actor].find((each) => each.name === context.actor);
  if ((step.key !== undefined && key === undefined) || (step.actor !== undefined && actor === undefined))
    return undefined;
  return {
    ...step,
    context,
    purpose,
    ...(key === undefined ? {} : { key }),
    ...(actor === undefined ? {} : { actor }),
  };
}
