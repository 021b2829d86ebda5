/** One thing that was looked at, and what it means for a run. */
import { exitCodes } from '../model/run.ts';

export type State = 'ok' | 'note' | 'warning' | 'problem';

export interface Point {
  readonly name: string;
  readonly state: State;
  /** What was found: one sentence without its full stop. */
  readonly says: string;
  /** What to do about it. */
  readonly next?: string;
  /** Of a problem: what is in the way of a run. */
  readonly exit?: 'usage' | 'incomplete' | 'unreachable';
}

export const ok = (name: string, says: string): Point => ({ name, state: 'ok', says });

export const note = (name: string, says: string, next?: string): Point => ({
  name,
  state: 'note',
  says,
  ...(next === undefined ? {} : { next }),
});

export const warning = (name: string, says: string, next: string): Point => ({ name, state: 'warning', says, next });

export const problem = (name: string, exit: NonNullable<Point['exit']>, says: string, next: string): Point => ({
  name,
  state: 'problem',
  exit,
  says,
  next,
});

/** Nobody there outweighs a wrong profile, and that a missing key; notes and warnings stop nothing. */
const heaviest = ['unreachable', 'usage', 'incomplete'] as const;

export function exitCodeOf(points: readonly Point[]): number {
  const found = heaviest.find((exit) => points.some((point) => point.exit === exit));
  return found === undefined ? exitCodes.conforms : exitCodes[found];
}
