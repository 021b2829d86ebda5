/** What the schema that is shown allows, the service accepts: generators of inputs rely on that. */
import {
  type Actor,
  type Admitted,
  type Case,
  type Exchange,
  expectFieldNamed,
  type Key,
  note,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  warning,
  whatCame,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { cleanRun } from '../../language/twins.ts';
import { numbered, refusals, validatingActors } from '../../language/wrong-inputs.ts';

interface AdmittedCase extends Case {
  readonly actor: Actor;
  readonly key?: Key;
  readonly admitted: Admitted;
}

function admittedCases(subject: Subject): readonly AdmittedCase[] | string {
  const asking = validatingActors(subject);
  if (asking.length === 0)
    return 'no actor has both an input and a schema: add `schema` (or `schema_at`) and `input` to an actor';
  const named = numbered();
  const cases = asking.flatMap(({ actor, key }) =>
    actor.admitted.map((admitted): AdmittedCase => {
      const name = named(`${actor.name}: ${admitted.field} ${admitted.change}`);
      return { name, actor, admitted, ...(key === undefined ? {} : { key }) };
    }),
  );
  return cases.length > 0
    ? cases
    : 'the schemas set no bounds for the fields of the inputs and have no optional fields';
}

/** What asks an actor for less, or for what its schema names as the least: another value may ask for a failure. */
const isHarmless: ReadonlySet<string> = new Set<Admitted['change']>([
  'left out',
  'as false',
  'as an empty list',
  'as an empty object',
  'as an empty text',
  'at its lower bound',
  'as short as it may be',
]);

/** Nothing but its length or a letter is new: where the same without that is taken, nothing asked for a failure. */
const ofTexts: ReadonlySet<string> = new Set<Admitted['change']>([
  'with an apostrophe',
  'as long as it may be',
  'as long as it may be, in letters beyond ASCII',
  'as long as it may be, in emoji',
  'as blanks',
  'of 4,000 characters',
  'of 70,000 characters',
]);

export const schemaAdmits = rule({
  id: 'input.schema-admits',
  eachKey: true,
  inOneGo: true,
  clause: clauses.schemaIsWhatIsEnforced,
  needs: ['key'],
  without: ['actor', 'company', 'history'],
  cases: admittedCases,
  twin: cleanRun,
  about: ({ case: { admitted } }) => ({
    field: admitted.field,
    change: admitted.change,
    madeUp: admitted.madeUp ?? false,
  }),
  async ask({ run, case: { admitted } }) {
    const exchange = await run({ input: admitted.input });
    const isTelling = statusFits(exchange, refusals) || (statusFits(exchange, 500) && ofTexts.has(admitted.change));
    let beside: Exchange | null = null;
    // The first of them that is refused says enough.
    for (const input of isTelling ? [admitted.beside, ...(admitted.further ?? [])] : [])
      if (input !== undefined && (beside === null || succeeded(beside))) beside = await run({ input });
    return { exchange, beside };
  },
  judge: ({ exchange, beside }, { field, change, madeUp }) => {
    const isItsOwn = beside !== null && succeeded(beside) && ofTexts.has(change);
    if (statusFits(exchange, 500) && (isHarmless.has(change) || isItsOwn))
      return [warning(exchange, `an input with \`${field}\` ${change} to cause no failure of the service`, '500')];
    // Whether fields that nobody lists are accepted is left open.
    if (change === 'as a further field' && beside !== null && !succeeded(beside)) return [];
    return statusFits(exchange, refusals) ? [refusedWrongly(exchange, beside, field, change, madeUp)] : [];
  },
  fix: 'Enforce the schema that you show, with its bounds and optional fields, or show the one that you enforce.',
});

const besideOf = (change: string): string =>
  change === 'with both alternatives' ? 'with one of them alone' : 'next to the bound';

/**
 * A schema cannot say everything: where the value next to the bound is refused too, the service has a reason of its own. Where
 * the field itself is refused, omitted although it is optional, or at its bound while the value next to it is taken, it is more.
 */
function refusedWrongly(exchange: Exchange, beside: Exchange | null, field: string, change: string, madeUp: boolean) {
  const isNamed = expectFieldNamed(exchange, field).length === 0;
  const expected = `an input with \`${field}\` ${change} to be accepted, as the schema allows`;
  // Few have a reason to take fewer entries than they say, and not to say it.
  const isOfEntries = change === 'with as many entries as it may have';
  if (beside !== null && !succeeded(beside))
    return (isNamed && isOfEntries ? warning : note)(
      exchange,
      expected,
      `${whatCame(exchange)}, as ${besideOf(change)}`,
    );
  // Many languages count halves of pairs; few would call that a bound of its own.
  const isGrave = isNamed && !madeUp && !change.endsWith('emoji');
  return (isGrave ? violation : warning)(exchange, expected, whatCame(exchange));
}
