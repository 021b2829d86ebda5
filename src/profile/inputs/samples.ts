/** A value for a member that the valid input leaves out. Only a proposal: ajv decides what it is good for. */
import type { Json } from '../../model/json.ts';
import type { Schema } from './keywords.ts';
import { smallest } from './smallest.ts';
import { madeUp } from './valid.ts';

const largest = 5_000;

export function sampleOf(root: Schema, schemas: readonly Json[]): Json | undefined {
  const { $defs = {}, definitions = {}, $schema } = root;
  const dialect = $schema === undefined ? {} : { $schema };
  const whole: Schema = { ...dialect, $defs, definitions, allOf: schemas };
  return smallest(whole) > largest ? undefined : madeUp(JSON.stringify(whole));
}
