/** From an actor of the profile and what the service shows of it: the schema, a valid input, single-fault mutants. */
import type { Json } from '../model/json.ts';
import type { Actor } from '../model/subject.ts';
import type { ProfileActor } from '../profile/profile.ts';

export type ActorInputs = Pick<Actor, 'schema' | 'schemaAt' | 'mutants' | 'input'>;

export async function inputsFor(actor: ProfileActor, answer: Json | undefined): Promise<ActorInputs> {
  return { mutants: [], ...(actor.input === undefined ? {} : { input: actor.input }) };
}
