/** The JSON Schema by which editors help with waivers, as they do with profiles. */
import * as z from 'zod';
import type { Json } from '../model/json.ts';
import { waiversShape } from './shape.ts';

export function waiversSchema(): Json {
  const { $schema, ...rest } = z.toJSONSchema(waiversShape, { io: 'input', target: 'draft-7' });
  return JSON.parse(JSON.stringify({ $schema, title: 'Touchstone waivers', ...rest })) as Json;
}

export const waiversSchemaText = (): string => `${JSON.stringify(waiversSchema(), null, 2)}\n`;
