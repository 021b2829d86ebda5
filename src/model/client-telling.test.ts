import { expect, test } from 'vitest';
import type { SeenTrial } from './client.ts';
import { tellingOf } from './client-telling.ts';
import type { Data } from './json.ts';

const trial = (situation: string, items: readonly string[], told: Data): SeenTrial =>
  ({
    situation,
    planted: { items },
    ended: { outcome: 'complete', exit: 0, told, shown: items },
  }) as unknown as SeenTrial;

const two = ['amber', 'birch'];
const three = ['cedar', 'dune', 'elm'];

test('a member that says how many items there were is found in its line', () => {
  const telling = tellingOf([
    trial('complete', two, { outcome: 'complete', read: 2 }),
    trial('complete-many', three, { outcome: 'complete', read: 3 }),
  ]);
  expect(telling.items).toEqual({ by: 'words', path: ['read'] });
});

test('the number of the last item is none of them, though it is as high', () => {
  const telling = tellingOf([
    trial('complete', two, { id: 2, title: 'birch' }),
    trial('complete-many', three, { id: 3, title: 'elm' }),
  ]);
  expect(telling.items).toEqual({ by: 'words' });
});

test('one that is called so counts beside an item, too', () => {
  const telling = tellingOf([
    trial('complete', two, { item_count: 2, last: 'birch' }),
    trial('complete-many', three, { item_count: 3, last: 'elm' }),
  ]);
  expect(telling.items).toEqual({ by: 'words', path: ['item_count'] });
});
