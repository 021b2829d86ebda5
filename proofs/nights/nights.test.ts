/** A short share of `npm run prove -- nights`, the same each time. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hashOf, seeded } from '../../src/random.ts';
import { killedAt, killings, moment, readyToCertify } from './kills.ts';
import { manyChecks } from './many.ts';
import { oddDays } from './odd-days.ts';
import { openPlace, type Place } from './surroundings.ts';

const long = { timeout: 300_000 };
let place: Place;
beforeAll(async () => {
  place = await openPlace();
});
afterAll(() => place.close());

describe('kill -9', long, () => {
  test.each(killings.filter(({ name }) => name !== 'limits'))('of $name', async (killing) => {
    if (killing.name === 'certify') await readyToCertify(place);
    const random = seeded(hashOf(killing.name));
    for (let point = 0; point < 2; point += 1)
      expect(await killedAt(place, killing, `${killing.name}-${point}`, moment(random, 3000))).toEqual([]);
  });
});

describe('odd days', long, () => {
  test.each(oddDays.filter(({ times }) => times >= 10))('$name', async ({ name, live }) => {
    expect(await live(place, seeded(hashOf(name)), `odd-${hashOf(name)}`)).toEqual([]);
  });
});

test('checks in a row leave nothing behind', long, async () => {
  const { problems, files } = await manyChecks(place, 40);
  expect(problems).toEqual([]);
  expect(files[0]).toBeGreaterThan(0);
});
