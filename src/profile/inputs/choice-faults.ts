/** What can be wrong where members depend on each other: choices, conditions, what is ruled out. */
import { isObject, type Json } from '../../model/json.ts';
import { follow } from './examine.ts';
import type { Proposal } from './faults.ts';
import type { Schema } from './keywords.ts';
import { orLeftOut, type Place, withValue } from './places.ts';
import { sampleOf } from './samples.ts';
import { type Inner, listOf, namesIn, objectOr, proposal, withMembers, without } from './together.ts';

/** None of the alternatives; and of those that exclude each other, two. */
export function* choices(inner: Inner, schema: Schema): Generator<Proposal> {
  for (const keyword of ['anyOf', 'oneOf']) {
    const branches = listOf(schema[keyword]).map((each) => deref(inner.root, each));
    const names = [...new Set(branches.flatMap(namesIn))];
    if (names.length === 0) continue;
    const none = objectOr(without(inner.value, names));
    yield proposal(inner.path, none, [keyword], 'choice', names);
    // Who demands at least one member as well is given one.
    const [other] = inner.schemas
      .flatMap(({ properties }) => Object.keys(objectOr(properties)))
      .filter((name) => !names.includes(name) && !Object.hasOwn(none, name));
    const more = other === undefined ? undefined : withMembers({ ...inner, value: none }, [other]);
    if (more !== undefined && inner.schemas.some(({ minProperties }) => minProperties !== undefined))
      yield proposal(inner.path, more, [keyword], 'choice', names);
    if (keyword === 'anyOf') continue;
    const both = withMembers(
      inner,
      names,
      branches.find((each) => isObject(each) && isObject(each.properties)) as Schema,
    );
    if (both !== undefined) yield proposal(inner.path, both, [keyword], 'choice', names);
  }
}

/** What a reference refers to; anything else is as it is. */
export const deref = (root: Schema, schema: Json): Json =>
  isObject(schema) && schema.$ref !== undefined ? (follow(root, schema.$ref) ?? schema) : schema;

/** The value that a `not` names, or the members that it forbids together. */
export function* ruledOut(root: Schema, place: Place, { not }: Schema): Generator<Proposal> {
  if (!isObject(not)) return;
  const { path, schemas } = place;
  for (const put of [...listOf(not.enum), ...(not.const === undefined ? [] : [not.const])])
    if (path.length > 0) yield { fault: 'not', path, put, keywords: ['not'], rank: 0 };
  const value = orLeftOut(place);
  const names = namesIn(not);
  if (!isObject(value) || names.length === 0) return;
  const all = withMembers({ root, schemas, path, value }, names);
  if (all !== undefined) yield proposal(path, all, ['not'], 'not', names);
}

/** Meets the `if`, and lacks what `then` demands; or the other way about. */
export function* conditions({ root, schemas, path, value }: Inner, schema: Schema): Generator<Proposal> {
  const condition = schema.if;
  if (!isObject(condition)) return;
  const demanded = [...namesIn(schema.then), ...namesIn(schema.else)];
  const bare = without(
    value,
    demanded.filter((name) => !namesIn(schema).includes(name)),
  );
  const field = (name: string): readonly string[] => [name, ...demanded.filter((each) => each !== name)];
  const keywords = ['if', 'then', 'else'];
  for (const [name, inner] of Object.entries(objectOr(condition.properties))) {
    if (!isObject(inner)) continue;
    for (const put of [inner.const, ...listOf(inner.enum)])
      if (put !== undefined) yield proposal(path, withValue(bare, [name], put), keywords, 'condition', field(name));
    const own = schemas.flatMap(({ properties }) => (isObject(properties) ? [properties[name]] : []));
    for (const put of own.flatMap((each) => (isObject(each) ? listOf(each.enum) : [])))
      yield proposal(path, withValue(bare, [name], put), keywords, 'condition', field(name));
    if (own.length > 0 && !Object.hasOwn(value, name)) {
      const sample = sampleOf(
        root,
        own.filter((each) => each !== undefined),
      );
      if (sample !== undefined)
        yield proposal(path, withValue(bare, [name], sample), keywords, 'condition', field(name));
    }
  }
  for (const name of namesIn(condition)) {
    const with_ = withMembers({ root, schemas, path, value: objectOr(bare) }, [name]);
    if (with_ !== undefined) yield proposal(path, with_, keywords, 'condition', field(name));
  }
}

/** What many languages take for nothing, of each type that has some. */
const nothing: readonly Json[] = [false, 0, '', []];

/** A member that demands another, put there alone. */
export function* dependents(inner: Inner, schema: Schema): Generator<Proposal> {
  const both = { ...objectOr(schema.dependencies), ...objectOr(schema.dependentRequired) };
  const demands = Object.entries(both).map(([trigger, names]) => [trigger, listOf(names)] as const);
  const ofSchemas = Object.entries(objectOr(schema.dependentSchemas));
  for (const [trigger, names] of [...demands, ...ofSchemas.map(([name, each]) => [name, namesIn(each)] as const)]) {
    const lacking = names.filter((name) => typeof name === 'string');
    if (lacking.length === 0) continue;
    const keywords = ['dependentRequired', 'dependencies', 'dependentSchemas'];
    const bare = objectOr(without(inner.value, lacking));
    const put = Object.hasOwn(bare, trigger) ? undefined : withMembers({ ...inner, value: bare }, [trigger]);
    // Whether it is there is the question, not what it holds.
    const nothings = nothing.map((each) => withValue(bare, [trigger], each));
    const others = put === undefined ? [] : amongOthers({ ...inner, value: objectOr(put) }, lacking);
    for (const each of put === undefined ? nothings : [put, ...nothings, ...others])
      yield proposal(inner.path, each, keywords, 'dependent', [trigger, ...lacking]);
  }
}

/** So many others one by one, where they cannot be there all at once. */
const someOthers = 3;

/** With what else may be there: whoever looks for any other member takes one of those for what is lacking. */
function amongOthers(inner: Inner, lacking: readonly string[]): readonly Json[] {
  const names = new Set(inner.schemas.flatMap(({ properties }) => Object.keys(objectOr(properties))));
  const others = [...names].filter((name) => !lacking.includes(name) && !Object.hasOwn(inner.value, name));
  return [others, ...others.slice(0, someOthers).map((name) => [name])]
    .filter((each) => each.length > 0)
    .map((each) => withMembers(inner, each))
    .filter((each) => each !== undefined);
}
