/** From an actor of the profile and what the service shows of it: the schema, a valid input, single-fault mutants. */
import type { Json } from '../model/json.ts';
import { withDoubles } from '../model/json-text.ts';
import type { Actor } from '../model/subject.ts';
import { findSchema, mutantsOf, validInputs } from '../profile/inputs/index.ts';
import type { ProfileActor } from '../profile/profile.ts';

export type ActorInputs = Pick<Actor, 'schema' | 'schemaAt' | 'mutants' | 'input'>;

export function inputsFor(actor: ProfileActor, answer: Json | undefined): ActorInputs {
  const found =
    actor.schema !== undefined
      ? { schema: actor.schema, at: 'profile' }
      : answer === undefined
        ? undefined
        : findSchema(withDoubles(answer), actor.schemaAt);
  const own = actor.input === undefined ? {} : { input: actor.input };
  if (found === undefined) return { mutants: [], ...own };
  const valid = validInputs(found.schema, actor.input);
  // What the profile says works is sent as it stands. Faults are made only from an input that the schema allows.
  const input = actor.input ?? valid;
  const mutated = valid !== undefined && JSON.stringify(valid) === JSON.stringify(input);
  return {
    schema: found.schema,
    schemaAt: found.at,
    mutants: mutated ? mutantsOf(found.schema, valid) : [],
    ...(input === undefined ? {} : { input }),
  };
}
