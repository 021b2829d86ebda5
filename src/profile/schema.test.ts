import { readFileSync, writeFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import { defineProfile } from './define.ts';
import { profileSchema, profileSchemaText } from './schema.ts';

const file = new URL('../../schema/profile.json', import.meta.url);

// By meaning, not by text: how it is laid out is the formatter's matter.
test('schema/profile.json is current: UPDATE_SCHEMA=1 npx vitest run src/profile writes it', () => {
  if (process.env.UPDATE_SCHEMA === '1') writeFileSync(file, profileSchemaText());
  expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual(profileSchema());
});

const ajv = new Ajv({ strict: false, allErrors: true });
const validate = ajv.compile(profileSchema() as object);

test('it allows what a profile may say', () => {
  const profile = defineProfile({
    address: 'http://a:1',
    keys: { main: `\${env:KEY}`, other: { value: 'x', role: 'restricted', test: true } },
    actors: { clean: [{ name: 'a', input: { any: [1, null] } }], restricted: { name: 'b', by: 'tier' } },
    admin: { create: { body: { tier: '{tier}' }, success: [201] } },
    bounds: { timeout: 5, patience: '1m' },
  });
  expect(validate(profile)).toBe(true);
  expect(validate({ ...profile, concurrency: `\${env:CONC}` })).toBe(true);
});

test.each([
  { adress: 'x' },
  { concurrency: 'many' },
  { strict: 'yes' },
  { keys: { a: { role: 'entitled' } } },
  { actors: { clean: { name: 1 } } },
])('it refuses %j', (profile) => {
  expect(validate(profile)).toBe(false);
});

test('every field is described', () => {
  const bare: string[] = [];
  const walk = (schema: unknown, path: string): void => {
    if (typeof schema !== 'object' || schema === null) return;
    const { properties, anyOf, items, additionalProperties } = schema as Record<string, unknown>;
    for (const [name, each] of Object.entries(properties ?? {})) {
      if (typeof (each as { description?: unknown }).description !== 'string') bare.push(`${path}.${name}`);
      walk(each, `${path}.${name}`);
    }
    for (const each of Array.isArray(anyOf) ? anyOf : []) walk(each, path);
    walk(items, path);
    walk(additionalProperties, path);
  };
  walk(profileSchema(), '');
  expect(bare).toEqual([]);
});
