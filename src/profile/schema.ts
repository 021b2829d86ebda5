/** The JSON Schema by which editors help with a profile. Draft 7, because editors know it best. */
import * as z from 'zod';
import type { Json } from '../model/json.ts';
import { typedFields } from './interpolate.ts';
import { profileShape } from './shape.ts';

/** A value from outside may replace any number or boolean. */
const fromOutside = { type: 'string', pattern: '^\\$\\{(env|file):[^}]+\\}$' } as const;

export function profileSchema(): Json {
  const schema = z.toJSONSchema(profileShape, {
    io: 'input',
    target: 'draft-7',
    unrepresentable: 'any',
    override: ({ jsonSchema: each, path }) => {
      if (!typedFields.has(path.filter((step) => step !== 'properties').join('.'))) return;
      const { description, ...rest } = each;
      for (const name of Object.keys(each)) delete each[name as keyof typeof each];
      Object.assign(each, { anyOf: [rest, fromOutside], ...(description === undefined ? {} : { description }) });
    },
  });
  const { $schema, ...rest } = schema;
  return JSON.parse(JSON.stringify({ $schema, title: 'Touchstone profile', ...rest })) as Json;
}

export const profileSchemaText = (): string => `${JSON.stringify(profileSchema(), null, 2)}\n`;
