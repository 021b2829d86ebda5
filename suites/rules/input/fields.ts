/** Inputs whose fields are wrong. What is no JSON object at all is in `input-bodies.ts`. */
import {
  type Ask,
  type Exchange,
  expectFieldNamed,
  expectStatus,
  isObject,
  kindOf,
  member,
  observation,
  type Question,
  rule,
  statusFits,
  succeeded,
  sweep,
  violation,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { hasBodyByRight, holdsObject, isAdmin } from '../../language/answers.ts';
import { workOf } from '../../language/asking.ts';
import { expectNoWork } from '../../language/expectations.ts';
import { refusedWork } from '../../language/gates.ts';
import { cleanRun } from '../../language/twins.ts';
import {
  type FieldCase,
  fieldCases,
  namesSource,
  otherFaults,
  refusals,
  validatingActors,
} from '../../language/wrong-inputs.ts';

const withFault = {
  about: ({ case: { mutant } }: Question<FieldCase>) => ({ field: mutant.field, fault: mutant.fault }),
  ask: async ({ run, case: { mutant } }: Ask<FieldCase>) => ({ exchange: await run({ input: mutant.input }) }),
};

/** A text with white space behind it, taken: whether the service only trims. A number, refused: whether others are, too. */
const withViolation = {
  about: withFault.about,
  async *ask({ run, case: { mutant } }: Ask<FieldCase>) {
    const exchange = await run({ input: mutant.input });
    yield { exchange };
    yield { trims: succeeded(exchange) && mutant.trims !== undefined ? await run({ input: mutant.trims }) : null };
    const beyond: Exchange[] = [];
    // Who takes one of them is not given a larger one.
    for (const input of mutant.beyond ?? [])
      if (statusFits(beyond.at(-1) ?? exchange, refusals)) beyond.push(await run({ input }));
    yield { beyond };
  },
};

export const wrongType = rule({
  id: 'input.wrong-type',
  eachKey: true,
  clause: clauses.inputIsValidated,
  needs: ['key'],
  without: ['actor'],
  cases: (subject) => fieldCases(subject, ['wrong-type']),
  twin: cleanRun,
  answering: true,
  question: 'wrong-type',
  ...withFault,
  judge: ({ exchange }) => expectStatus(exchange, [400, 422]),
  fix: 'Validate the type of each field against the schema.',
});

export const wrongTypeIsNamed = rule({
  id: 'input.wrong-type-is-named',
  eachKey: true,
  clause: clauses.detailNamesTheField,
  needs: ['key'],
  without: ['actor'],
  cases: (subject) => fieldCases(subject, ['wrong-type']),
  twin: cleanRun,
  question: 'wrong-type',
  ...withFault,
  judge: expectNamedOn422,
  fix: 'Put the name of the field that failed into `detail`.',
});

export const scalarsReadLeniently = rule({
  id: 'input.scalars-read-leniently',
  clause: clauses.typesAreKept,
  needs: ['key'],
  without: ['actor'],
  cases: (subject) => fieldCases(subject, ['lenient']),
  twin: cleanRun,
  ...withFault,
  // Whoever converts such a value takes it, and everybody else refuses it: it breaks nobody, and no source is looked for at a number.
  judge: ({ exchange }) =>
    succeeded(exchange) || statusFits(exchange, [500, 502, 504])
      ? [
          warning(
            exchange,
            '400 or 422 for a value that is valid only after it was converted or trimmed',
            whatCame(exchange),
          ),
        ]
      : [],
  fix: 'Validate before you convert: accepting text for a number hides mistakes of callers until they hurt.',
});

const ofUnlisted: readonly string[] = ['additional', 'unlisted'];

export const schemaViolations = rule({
  id: 'input.schema-violations',
  eachKey: true,
  clause: clauses.schemaViolationIs400or422,
  needs: ['key'],
  without: ['actor'],
  cases: (subject) => fieldCases(subject, otherFaults),
  twin: cleanRun,
  answering: true,
  question: 'schema-violations',
  ...withViolation,
  // Whether unknown fields are refused is left open; that a service shows a schema that does, and takes them, is worth a word.
  judge({ exchange, trims, beyond = [] }, { fault }) {
    if (ofUnlisted.includes(fault) && succeeded(exchange))
      return [warning(exchange, '400 or 422, because the schema allows no unlisted fields', whatCame(exchange))];
    // Names that begin in an odd way may be turned down by whoever guards a service; what breaks over them is another rule's.
    if (fault === 'unlisted') return [];
    // Only who takes it is asked about blanks. In several languages `$` means the place before a last line feed, too.
    if (trims) {
      const what = succeeded(trims) ? 'white space around it' : 'a line feed behind what its pattern ends with';
      return [warning(exchange, `400 or 422 for a text with ${what}`, whatCame(exchange))];
    }
    return [exchange, ...beyond].flatMap((each) => expectStatus(each, refusals));
  },
  fix: 'Validate the input against the whole schema that you show: nested fields, enums, bounds and patterns too.',
});

/** Of members that belong together each may be named, and so may one that nobody asked for, or that was made up beside it. */
const namedEitherWay: readonly string[] = ['dependent', 'choice', 'condition', 'not', 'members', 'wrapped', 'unlisted'];

export const violationIsNamed = rule({
  id: 'input.violation-is-named',
  eachKey: true,
  clause: clauses.detailNamesTheField,
  needs: ['key'],
  without: ['actor'],
  cases: (subject) =>
    fieldCases(
      subject,
      otherFaults.filter((fault) => !namedEitherWay.includes(fault)),
    ),
  twin: cleanRun,
  question: 'schema-violations',
  ...withViolation,
  judge: expectNamedOn422,
  fix: 'Put the name of the field that failed into `detail`, for every kind of violation.',
});

/** "Input failed validation: fix the field named in detail." A 400 may say less; other statuses are judged elsewhere. */
function expectNamedOn422({ exchange }: { readonly exchange: Exchange }, { field }: { readonly field: string }) {
  return statusFits(exchange, 422) ? expectFieldNamed(exchange, field) : [];
}

const isInvalidInput = (code: unknown): boolean => code === 'invalid_input';

export const invalidInputCode = sweep({
  id: 'input.invalid-input-code',
  clause: clauses.invalidInputCode,
  needs: ['key', 'clean'],
  actor: 'clean',
  provoke: ({ run }) => run({ body: '{"cut": ' }),
  includes: (exchange, scene) =>
    statusFits(exchange, 400) && hasBodyByRight(exchange, scene) && !isAdmin(exchange) && holdsObject(exchange),
  judge(exchange) {
    const code = member(exchange, 'error');
    return isInvalidInput(code) ? [] : [violation(exchange, '`error` to be "invalid_input" on a 400', kindOf(code))];
  },
  fix: 'Answer every 400 with `"error": "invalid_input"`.',
});

export const refusalDoesNoWork = rule({
  id: 'input.refusal-does-no-work',
  waits: true,
  clause: clauses.refusedRunDoesNotRun,
  needs: ['key', 'sources'],
  without: ['actor'],
  cases(subject) {
    const sources = new Set(subject.actors.sources.map(({ name }) => name));
    const cases = fieldCases(subject, ['missing', 'wrong-type']);
    if (typeof cases === 'string') return cases;
    const telling = cases.filter(({ actor, mutant }) => sources.has(actor.name) && namesSource(mutant.input));
    return telling.length > 0
      ? telling
      : 'no actor that reads sources has another field that can be invalid while its input still names a source';
  },
  ask: (ask) => workOf(ask, { input: ask.case.mutant.input }),
  given: refusedWork,
  judge: expectNoWork,
  fix: 'Validate the whole input before you fetch the first source.',
});

export const unknownProperty = observation({
  id: 'input.unknown-property',
  clause: clauses.unknownInputNotShown,
  needs: ['key'],
  cases: (subject) => {
    const asking = validatingActors(subject).map((each) => ({ name: each.actor.name, ...each }));
    return asking.length > 0 ? asking : 'no actor has both an input and a schema';
  },
  about: ({ actor }) => ({ name: actor.name }),
  async ask({ run, actor }) {
    const input = isObject(actor.input) ? actor.input : {};
    return { exchange: await run({ input: { ...input, unlisted_member: true } }) };
  },
  observe: ({ exchange }, { name }) => [`${name} answers an unknown property with ${whatCame(exchange)}`],
  fix: 'Nothing to fix: the specification leaves open whether unknown properties are refused.',
});
