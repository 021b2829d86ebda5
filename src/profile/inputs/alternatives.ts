/** An input that fits two of several alternatives: `anyOf` admits it, and only `oneOf` does not. Only proposals: ajv confirms them. */
import { isObject, type Json } from '../../model/json.ts';
import { plainText } from '../templates.ts';
import type { Proposal } from './admitted.ts';
import { deref } from './choice-faults.ts';
import type { Schema } from './keywords.ts';
import { orLeftOut, type Place } from './places.ts';
import { sampleOf } from './samples.ts';
import { listOf, namesIn, withMembers, without } from './together.ts';

export function* bothAlternatives(root: Schema, place: Place): Generator<Proposal> {
  const { schemas, path } = place;
  for (const { anyOf } of schemas) {
    const branches = listOf(anyOf)
      .map((each) => deref(root, each))
      .filter((each) => isObject(each) && namesIn(each).length > 0) as readonly Schema[];
    const [one, other] = branches;
    const value = place.value === undefined && orLeftOut(place) !== undefined ? sampleOf(root, schemas) : place.value;
    if (one === undefined || other === undefined || !isObject(value)) continue;
    const names = [...new Set([one, other].flatMap(namesIn))];
    // Without its addresses an actor would do something else.
    if (names.some((name) => typeof value[name] === 'object' || !isFree(value[name]))) continue;
    const own = (wanted: readonly string[]): Json | undefined => {
      const rest = names.filter((name) => !wanted.includes(name));
      const bare = without(value, rest) as Schema;
      return withMembers({ root, schemas: [...schemas, one, other], path, value: bare }, wanted);
    };
    const [both, ...alone] = [names, namesIn(one), namesIn(other)].map(own);
    const isApart = alone.every((each) => each !== undefined && JSON.stringify(each) !== JSON.stringify(both));
    if (both === undefined || !isApart) continue;
    const members = path.length === 0 ? { members: names.join(' and ') } : {};
    yield { change: 'with both alternatives', put: both, further: alone as Json[], madeUp: true, ...members };
  }
}

const isFree = (value: Json | undefined): boolean => typeof value !== 'string' || plainText(value) !== undefined;
