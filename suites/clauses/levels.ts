/** How a clause is written down: its level, where it stands, and what it demands, in our words. */
import type { Clause, Level } from '../../src/vocabulary.ts';

type Unnamed<L extends Level = Level> = Omit<Clause<L>, 'id'>;

const at =
  <L extends Level>(level: L) =>
  (section: string, says: string): Unnamed<L> => ({ section, level, says });

/** The specification says it, outright or by the plain meaning of its words. */
export const required = at('required');

/** The specification is silent, but a standard that it builds on or plain safety says it. */
export const expected = at('expected');

/** "Not shown", or silent: a fact to record, which nobody can get wrong. */
export const observed = at('observed');

export const untestable = (section: string, says: string, why: string): Unnamed<'required'> => ({
  ...required(section, says),
  untestable: why,
});

/** Each clause is named once, by its key. */
export function named<const T extends Record<string, Unnamed>>(
  table: T,
): { readonly [K in keyof T]: T[K] & { readonly id: K } } {
  return Object.fromEntries(Object.entries(table).map(([id, clause]) => [id, { id, ...clause }])) as never;
}

export const aboutClients = 'it is about clients, which `touchstone client` judges';
