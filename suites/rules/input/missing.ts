/** Inputs that lack what the schema demands. */
import {
  type Ask,
  expectFieldNamed,
  expectStatus,
  isObject,
  type Json,
  type Question,
  type RunOptions,
  rule,
  type Subject,
  succeeded,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRun } from '../../language/twins.ts';
import { type FieldCase, fieldCases, refusals } from '../../language/wrong-inputs.ts';

interface MissingCase extends FieldCase {
  readonly headers?: RunOptions['headers'];
  /** All fields that are missing, where that is more than one. */
  readonly fields?: readonly string[];
}

/** People may be told in their language, but a field has one name. */
const inGerman = (one: FieldCase): MissingCase => ({
  ...one,
  name: `${one.name}, asked in German`,
  headers: [['Accept-Language', 'de-DE,de;q=0.9']],
});

/** An object without any member: of the fields that it lacks, one must be named. */
const withNone = (one: FieldCase, all: readonly FieldCase[]): MissingCase => ({
  ...one,
  name: `${one.actor.name}: no field at all`,
  mutant: { ...one.mutant, input: {} },
  // Not every field that is demanded need be among the single faults.
  fields: [...new Set([...all.map(({ mutant }) => mutant.field), ...Object.keys(one.actor.input ?? {})])],
});

/** The same of an object inside the input, where there is more in it than the one field that is demanded for sure. */
function withNoneInside(all: readonly FieldCase[]): readonly MissingCase[] {
  const objects = Map.groupBy(all, ({ actor, mutant }) => `${actor.name} ${above(mutant.field).join('.')}`);
  return [...objects.values()].flatMap((own): readonly MissingCase[] => {
    const [one] = own as [FieldCase];
    const path = above(one.mutant.field);
    const input = one.actor.input === undefined ? undefined : emptied(one.actor.input, path);
    const isTried = own.some(({ mutant }) => JSON.stringify(mutant.input) === JSON.stringify(input));
    if (input === undefined || isTried) return [];
    const fields = [path.join('.'), ...own.map(({ mutant }) => mutant.field), ...membersIn(one.actor.schema ?? null)];
    return [
      {
        ...one,
        name: `${one.actor.name}: no field at all in ${path.join('.')}`,
        mutant: { ...one.mutant, input },
        fields,
      },
    ];
  });
}

/** What is demanded depends on other members now and then: any of those that the schema knows may be named. */
function membersIn(schema: Json): readonly string[] {
  if (Array.isArray(schema)) return schema.flatMap(membersIn);
  if (!isObject(schema)) return [];
  const own = isObject(schema.properties) ? Object.keys(schema.properties) : [];
  return [...own, ...Object.values(schema).flatMap(membersIn)];
}

const above = (field: string): readonly string[] => field.split('.').slice(0, -1);

/** The input with an empty object at this path, if there is an object. */
function emptied(value: Json, [name, ...rest]: readonly string[]): Json | undefined {
  if (name === undefined) return isObject(value) ? {} : undefined;
  const inner = Array.isArray(value) ? value[Number(name)] : isObject(value) ? value[name] : undefined;
  const changed = inner === undefined ? undefined : emptied(inner, rest);
  if (changed === undefined) return undefined;
  return Array.isArray(value) ? value.with(Number(name), changed) : { ...(value as object), [name]: changed };
}

function casesOf(subject: Subject): readonly MissingCase[] | string {
  const cases = fieldCases(subject, ['missing', 'other-case', 'other-name']);
  if (typeof cases === 'string') return cases;
  const missing = cases.filter(({ mutant }) => mutant.fault === 'missing');
  const byActor = [...Map.groupBy(missing, ({ actor }) => actor).values()].filter((own) => own.length > 1);
  const inside = fieldCases(subject, ['nested-missing']);
  return [
    ...cases,
    ...cases.slice(0, 1).map(inGerman),
    ...byActor.map((own) => withNone(own[0]!, own)),
    ...(typeof inside === 'string' ? [] : withNoneInside(inside)),
  ];
}

export const missingField = rule({
  id: 'input.missing-field',
  eachKey: true,
  clause: clauses.missingFieldIsNamed,
  needs: ['key'],
  without: ['actor'],
  cases: casesOf,
  twin: cleanRun,
  answering: true,
  ask: async ({ run, case: { mutant, headers = [] } }: Ask<MissingCase>) => ({
    exchange: await run({ input: mutant.input, headers }),
  }),
  about: ({
    case: { mutant, fields = [] },
  }: Question<MissingCase>): {
    readonly field: string;
    readonly fault: string;
    readonly fields?: readonly string[];
  } => ({
    field: mutant.field,
    fault: mutant.fault,
    fields,
  }),
  // Runs of other times always lacked one field.
  judge({ exchange }, { field, fault, fields = [] }) {
    // Some trim the names of members as they trim texts.
    if (fault === 'other-name' && succeeded(exchange))
      return [warning(exchange, `400 or 422 for ${field} behind a blank in its name`, whatCame(exchange))];
    const refused = expectStatus(exchange, refusals);
    if (refused.length > 0 || fields.some((each) => expectFieldNamed(exchange, each).length === 0)) return refused;
    return expectFieldNamed(exchange, field);
  },
  fix: 'Validate the input before the run, and put the name of the missing field into `detail`.',
});
