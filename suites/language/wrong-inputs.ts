/** Inputs that are wrong in one field: a case for each single-fault change that the profile's schemas allow. */
import type { Actor, Case, Key, Mutant, Subject } from '../../src/vocabulary.ts';

export interface FieldCase extends Case {
  readonly actor: Actor;
  readonly key?: Key;
  readonly mutant: Mutant;
}

/** How a service says that an input is wrong. */
export const refusals = [400, 422];

/** Faults that break the schema elsewhere than in a missing field or a wrong type. */
export const otherFaults = [
  'nested-missing',
  'enum',
  'bound',
  'length',
  'pattern',
  'items',
  'const',
  'multipleOf',
  'additional',
  'dependent',
  'choice',
  'condition',
  'not',
  'members',
  'wrapped',
  'unlisted',
] as const;

const inWords: Readonly<Record<string, string>> = {
  missing: 'missing',
  'other-case': 'in another case',
  'other-name': 'behind a blank in its name',
  wrapped: 'inside a member `input`',
  lenient: 'that may be read for a valid one',
  'wrong-type': 'of a wrong type',
  'nested-missing': 'missing inside',
  enum: 'none of the values',
  bound: 'out of bounds',
  length: 'of a wrong length',
  pattern: 'against its pattern',
  items: 'with wrong items',
  const: 'another than the one value',
  multipleOf: 'no multiple',
  additional: 'not allowed',
  unlisted: 'not allowed there',
  dependent: 'missing beside another that demands it',
  choice: 'not exactly one of the alternatives',
  condition: 'without what another value demands',
  not: 'ruled out',
  members: 'with wrong members',
};

/** Actors whose input is known and whose schema was found, each once, with a key that may run it. */
export function validatingActors({ actors }: Subject): readonly { actor: Actor; key?: Key }[] {
  // Those that find nothing come first: an actor that stands elsewhere too is asked with what it finds something for.
  const all = [...actors.empty, ...actors.clean, ...actors.echo, ...actors.sources, ...actors.restricted];
  const known = all.filter(({ schema, input }) => schema !== undefined && input !== undefined);
  return [...Map.groupBy(known, ({ name }) => name).values()].map(fullest).flatMap((actor) => {
    if (!actors.restricted.includes(actor)) return [{ actor }];
    return actor.entitledKey === undefined ? [] : [{ actor, key: actor.entitledKey }];
  });
}

/** Of several inputs of one actor the one that fills most of its schema; among those that fill as much the last. */
const fullest = (own: readonly Actor[]): Actor =>
  own.reduce((best, each) => (each.mutants.length >= best.mutants.length ? each : best));

/** Names of cases are unique: what comes again gets a number. */
export function numbered(): (name: string) => string {
  const taken = new Map<string, number>();
  return (name) => {
    const turn = (taken.get(name) ?? 0) + 1;
    taken.set(name, turn);
    return turn === 1 ? name : `${name} (${turn})`;
  };
}

/** A string if there is none: it says what would be needed. */
export function fieldCases(subject: Subject, faults: readonly string[]): readonly FieldCase[] | string {
  const asking = validatingActors(subject);
  if (asking.length === 0) {
    return 'no actor has both an input and a schema: add `schema` (or `schema_at`) and `input` to an actor';
  }
  const named = numbered();
  const cases = asking.flatMap(({ actor, key }) =>
    actor.mutants
      .filter(({ fault }) => faults.includes(fault))
      .map((mutant): FieldCase => {
        return {
          name: named(`${actor.name}: ${mutant.field} ${inWords[mutant.fault] ?? mutant.fault}`),
          actor,
          ...(key === undefined ? {} : { key }),
          mutant,
        };
      }),
  );
  if (asking.every(({ actor }) => actor.mutants.length === 0))
    return 'no invalid input was made: Touchstone does not use these schemas, or the inputs of the profile do not fit them';
  const kinds = faults.map((fault) => inWords[fault] ?? fault).join(', ');
  return cases.length > 0 ? cases : `the schemas allow no input with a field that is ${kinds}`;
}

/** Whether an input still names a source that a run of it would read. */
export const namesSource = (input: unknown): boolean => JSON.stringify(input ?? null).includes('{{source.');
