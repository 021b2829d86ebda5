/** Pure: the smallest description of where a rule fails, and the contexts to ask again in order to find it. */
import type { Context, DimensionName } from '../model/context.ts';

export interface Point {
  readonly context: Context;
  readonly bad: boolean;
}

const names: readonly DimensionName[] = ['case', 'actor', 'key', 'connection', 'history', 'company'];

type Part = Partial<Context>;

const matches = (context: Context, part: Part): boolean =>
  names.every((name) => part[name] === undefined || part[name] === context[name]);

/** The contexts as asked, each bad if it was bad once. */
function settled(points: readonly Point[]): Point[] {
  const byContext = new Map<string, Point>();
  for (const point of points) {
    const name = JSON.stringify(point.context);
    if (point.bad || !byContext.has(name)) byContext.set(name, point);
  }
  return [...byContext.values()];
}

/**
 * The fewest values that stand together in a failing context and in no passing one; of equally few, those that explain
 * most failures. Values that never varied explain nothing and are not named.
 */
export function smallestDescription(points: readonly Point[], without: readonly DimensionName[]): Part | undefined {
  const all = settled(points);
  const bad = all.filter((point) => point.bad).map((point) => point.context);
  const good = all.filter((point) => !point.bad).map((point) => point.context);
  const varied = names.filter(
    (name) => !without.includes(name) && new Set(all.map((point) => point.context[name])).size > 1,
  );
  // "When nothing went before" explains a failure only where nothing else does.
  return explain(varied, bad, good, true) ?? explain(varied, bad, good, false);
}

const plain: ReadonlySet<string> = new Set(['live', 'fresh', 'first', 'alone']);

function explain(
  varied: readonly DimensionName[],
  bad: readonly Context[],
  good: readonly Context[],
  telling: boolean,
): Part | undefined {
  for (let size = 1; size <= varied.length; size += 1) {
    let best: Part | undefined;
    let most = 0;
    const tried = new Set<string>();
    for (const context of bad) {
      const own = telling ? varied.filter((name) => !plain.has(context[name] ?? '')) : varied;
      for (const chosen of subsets(own, size)) {
        const part = Object.fromEntries(chosen.map((name) => [name, context[name]])) as Part;
        const name = JSON.stringify(part);
        if (tried.has(name)) continue;
        tried.add(name);
        if (good.some((each) => matches(each, part))) continue;
        const explained = bad.filter((each) => matches(each, part)).length;
        if (explained > most) {
          most = explained;
          best = part;
        }
      }
    }
    if (best !== undefined) return best;
  }
  return undefined;
}

function subsets<T>(items: readonly T[], size: number): T[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, at) => subsets(items.slice(at + 1), size - 1).map((rest) => [item, ...rest]));
}

/** The dimensions in which a failing context is not the plainest there is, each with its plainest value. */
export function plainer(
  context: Context,
  plainest: Context,
): { readonly name: DimensionName; readonly context: Context }[] {
  return names.flatMap((name) =>
    name === 'case' || context[name] === plainest[name] ? [] : [{ name, context: plainest }],
  );
}
