/**
 * Pure: in which contexts a rule is asked, by the names of what can vary. A run is planned by it, and a reader of the run plans
 * it again from what its header says.
 */
import type { Context } from '../model/context.ts';
import type { Axes, Depth } from '../model/run.ts';
import { hashOf, seeded } from '../random.ts';
import { largestPaired, pairs, product, type Row, rotated, singles, values } from './covering.ts';

export interface PlannedContext {
  readonly context: Context;
  /** Which case, key and actor: their numbers in the axes. */
  readonly row: Row;
  /** How often its rule is asked with this history before. */
  readonly turn: number;
  /** The plainest context of a rule, or of one of its cases. */
  readonly first: boolean;
}

export interface HowDeep {
  /** `once`: in the plainest context alone. */
  readonly depth: Depth | 'once';
  readonly seed: number;
  /** How many times over, each with other rows of the covering array: for what shows only sometimes. */
  readonly repeat?: number;
}

/** All rounds. */
export function contextsOf(axes: Axes, { depth, seed, repeat = 1 }: HowDeep): PlannedContext[] {
  return Array.from({ length: repeat }, (_, round) => {
    const contexts = roundOf(axes, depth, (seed + round) >>> 0);
    return round === 0 ? contexts : contexts.map((each) => ({ ...each, first: false, turn: each.turn + round }));
  }).flat();
}

function roundOf(axes: Axes, depth: HowDeep['depth'], seed: number): PlannedContext[] {
  const { cases, keys, actors, connection, history, company } = axes;
  const sizes = [cases, keys, actors, connection, history, company].map(({ length }) => Math.max(1, length));
  const seen = new Set<string>();
  const turns = new Map<string, number>();
  const planned: PlannedContext[] = [];
  const rows = rowsAt(depth, sizes, seed);
  const all = axes.eachKey && depth !== 'once' ? [...rows, ...withEachKey(rows, sizes)] : rows;
  all.forEach((row, at) => {
    const context = contextAt(axes, row);
    const turn = turns.get(context.history) ?? 0;
    const name = JSON.stringify(context);
    if (seen.has(name)) return;
    seen.add(name);
    turns.set(context.history, turn + 1);
    planned.push({ context, row, turn, first: at < sizes[0]! });
  });
  return planned;
}

function contextAt(axes: Axes, [c = 0, k = 0, a = 0, n = 0, h = 0, m = 0]: Row): Context {
  const one = axes.cases[c];
  const actor = one?.actor ?? axes.actors[a];
  return {
    key: one?.key ?? axes.keys[k] ?? 'live',
    connection: axes.connection[n]!,
    history: axes.history[h]!,
    company: axes.company[m]!,
    ...(actor === undefined ? {} : { actor }),
    ...(one === undefined ? {} : { case: one.name }),
  };
}

function rowsAt(depth: HowDeep['depth'], sizes: readonly number[], seed: number): readonly Row[] {
  if (depth === 'once') return singles(sizes);
  if (depth === 'thorough') return [...singles(sizes), ...product(sizes).filter(isDeeper)];
  return coveringRows(depth, sizes, seed);
}

/** What is missing of each case with each key, in the plainest context. */
function withEachKey(rows: readonly Row[], sizes: readonly number[]): Row[] {
  const there = new Set(rows.map(([one, key]) => `${one} ${key}`));
  return product(sizes.slice(0, 2)).flatMap(([one = 0, key = 0]) =>
    there.has(`${one} ${key}`) ? [] : [sizes.map((_, at) => (at === 0 ? one : at === 1 ? key : 0))],
  );
}

/** Whether a row is not one of the singles, which are asked first. */
const isDeeper = (row: Row): boolean => row.slice(1).some((value) => value !== 0);

/** The same sizes come back for many rules, and for thousands of runs in the matrix. */
const cache = new Map<string, readonly Row[]>();

function coveringRows(depth: 'quick' | 'standard', sizes: readonly number[], seed: number): readonly Row[] {
  const name = `${depth} ${sizes.join(' ')} ${seed}`;
  let rows = cache.get(name);
  if (rows === undefined) {
    if (cache.size > 500) cache.clear();
    const random = seeded(seed ^ hashOf(sizes.join(' ')));
    if (depth === 'quick') rows = values(sizes, random);
    else rows = (sizes[0] ?? 1) > largestPaired ? rotated(sizes, random) : pairs(sizes, random);
    cache.set(name, rows);
  }
  return rows;
}
