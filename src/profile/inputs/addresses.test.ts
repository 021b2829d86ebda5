import { expect, test } from 'vitest';
import type { Json } from '../../model/json.ts';
import { mutantsOf } from './mutants.ts';

const addresses = (items: Json): string => {
  const schema: Json = { type: 'object', properties: { urls: { type: 'array', items } } };
  return JSON.stringify(mutantsOf(schema, { urls: ['{{source.ok}}'] }).map(({ input }) => input));
};

test('an address of another scheme, where a pattern names those that are read', () => {
  expect(addresses({ type: 'string', pattern: '^https?://' })).toContain('"ftp://');
  expect(addresses({ type: 'string', pattern: '^(https?|ftp)://' })).not.toContain('"ftp://');
  expect(addresses({ type: 'string', format: 'uri' })).not.toContain('"ftp://');
});
