/** Pure: whether another caller shares the limit that one caller has met. */
import type { Exchange } from '../../model/exchange.ts';
import type { Round } from '../../model/limits-ask.ts';
import { decisionOf, isRefused } from './decision.ts';

export type Cell = 'together' | 'apart' | 'unclear' | 'not asked';

/** One refusal may be chance: so many rounds with a twin must agree. */
export const carefulRounds = 2;

/** What the rounds of one other caller say. */
export function cellOf(rounds: readonly Round[], other: string): Cell {
  const own = rounds.filter((each) => each.other === other);
  if (own.length === 0) return 'not asked';
  const clear = own.filter(isClear);
  const apart = clear.filter(({ answers }) => !answers.some(isRefused));
  const careful = clear.filter(({ twin }) => twin.length > 0);
  const together = careful.filter((each) => admittedIn(each.twin) && isMostlyRefused(each.answers));
  if (together.length >= carefulRounds && together.length === careful.length) return 'together';
  if (apart.length * 2 > own.length && together.length === 0) return 'apart';
  return 'unclear';
}

/** The exhausted caller stayed refused, and the other one was answered. */
const isClear = ({ before, answers, after }: Round): boolean =>
  before.some(isRefused) && after.some(isRefused) && answers.length > 0 && answers.every(isDecided);

const isDecided = (exchange: Exchange): boolean => {
  const { status } = decisionOf(exchange);
  return status !== 0 && status < 500;
};

const admittedIn = (twin: readonly Exchange[]): boolean => twin.every((each) => isDecided(each) && !isRefused(each));

const isMostlyRefused = (answers: readonly Exchange[]): boolean =>
  answers.filter(isRefused).length * 2 >= answers.length;
