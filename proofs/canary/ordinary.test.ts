import { expect, it } from 'vitest';
import { falseHits, strangers } from './ordinary.ts';

it('nothing of a secret is found in a megabyte of ordinary answers; `npm run prove -- secrets` looks at a hundred', () => {
  expect(falseHits(strangers(40), 1_000_000, 3).hits).toBe(0);
});
