/** Fields that may be of two types: each form has its bounds, whichever the input shows. */
import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { admittedBy } from './admitted.ts';
import { mutantsOf } from './mutants.ts';

const forms: Json = [
  { type: 'string', minLength: 3 },
  { type: 'integer', minimum: 100 },
];
const schemaOf = (contact: Json): Json => ({ type: 'object', properties: { contact } });

test.each([
  ['the one that is shown', { contact: 'desk' }],
  ['the other', { contact: 120 }],
  ['none', {}],
])('both forms are bound where the input has %s', (_, valid: Json) => {
  const inputs = mutantsOf(schemaOf({ anyOf: forms }), valid).map(({ fault, input }) => [fault, input]);
  expect(inputs).toContainEqual(['bound', { contact: 99 }]);
  expect(
    inputs.some(([fault, input]) => fault === 'length' && (input as { contact: string }).contact.length === 2),
  ).toBe(true);
});

test('the number of the other form is admitted', () => {
  const asForms = (valid: Json, contact: Json = { oneOf: forms }) =>
    admittedBy(schemaOf(contact), valid).filter(({ change }) => change === 'as another of its forms');
  expect(asForms({ contact: 'desk' })).toEqual([
    { change: 'as another of its forms', field: 'contact', input: { contact: 100 } },
  ]);
  expect(asForms({ contact: 120 })).toEqual([]);
  expect(asForms({ contact: '{{source.ok}}' })).toEqual([]);
  // What two forms have in common belongs to neither.
  expect(asForms({ contact: 'desk' }, { anyOf: [{ type: 'integer', minimum: 5 }, { minimum: 7 }] })).toEqual([]);
});
