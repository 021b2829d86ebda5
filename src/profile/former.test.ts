import { expect, test } from 'vitest';
import { formerMembers } from './former.ts';
import { profileFrom } from './parse.ts';
import { profileSchema } from './schema.ts';

const options = { source: 'test', env: {}, readFile: () => '' };

/** The members that editors strike through. */
function deprecated(schema: unknown, path: readonly string[] = []): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  const { deprecated: struck, properties } = schema as { deprecated?: boolean; properties?: object };
  if (struck === true) return [path.join('.')];
  return Object.entries(properties ?? {}).flatMap(([name, each]) => deprecated(each, [...path, name]));
}

test('every former member of the schema is known by name', () => {
  expect(formerMembers.map(({ name }) => name).toSorted()).toEqual(deprecated(profileSchema()).toSorted());
});

test('a profile knows which of them it uses', () => {
  const tiers = { pro: { requests: 5, per: '1s' } };
  const at = 'http://127.0.0.1:1';
  expect(profileFrom({ address: at, limits: { tiers } }, options).former).toEqual([
    { name: 'limits.tiers', now: 'limits.documented.tiers' },
  ]);
  expect(profileFrom({ address: at, limits: { documented: { tiers } } }, options).former).toBeUndefined();
});
