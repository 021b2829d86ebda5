/** What is enforced is shown: to each sort of key, and also after a refusal. */
import {
  type Actor,
  atPointer,
  type Case,
  type Exchange,
  expectFieldNamed,
  isObject,
  type Json,
  jsonOf,
  type Key,
  type Mutant,
  type Question,
  rule,
  type Subject,
  statusFits,
  succeeded,
  violation,
  warning,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { furtherKeys } from '../../language/further-keys.ts';
import { validatingActors } from '../../language/wrong-inputs.ts';

interface Enforced extends Case {
  readonly actor: Actor;
  readonly key?: Key;
  readonly mutants: readonly Mutant[];
}

/** By what a fault is refused: one of these stands where the schema speaks of the field. */
const keywordsOf: Readonly<Record<string, readonly string[]>> = {
  missing: ['required'],
  'nested-missing': ['required'],
  length: ['minLength', 'maxLength'],
  bound: ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'],
  pattern: ['pattern'],
  enum: ['enum'],
};

function enforcedCases(subject: Subject): readonly Enforced[] | string {
  const cases = validatingActors(subject)
    .filter(({ actor }) => actor.schemaAt !== 'profile')
    .flatMap(({ actor, key }): Enforced[] => {
      // One of each kind is enough; the rules about inputs ask the others.
      const kinds = Object.keys(keywordsOf).map((fault) => actor.mutants.findLast((each) => each.fault === fault));
      const mutants = kinds.filter((each) => each !== undefined);
      if (mutants.length === 0) return [];
      const own = { name: actor.name, actor, mutants, ...(key === undefined ? {} : { key }) };
      // Open to all, it shows the same to the keys of all plans: one fault of each actor tells, for some plans have few calls.
      const others = key === undefined ? furtherKeys(subject) : [];
      const briefly = { ...own, mutants: mutants.slice(0, 1) };
      return [
        own,
        ...others.map((each) => ({ ...briefly, name: `${actor.name}, by the key ${each.name}`, key: each })),
      ];
    });
  return cases.length > 0 ? cases : 'no schema was found from which inputs with a single fault could be made';
}

/** Where the schema demands or bounds the field: `/properties/filters/required` for `filters.country`. */
function placesOf(schema: Json, { field, fault }: Mutant): readonly string[] {
  const last = field.split('.').at(-1) ?? '';
  const keywords = keywordsOf[fault] ?? [];
  const found: string[] = [];
  const look = (value: Json, at: string): void => {
    if (found.length >= 20 || !isObject(value)) return;
    for (const keyword of keywords) {
      const held = value[keyword];
      const isDemand = keyword === 'required' && Array.isArray(held) && held.includes(last);
      if (isDemand || (keyword !== 'required' && held !== undefined && at.endsWith(`/properties/${escaped(last)}`)))
        found.push(`${at}/${keyword}`);
    }
    for (const [name, each] of Object.entries(value)) look(each, `${at}/${escaped(name)}`);
  };
  look(schema, '');
  return found;
}

const escaped = (name: string): string => name.replaceAll('~', '~0').replaceAll('/', '~1');

const about = ({ case: { actor, mutants } }: Question<Enforced>) => ({
  name: actor.name,
  at: actor.schemaAt ?? '',
  fields: mutants.map((mutant) => ({ field: mutant.field, places: placesOf(actor.schema ?? null, mutant) })),
});

/** Of a schema of the same build: the object around it is there, and says nothing about this. */
function isGone(schema: Json, place: string, field: string): boolean {
  const around = atPointer(schema, place.slice(0, place.lastIndexOf('/')));
  if (!isObject(around)) return false;
  const held = atPointer(schema, place);
  const last = field.split('.').at(-1) ?? '';
  return held === undefined || (place.endsWith('/required') && Array.isArray(held) && !held.includes(last));
}

const refusals = [400, 422];

export const showsWhatItEnforces = rule({
  id: 'actor.shows-what-it-enforces',
  clause: clauses.schemaIsWhatIsEnforced,
  needs: ['key'],
  without: ['actor', 'connection', 'history', 'company'],
  cases: enforcedCases,
  about,
  async ask({ run, read, case: { mutants } }) {
    const runs: Exchange[] = [];
    for (const { input } of mutants) runs.push(await run({ input }));
    return { runs, shown: await read() };
  },
  judge: ({ runs, shown }, { name, at, fields }) => {
    const body = jsonOf(shown);
    const schema = body.ok ? atPointer(body.value, at) : undefined;
    if (!succeeded(shown) || !isObject(schema)) return [];
    return runs.flatMap((exchange, index) => {
      const { field = '', places = [] } = fields[index] ?? {};
      const isShown = places.length === 0 || places.some((place) => !isGone(schema, place, field));
      if (isShown || !statusFits(exchange, refusals)) return [];
      const weigh = expectFieldNamed(exchange, field).length === 0 ? violation : warning;
      const expected = `the schema of ${name}, read just after, to show why \`${field}\` was refused`;
      return [weigh(shown, expected, 'a schema that neither demands nor bounds it so')];
    });
  },
  fix: 'Show every key the schema that its inputs are validated by, and do not change it while you validate.',
});
