/** Texts that stand behind a nonce: those that the schema admits, and no others. */
import { expect, test } from 'vitest';
import { withTexts } from './variants.ts';

const namesFor = (maxLength: number): readonly string[] => {
  const message = { type: 'string', maxLength };
  const schema = { type: 'object', required: ['message'], properties: { message } };
  return withTexts(schema, { message: '{{nonce}}' }).map(({ name }) => name);
};

test('a text is sent where its length is admitted, and not where it is not', () => {
  expect(namesFor(2000)).toContain('an emoji');
  expect(namesFor(2000)).toContain('emoji across each limit of bytes');
  expect(namesFor(100)).not.toContain('emoji across each limit of bytes');
  expect(namesFor(1)).toEqual([]);
});
