/** Which actors the probing of limits runs beside its usual one. */
import type { RouteName, RunOf } from '../limits/survey/call.ts';
import { mayRun } from '../model/access.ts';
import { type Actor, type Key, otherActors, type Subject } from '../model/subject.ts';

/** More would use up what addresses have. */
const mostActors = 6;

/** Beside the one that is usually run, those that the first key may run too; the last that simply works comes first. */
export function furtherActors(subject: Subject): Actor[] {
  const [usual, ...clean] = subject.actors.clean;
  const key = subject.keys.find(({ kind, role }) => kind !== 'issued' && role === 'entitled');
  const { restricted, crashing } = subject.actors;
  const isOpen = (actor: Actor): boolean =>
    !crashing.includes(actor) && (!restricted.includes(actor) || mayBeRun(actor, key));
  const others = otherActors(subject).filter((actor) => actor.input !== undefined && isOpen(actor));
  return [...clean.toReversed(), ...others].filter(({ name }) => name !== usual?.name).slice(0, mostActors);
}

function mayBeRun({ needs, entitledKey }: Actor, key: Key | undefined): boolean {
  return needs === undefined || key === undefined ? entitledKey === key : mayRun(needs, key) === true;
}

const ofTheActor = 'a run of the actor ';
export const routeOf = ({ name }: Actor): RunOf => `${ofTheActor}${name}`;
export const isRunOf = (route: RouteName): route is RunOf => route.startsWith(ofTheActor);
