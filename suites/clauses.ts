/**
 * What the specification says, sentence by sentence, in our words. `required` clauses stand in it, `expected` ones in the
 * standards that it builds on, `observed` ones are "not shown" or silent.
 */
import type { Clause, Level } from '../src/index.ts';

const at =
  <L extends Level>(level: L) =>
  (section: string, says: string): Omit<Clause<L>, 'id'> => ({ section, level, says });

const required = at('required');
const expected = at('expected');
const observed = at('observed');

const untestable = (section: string, says: string, why: string): Omit<Clause<'required'>, 'id'> => ({
  ...required(section, says),
  untestable: why,
});

/** Each clause is named once, by its key. */
function named<const T extends Record<string, Omit<Clause, 'id'>>>(
  table: T,
): { readonly [K in keyof T]: T[K] & { readonly id: K } } {
  return Object.fromEntries(Object.entries(table).map(([id, clause]) => [id, { id, ...clause }])) as never;
}

export const clauses = named({
  keyOnEveryDataRequest: required(
    '§5 Data requests',
    'Every data request carries an API key in X-API-Key; without one it is refused with 401.',
  ),
  invalidKeyIs401: required('§5 Data requests', 'A key that the service does not know is refused with 401.'),
  keyElsewhereNotShown: observed('§5', 'Whether a key is taken from anywhere but X-API-Key is not shown.'),
  headerNamesAreCaseless: expected('RFC 9110 §5.1', 'Header names are case-insensitive.'),
  serverSideKeys: untestable(
    '§5 Data requests',
    'Clients keep keys in server-side configuration.',
    'it is about clients, not about the service',
  ),
});
