/** Inputs that lack what the schema demands. */
import {
  type Ask,
  expectFieldNamed,
  expectStatus,
  type Question,
  rule,
  succeeded,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRun } from '../../language/twins.ts';
import { type FieldCase, fieldCases } from '../../language/wrong-inputs.ts';

const refusals = [400, 422];

/** The first case once more: people may be told in their language, but a field has one name. */
function inGermanToo(cases: ReturnType<typeof fieldCases>): ReturnType<typeof fieldCases> {
  const [first] = typeof cases === 'string' ? [] : cases;
  if (typeof cases === 'string' || first === undefined) return cases;
  return [
    ...cases,
    { ...first, name: `${first.name}, asked in German`, headers: [['Accept-Language', 'de-DE,de;q=0.9']] },
  ];
}

interface NoneCase extends FieldCase {
  /** All fields that are missing, where that is more than one. */
  readonly fields?: readonly string[];
}

/** An object without any member as well: of the fields that it lacks, one must be named. */
function withNoneOf(cases: ReturnType<typeof fieldCases>): readonly NoneCase[] | string {
  if (typeof cases === 'string') return cases;
  const missing = cases.filter(({ mutant, headers }) => mutant.fault === 'missing' && headers === undefined);
  const ofActor = [...Map.groupBy(missing, ({ actor }) => actor).values()].filter((own) => own.length > 1);
  return [
    ...cases,
    ...ofActor.map(
      ([first, ...others]): NoneCase => ({
        ...first!,
        name: `${first!.actor.name}: no field at all`,
        mutant: { ...first!.mutant, input: {} },
        // What is named may have been left out of the single faults: they are a part of all there are.
        fields: [
          ...new Set([
            ...[first!, ...others].map(({ mutant }) => mutant.field),
            ...Object.keys(first!.actor.input ?? {}),
          ]),
        ],
      }),
    ),
  ];
}

export const missingField = rule({
  id: 'input.missing-field',
  eachKey: true,
  clause: clauses.missingFieldIsNamed,
  needs: ['key'],
  without: ['actor'],
  cases: (subject) => withNoneOf(inGermanToo(fieldCases(subject, ['missing', 'other-case', 'other-name']))),
  twin: cleanRun,
  answering: true,
  ask: async ({ run, case: { mutant, headers = [] } }: Ask<NoneCase>) => ({
    exchange: await run({ input: mutant.input, headers }),
  }),
  about: ({
    case: { mutant, fields = [] },
  }: Question<NoneCase>): { readonly field: string; readonly fault: string; readonly fields?: readonly string[] } => ({
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
