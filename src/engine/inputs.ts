/** From an actor of the profile and what the service shows of it: the schema, a valid input, single-fault mutants. */
import { fingerprintOf, type Json } from '../model/json.ts';
import type { Actor } from '../model/subject.ts';
import {
  admittedBy,
  findSchema,
  mutantsOf,
  searchSchema,
  validInputs,
  variantsOf,
  violationsOf,
  withTexts,
} from '../profile/inputs/index.ts';
import type { ProfileActor } from '../profile/profile.ts';
import type { Random } from '../random.ts';
import { sourcesOf } from './source-lists.ts';

export type ActorInputs = Pick<
  Actor,
  | 'schema'
  | 'schemaAt'
  | 'mutants'
  | 'admitted'
  | 'input'
  | 'variants'
  | 'texts'
  | 'manySources'
  | 'sourceLists'
  | 'schemaRefuses'
  | 'foreignSchemas'
>;

const severalVariants = 4;
/** Both bounds of each field of a large input, and what else can be wrong with it. */
const mostMutants = 240;

export function inputsFor(actor: ProfileActor, answer: Json | undefined, random: Random): ActorInputs {
  const found =
    actor.schema !== undefined
      ? { schema: actor.schema, at: 'profile' }
      : answer === undefined
        ? undefined
        : shownSchema(answer, actor);
  const own = actor.input === undefined ? {} : { input: actor.input };
  if (found === undefined)
    return {
      mutants: [],
      admitted: [],
      ...own,
      ...textsOf(actor.input, undefined),
      ...sourcesOf(actor.input, undefined),
    };
  const valid = validInputs(found.schema, actor.input);
  // What the profile says works is sent unchanged. Faults are made only from an input that the schema allows.
  const input = actor.input ?? valid;
  const mutated = valid !== undefined && JSON.stringify(valid) === JSON.stringify(input);
  return {
    schema: found.schema,
    schemaAt: found.at,
    ...refusalOf(found.schema, actor.input),
    mutants: mutated ? mutantsOf(found.schema, valid, mostMutants) : [],
    admitted: mutated ? admittedBy(found.schema, valid) : [],
    ...(input === undefined ? {} : { input, variants: variantsOf(found.schema, input, severalVariants, random) }),
    ...textsOf(input, found.schema),
    ...sourcesOf(input, found.schema),
  };
}

const shownSchema = (answer: Json, { input, schemaAt }: ProfileActor) =>
  findSchema(answer, schemaAt) ??
  (schemaAt === undefined
    ? searchSchema(answer, input, (schema) => violationsOf(schema, input!)?.length === 0)
    : undefined);

/** An input that the profile runs the actor with. */
function refusalOf(schema: Json, input: Json | undefined): Pick<Actor, 'schemaRefuses'> {
  const [first] = input === undefined ? [] : (violationsOf(schema, input) ?? []);
  return first === undefined ? {} : { schemaRefuses: first };
}

export interface Named {
  readonly name: string;
  readonly inputs: ActorInputs;
}

/** Which schemas of the others refuse the input of one. */
export const foreignTo = (
  { name, inputs: { input } }: Named,
  all: readonly Named[],
): NonNullable<Actor['foreignSchemas']> =>
  all.flatMap((other) => {
    const { schema, schemaAt } = other.inputs;
    if (other.name === name || input === undefined || schema === undefined || schemaAt === 'profile') return [];
    return (violationsOf(schema, input) ?? []).length > 0
      ? [{ of: other.name, fingerprint: fingerprintOf(schema) }]
      : [];
  });

const textsOf = (input: Json | undefined, schema: Json | undefined): Pick<Actor, 'texts'> =>
  input === undefined || !JSON.stringify(input).includes('{{nonce}}') ? {} : { texts: withTexts(schema, input) };
