/** Whose schema it is that reading an actor shows: determined by whether it accepts an input that the actor runs with. */
import {
  type Actor,
  atPointer,
  type Case,
  type Exchange,
  fingerprintOf,
  isObject,
  type Json,
  jsonOf,
  type Key,
  type Question,
  rule,
  type Subject,
  succeeded,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { validatingActors } from '../../language/wrong-inputs.ts';

interface Shown extends Case {
  readonly actor: Actor;
  readonly key?: Key;
  /** Read and run just before, and at the same time. */
  readonly other: Actor | undefined;
}

/** Those whose schema the service shows, each with another one. */
function shownActors(subject: Subject): readonly Shown[] | string {
  const all = validatingActors(subject).filter(({ actor }) => actor.schemaAt !== 'profile');
  if (all.length === 0) return 'no answer of GET /v1/actors/{name} contains a schema that Touchstone recognises';
  return all.map(({ actor, key }) => ({
    name: actor.name,
    actor,
    other: actor.foreignSchemas?.map(({ of }) => all.find((each) => each.actor.name === of)?.actor).find(Boolean),
    ...(key === undefined ? {} : { key }),
  }));
}

const about = ({ case: { actor } }: Question<Shown>) => ({
  name: actor.name,
  at: actor.schemaAt ?? '',
  own: fingerprintOf(actor.schema ?? null),
  refuses: actor.schemaRefuses ?? null,
  fields: isObject(actor.input) ? Object.keys(actor.input) : null,
  lengths: isObject(actor.input) ? lengthsOf(actor.input) : {},
  foreign: (actor.foreignSchemas ?? []).map(({ of, fingerprint }) => ({ of, fingerprint })),
});

/** Runs of other times wrote down no lengths. */
type About = Omit<ReturnType<typeof about>, 'lengths'> & { readonly lengths?: Lengths };

type Lengths = { readonly [field: string]: number };

/** How long each text of an input is that is sent unchanged. */
const lengthsOf = (input: { readonly [field: string]: Json | undefined }): Lengths =>
  Object.fromEntries(
    Object.entries(input).flatMap(([field, value]) =>
      typeof value === 'string' && !value.includes('{{') ? [[field, [...value].length] as const] : [],
    ),
  );

export const schemaIsItsOwn = rule({
  id: 'actor.schema-is-its-own',
  // What a test key is shown may be written apart.
  eachKey: true,
  clause: clauses.schemaIsWhatIsEnforced,
  needs: ['key', 'clean'],
  without: ['actor', 'history', 'company'],
  cases: shownActors,
  about,
  async ask({ read, run, line, case: { other } }) {
    const ran = await run();
    const on = line();
    if (other !== undefined) await read({ actor: other, on });
    const reads = [await read({ on })];
    if (other !== undefined) {
      await run({ actor: other, on });
      reads.push(await read({ on }));
      // Each read of it has one of the other next to it.
      const both = await Promise.all([read({ actor: other }), read(), read({ actor: other }), read()]);
      reads.push(both[1], both[3]);
      // The name in the path is that of the actor, whatever else has a name.
      const query = new URLSearchParams({ name: other.name, actor: other.name });
      reads.push(await read({ respell: (path) => `${path}?${query}` }));
    }
    return { ran, reads };
  },
  judge: ({ ran, reads }, told) => reads.flatMap((exchange) => expectOwnSchema(exchange, ran, told)),
  fix: 'Look up the schema by the name in the path on every read; do not reuse an earlier one, or one for all actors.',
});

/** Why no input of these fields and lengths can fit, as far as that is beyond doubt: what is next to a reference may not count. */
function refusalOf(schema: Json, fields: readonly string[], lengths: Lengths = {}): string | undefined {
  if (!isObject(schema) || Object.hasOwn(schema, '$ref')) return undefined;
  const { required, properties, patternProperties, additionalProperties } = schema;
  const lacking = Array.isArray(required) ? required.find((each) => !fields.includes(String(each))) : undefined;
  if (lacking !== undefined) return `\`${String(lacking)}\` is required`;
  if (!isObject(properties)) return undefined;
  const tooLong = fields.find((each) => Object.hasOwn(properties, each) && isBelow(properties[each], lengths[each]));
  if (tooLong !== undefined) return `\`${tooLong}\` is longer than it allows`;
  if (additionalProperties !== false || patternProperties !== undefined) return undefined;
  const unlisted = fields.find((each) => !Object.hasOwn(properties, each));
  return unlisted === undefined ? undefined : `\`${unlisted}\` is not allowed`;
}

const isBelow = (schema: Json | undefined, length = 0): boolean =>
  isObject(schema) &&
  !Object.hasOwn(schema, '$ref') &&
  typeof schema.maxLength === 'number' &&
  schema.maxLength < length;

function expectOwnSchema(
  exchange: Exchange,
  ran: Exchange,
  { name, at, own, refuses, fields, lengths, foreign }: About,
) {
  const body = jsonOf(exchange);
  const shown = body.ok ? atPointer(body.value, at) : undefined;
  if (!succeeded(exchange) || shown === undefined) return [];
  const fingerprint = fingerprintOf(shown);
  const expected = `the input schema of ${name}`;
  const other = foreign.find((each) => each.fingerprint === fingerprint && fingerprint !== own);
  if (other !== undefined) return [violation(exchange, expected, `that of ${other.of}`)];
  // To other keys than the one that was asked first, another may be shown.
  const refusal = fingerprint === own ? refuses : fields ? (refusalOf(shown, fields, lengths) ?? null) : null;
  return refusal !== null && succeeded(ran)
    ? [violation(exchange, expected, `one that rejects an input which the actor runs with: ${refusal}`)]
    : [];
}
