/** A limit that gives in: whoever is refused often enough in a row is let in again, long before it was told to come back. */
import { type Exchange, isRefused, type Paces, type Reason, toldMsBy, violation } from '../../src/vocabulary.ts';
import { tookMs } from './stated-limits.ts';

/** So many in a row are refused: copies of a service, each with a limit of its own, take turns. */
const inARow = 10;
/** Of what is admitted at first: a window that opened meanwhile admits as many once more. */
const more = 1.2;
const few = 2;
/** Of the wait that was told last. */
const early = 0.5;

interface GaveIn {
  readonly refused: readonly Exchange[];
  readonly letIn: readonly Exchange[];
}

/** Calls one after another: some that are admitted, many that are refused, and then more in a row than at first. */
export function gaveIn(calls: readonly Exchange[]): GaveIn | undefined {
  const own = calls.findIndex(isRefused);
  for (let from = own; from > 0 && from < calls.length; ) {
    const back = calls.findIndex((each, at) => at > from && !isRefused(each));
    if (back < 0) return undefined;
    const again = calls.findIndex((each, at) => at > back && isRefused(each));
    const end = again < 0 ? calls.length : again;
    const found = { refused: calls.slice(from, back), letIn: calls.slice(back, end) };
    const told = toldMsBy(calls[back - 1]!);
    const isEarly = tookMs(calls.slice(from, end)) < early * told;
    if (found.refused.length >= inARow && found.letIn.length > more * own + few && isEarly) return found;
    from = end;
  }
  return undefined;
}

/** Each time that it was asked, and more than once. */
export function givingInReasons({ inTurn }: Paces, who: 'key' | 'address'): readonly Reason[] {
  const found = inTurn.flatMap(({ calls }) => gaveIn(calls) ?? []);
  const [first] = found;
  if (first === undefined || found.length < 2 || found.length < inTurn.length) return [];
  const came = `${first.letIn.length} calls in a row were admitted after ${first.refused.length} that were refused, and so each time`;
  return [violation(first.letIn.at(-1), `an exhausted ${who} to stay refused for as long as it was told`, came)];
}
