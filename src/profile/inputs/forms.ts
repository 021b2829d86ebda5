/** The forms that a value may have by `anyOf` or `oneOf`, each of another type: the input shows one of them, and the others are bound as well. */
import { isObject, type Json } from '../../model/json.ts';
import { holdsTemplate } from '../templates.ts';
import type { Proposal as Admission } from './admitted.ts';
import { deref } from './choice-faults.ts';
import type { Proposal } from './faults.ts';
import { type Schema, typesOf } from './keywords.ts';
import { numberFaults } from './number-faults.ts';
import type { Place } from './places.ts';
import { sampleOf } from './samples.ts';
import { textFaults } from './text-faults.ts';
import { listOf } from './together.ts';

const plain = ['string', 'number', 'integer', 'boolean'];

const typeOf = (schema: Schema): string | undefined => {
  const types = typesOf([schema]);
  return types.length === 1 && plain.includes(types[0]!) ? types[0] : undefined;
};

/** Forms of one type say nothing alone, and neither does one that may be anything. */
function formsAt(root: Schema, { schemas, value, path, required }: Place): readonly Place[] {
  const [branches = []] = schemas.map(({ anyOf, oneOf }) => listOf(anyOf ?? oneOf)).filter((each) => each.length > 1);
  const forms = branches
    .map((each) => deref(root, each))
    .filter((each) => isObject(each) && each.type !== 'null') as Schema[];
  const types = forms.map(typeOf);
  if (forms.length < 2 || types.includes(undefined) || new Set(types).size < types.length) return [];
  return forms.map((form) => ({
    schemas: [form],
    value: fits(form, value) ? value : sampleOf(root, [form]),
    path,
    required,
  }));
}

const fits = (form: Schema, value: Json | undefined): boolean =>
  typeof value === (typeOf(form) === 'integer' ? 'number' : typeOf(form));

export function* formFaults(root: Schema, place: Place): Generator<Proposal> {
  for (const form of formsAt(root, place)) {
    yield* numberFaults(form);
    yield* textFaults(root, form);
  }
}

/** A number at its bound is plainly admitted; other samples may mean anything, and without its addresses an actor would do something else. */
export function* otherForms(root: Schema, place: Place): Generator<Admission> {
  if (holdsTemplate(place.value)) return;
  for (const { schemas } of formsAt(root, place))
    for (const { minimum } of schemas)
      if (typeof minimum === 'number' && typeof place.value !== 'number')
        yield { change: 'as another of its forms', put: minimum };
}
