import { expect, test } from 'vitest';
import { withWrongTier } from './payloads.ts';

test.each([
  ['{"tier":"pro"}', '{"tier":{"unlisted":42}}'],
  [
    '{"grant":{"plan":"pro","for":["pro","all"]},"n":1}',
    '{"grant":{"plan":{"unlisted":42},"for":[{"unlisted":42},"all"]},"n":1}',
  ],
  ['{"name":"professional"}', undefined],
  ['["pro"]', undefined],
  ['no JSON', undefined],
])('the tier in %s is replaced everywhere', (body, wrong) => {
  expect(withWrongTier(body, 'pro')).toBe(wrong);
});
