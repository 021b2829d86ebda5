/** What many services read although the schema says otherwise: a warning at most. */
import { isObject, type Json } from '../../model/json.ts';
import { fillPlausibly } from '../templates.ts';
import type { Proposal } from './faults.ts';
import { typesOf } from './keywords.ts';
import type { Place } from './places.ts';

const longestText = 5_000;

export function* lenientFaults({ schemas, value, path, required }: Place): Generator<Proposal> {
  const types = typesOf(schemas);
  const isTop = path.length === 0;
  const isBound = schemas.some((schema) =>
    ['enum', 'const', 'pattern', 'format'].some((name) => Object.hasOwn(schema, name)),
  );
  const wrong: Json[] = [];
  if (typeof value === 'number' && !types.includes('string')) wrong.push(String(value));
  if (Number.isInteger(value) && types.includes('integer') && !types.includes('number'))
    wrong.push(Number(value) + 0.5);
  if (typeof value === 'number' && types.length > 0 && !types.includes('boolean')) wrong.push(true);
  const isOnly = (type: string): boolean => types.length === 1 && types[0] === type;
  // What begins with a number, and a list of one, become one in several languages.
  if (typeof value === 'number' && !types.includes('string') && !types.includes('array'))
    wrong.push(`${value}x`, [value]);
  if (value === undefined && !required && isOnly('boolean')) wrong.push(0);
  // In some languages an empty object and an empty list are one thing.
  if (!isTop && isOnly('object')) wrong.push([]);
  if (value === true && !types.includes('integer') && !types.includes('number')) wrong.push(1);
  // An address is what a service turns anything into, and then cannot read.
  const isAddress = typeof value === 'string' && value.includes('{{source.');
  if (typeof value === 'string' && isOnly('string') && (isAddress || !(isBound || value.includes('{{'))))
    wrong.push(12_345);
  if (!required && value !== undefined && types.length > 0 && !types.includes('null')) wrong.push(null);
  // A single value for a list of one.
  const [only] = Array.isArray(value) && types.length === 1 && types[0] === 'array' ? (value as readonly Json[]) : [];
  if (only !== undefined && !isObject(only) && !Array.isArray(only)) wrong.push(only);
  for (const [rank, put] of wrong.entries()) yield { fault: 'lenient', path, put, keywords: ['type'], rank };
  const values = schemas.flatMap((schema) => (Array.isArray(schema.enum) ? (schema.enum as readonly Json[]) : []));
  const [text] = values;
  // In some languages each value of an enumeration has a number too.
  if (values.length > 0 && values.every((each) => typeof each === 'string' && each !== '1'))
    yield { fault: 'lenient', path, put: 1, keywords: ['enum'], rank: wrong.length };
  // Many services trim texts before they look at them.
  if (typeof text === 'string' && text.trim() !== '')
    yield { fault: 'lenient', path, put: ` ${text} `, keywords: ['enum'], rank: wrong.length };
  for (const { const: only, maxLength } of schemas) {
    if (typeof only === 'string' && only.trim() !== '')
      yield { fault: 'lenient', path, put: ` ${only} `, keywords: ['const'], rank: wrong.length };
    if (typeof maxLength !== 'number' || maxLength < 1 || maxLength > longestText || !types.includes('string'))
      continue;
    const own = typeof value === 'string' && fillPlausibly(value) === value ? value : '';
    const long = own.slice(0, maxLength).padEnd(maxLength, 'x');
    yield { fault: 'lenient', path, put: ` ${long} `, keywords: ['maxLength'], rank: wrong.length };
  }
}
