/** Pure: the smallest description of where a rule fails, and what to ask again in order to find it. */
import type { Context, DimensionName } from '../model/context.ts';

export interface Point {
  readonly context: Context;
  readonly bad: boolean;
}

type Part = Partial<Context>;

const names: readonly DimensionName[] = ['case', 'actor', 'key', 'connection', 'history', 'company'];

/** The values that say nothing special. */
const plain: ReadonlySet<string> = new Set(['live', 'fresh', 'first', 'alone']);

const matches = (context: Context, part: Part): boolean =>
  names.every((name) => part[name] === undefined || part[name] === context[name]);

/** The contexts as asked, each bad if it was bad once. */
function settled(points: readonly Point[]): { bad: Context[]; good: Context[] } {
  const byContext = new Map<string, Point>();
  for (const point of points) {
    const name = JSON.stringify(point.context);
    if (point.bad || !byContext.has(name)) byContext.set(name, point);
  }
  const all = [...byContext.values()];
  return {
    bad: all.filter((point) => point.bad).map((point) => point.context),
    good: all.filter((point) => !point.bad).map((point) => point.context),
  };
}

const special = (context: Context): DimensionName[] =>
  names.filter((name) => name !== 'case' && name !== 'actor' && !plain.has(context[name] ?? 'live'));

/**
 * Begins with what is special about the plainest failing context, adds what else sets it apart from those that passed, and
 * drops what turns out not to be needed. Dimensions that the rule does without are never named.
 */
export function smallestDescription(points: readonly Point[], without: readonly DimensionName[]): Part | undefined {
  const { bad, good } = settled(points);
  const plainest = bad.toSorted((a, b) => special(a).length - special(b).length)[0];
  if (plainest === undefined) return undefined;
  const usable = names.filter((name) => !without.includes(name) && plainest[name] !== undefined);
  const pick = (chosen: readonly DimensionName[]): Part =>
    Object.fromEntries(chosen.map((name) => [name, plainest[name]])) as Part;
  const passing = (chosen: readonly DimensionName[]): number =>
    good.filter((context) => matches(context, pick(chosen))).length;

  let chosen = special(plainest).filter((name) => usable.includes(name));
  for (const name of usable) {
    if (passing(chosen) === 0) break;
    if (!chosen.includes(name) && passing([...chosen, name]) < passing(chosen)) chosen = [...chosen, name];
  }
  for (const name of [...chosen].toReversed()) {
    const fewer = chosen.filter((each) => each !== name);
    if (passing(fewer) === passing(chosen)) chosen = fewer;
  }
  return chosen.length === 0 ? undefined : pick(chosen);
}

/** Whether nothing failed elsewhere: only then is it a place, and not an example. */
export const holdsEveryFailure = (points: readonly Point[], part: Part): boolean =>
  points.every(({ bad, context }) => !bad || matches(context, part));

/** The dimensions in which a failing context is not the plainest there is, each with its plainest value. */
export function plainer(
  context: Context,
  plainest: Context,
): { readonly name: DimensionName; readonly context: Context }[] {
  return names.flatMap((name) =>
    name === 'case' || context[name] === plainest[name] ? [] : [{ name, context: plainest }],
  );
}
