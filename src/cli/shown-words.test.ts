import { expect, it } from 'vitest';
import { shownWords } from './shown-words.ts';

it.each([
  [['node', 'client.mjs', '--retries=3'], undefined],
  [
    ['env', 'API_TOKEN=abc', 'node', 'a.mjs'],
    ['env', 'API_TOKEN=…', 'node', 'a.mjs'],
  ],
  [
    ['run', '--password=a b'],
    ['run', '--password=…'],
  ],
  [
    ['run', '--api-key', 'abc', 'more'],
    ['run', '--api-key', '…', 'more'],
  ],
  [
    ['curl', '-H', 'X-API-Key: abc'],
    ['curl', '-H', 'X-API-Key: …'],
  ],
  [['curl', '-H', 'X-API-Key: {key}', '--key', '{key}'], undefined],
  [['/opt/key tools/node', 'C:\\keys\\a.mjs'], undefined],
])('%j', (words, shown) => {
  expect(shownWords(words)).toEqual(shown ?? words);
});
