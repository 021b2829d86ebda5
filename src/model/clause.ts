/** What a sentence of the specification demands, and how much weight it has. */

export type Level = 'required' | 'expected' | 'observed';

export const levels: readonly Level[] = ['required', 'expected', 'observed'];

export interface Clause<L extends Level = Level> {
  readonly id: string;
  /** Where it stands: a section or table of the specification, or a standard such as `RFC 9110 §5.1`. */
  readonly section: string;
  readonly level: L;
  /** In our words, one sentence. */
  readonly says: string;
  /** Why nobody can see from outside whether it is kept. Such a clause has no rules. */
  readonly untestable?: string;
}
