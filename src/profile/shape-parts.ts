/** What the shapes of profile sections are made of. */
import * as z from 'zod';
import { isObject, type Json } from '../model/json.ts';

/** Unknown members are refused. The message carries the known ones, from which explain.ts picks the nearest. */
export const record = <T extends z.ZodRawShape>(fields: T) => {
  const names = Object.keys(fields).filter((name) => !formerMembers.has(fields[name] as z.ZodType));
  return z.strictObject(fields, {
    error: (issue) => (issue.code === 'unrecognized_keys' ? names.join(' ') : 'a mapping'),
  });
};

const formerMembers = new WeakSet<z.ZodType>();

/** A member under a name of before: read, but never suggested, and editors strike it through. */
export function former<T extends z.ZodType>(shape: T, now: string): z.ZodOptional<T> {
  const optional = shape.optional().meta({ description: `Former name of \`${now}\`.`, deprecated: true });
  formerMembers.add(optional);
  return optional;
}

/** Half a character (a lone surrogate) cannot be put into a path or a header. */
export const text = (expected: string) =>
  z
    .string({ error: expected })
    .min(1, { error: expected })
    .refine((given) => given.isWellFormed(), { error: `${expected}, of whole characters` });

export const flag = (says: string) => z.boolean({ error: 'true or false' }).optional().describe(says);

export const whole = (from: number, to: number, expected: string) =>
  z.int({ error: expected }).min(from, { error: expected }).max(to, { error: expected });

/** Taken by reference: what an actor is sent must not be touched by a validator. */
export const jsonObject = (says: string) =>
  z
    .custom<{ readonly [key: string]: Json }>(isObject, { error: 'a mapping (a JSON object)' })
    .meta({ type: 'object', description: says });

export const json = (says: string) => z.custom<Json>(() => true).meta({ description: says });
