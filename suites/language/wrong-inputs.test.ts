/** Of an actor that stands in a profile more than once, the input is broken that says most about it. */
import { expect, test } from 'vitest';
import type { Subject } from '../../src/vocabulary.ts';
import { validatingActors } from './wrong-inputs.ts';

const actor = (name: string, mutants: number, input: object) => ({
  name,
  schema: {},
  input,
  mutants: Array.from({ length: mutants }),
});

const subjectOf = (actors: object): Subject =>
  ({ actors: { empty: [], clean: [], echo: [], sources: [], restricted: [], ...actors } }) as unknown as Subject;

test('the fullest input of an actor is taken, wherever it stands', () => {
  const full = actor('order', 9, { reference: 'r', zip: '24103' });
  const bare = actor('order', 4, { reference: '{{nonce}}' });
  expect(validatingActors(subjectOf({ clean: [full], echo: [bare] }))).toEqual([{ actor: full }]);
  expect(validatingActors(subjectOf({ clean: [bare], echo: [full] }))).toEqual([{ actor: full }]);
});

test('of two that say as much, the later one: it finds something', () => {
  const nothing = actor('digest', 4, { text: '' });
  const some = actor('digest', 4, { text: 'words' });
  expect(validatingActors(subjectOf({ empty: [nothing], clean: [some] }))).toEqual([{ actor: some }]);
});
