import { expect, test } from 'vitest';
import { markedBy } from './clean.ts';

test('records are found by the mark that they hold themselves, at any depth', () => {
  const list = {
    keys: [
      { id: 'a', label: 'touchstone-1' },
      { id: 7, note: 'made by touchstone-2, for a while' },
      { id: 'c', label: 'somebody else' },
      { name: 'touchstone-2' },
    ],
    more: { deep: [{ inner: { id: 'd', label: 'touchstone-2' } }] },
  };
  expect(markedBy(list, 'touchstone-2', 'id')).toEqual(['7', 'd']);
  expect(markedBy(list, 'touchstone-3', 'id')).toEqual([]);
  expect(markedBy('touchstone-2', 'touchstone-2', 'id')).toEqual([]);
});
