/**
 * Covering arrays: rows such that every pair of values of any two dimensions stands together in some row. Greedy, seeded,
 * and begun with the rows that a quick run asks, so that a deeper run asks those first.
 */
import { type Random, shuffled } from '../random.ts';

/** A row names, for each dimension, the number of its value. */
export type Row = readonly number[];

/** One row for each value of the first dimension, everything else at its first value. */
export function singles(sizes: readonly number[]): Row[] {
  return Array.from({ length: sizes[0] ?? 1 }, (_, value) => sizes.map((_, at) => (at === 0 ? value : 0)));
}

/** The singles, and so many rows more that every value of every dimension is in one of them, each time with others. */
export function values(sizes: readonly number[], random: Random): Row[] {
  const further = Math.max(...sizes.slice(1), 1) - 1;
  const orders = sizes.map((size, at) => {
    const later = shuffled(
      Array.from({ length: size - 1 }, (_, value) => value + 1),
      random,
    );
    // A dimension of fewer values says the same ones again: what is odd in one of them may be so only next to another.
    return at === 0 ? [] : Array.from({ length: further }, (_, row) => later[row] ?? Math.floor(random() * size));
  });
  const rows = Array.from({ length: further }, (_, row) =>
    orders.map((order, at) => (at === 0 ? Math.floor(random() * sizes[0]!) : order[row]!)),
  );
  return [...singles(sizes), ...rows];
}

export function product(sizes: readonly number[]): Row[] {
  let rows: number[][] = [[]];
  for (const size of sizes) rows = rows.flatMap((row) => Array.from({ length: size }, (_, value) => [...row, value]));
  return rows;
}

/** A family with more members than this is not paired with everything: see `rotated`. */
export const largestPaired = 6;

/** A family with more members than this is not even paired with the second dimension, which is the key. */
const largestWithKeys = 24;

/**
 * For a large family: the singles, each member with each key, and a covering array of the other dimensions of which each
 * member has a row in turn, until every member was asked in a second way and every row was asked by some member.
 */
export function rotated(sizes: readonly number[], random: Random): Row[] {
  const family = sizes[0]!;
  const others = pairs([1, ...sizes.slice(1)], random).slice(1);
  const rows = singles(sizes);
  if (others.length === 0) return rows;
  const taken = new Set<string>();
  let next = Math.floor(random() * others.length);
  const take = (member: number, wanted: (row: Row) => boolean): void => {
    for (let tries = 0; tries < others.length; tries += 1) {
      const at = (next + tries) % others.length;
      const row = others[at]!;
      if (!wanted(row) || taken.has(`${member} ${at}`)) continue;
      next = at + 1;
      taken.add(`${member} ${at}`);
      rows.push([member, ...row.slice(1)]);
      return;
    }
  };
  for (let key = family <= largestWithKeys ? 1 : (sizes[1] ?? 1); key < (sizes[1] ?? 1); key += 1) {
    for (let member = 0; member < family; member += 1) take(member, (row) => row[1] === key);
  }
  others.forEach((row, at) => {
    if (rows.some((each) => each.slice(1).join() === row.slice(1).join())) return;
    rows.push([at % family, ...row.slice(1)]);
  });
  for (let member = 0; member < family; member += 1) {
    if (rows.filter((row) => row[0] === member).length < 2) take(member, () => true);
  }
  return rows;
}

export function pairs(sizes: readonly number[], random: Random): Row[] {
  const open = new Uncovered(sizes);
  const rows: Row[] = [];
  const take = (row: Row): void => {
    open.cover(row);
    rows.push(row);
  };
  for (const row of singles(sizes)) take(row);
  while (open.left > 0) take(bestRow(sizes, open, random));
  return rows;
}

/** From an open pair outwards, each dimension takes the value that covers most with what is there. */
function bestRow(sizes: readonly number[], open: Uncovered, random: Random): Row {
  const [a, va, b, vb] = open.any();
  const row = sizes.map(() => -1);
  row[a] = va;
  row[b] = vb;
  for (let at = 0; at < sizes.length; at += 1) {
    if (row[at] !== -1) continue;
    let best = 0;
    let most = -1;
    for (let value = 0; value < sizes[at]!; value += 1) {
      const gain = open.gain(row, at, value) + random() * 0.5;
      if (gain > most) {
        most = gain;
        best = value;
      }
    }
    row[at] = best;
  }
  return row;
}

class Uncovered {
  readonly #sizes: readonly number[];
  readonly #open = new Set<number>();
  readonly #base: number;

  constructor(sizes: readonly number[]) {
    this.#sizes = sizes;
    this.#base = Math.max(1, ...sizes);
    for (let a = 0; a < sizes.length; a += 1)
      for (let b = a + 1; b < sizes.length; b += 1)
        for (let va = 0; va < sizes[a]!; va += 1)
          for (let vb = 0; vb < sizes[b]!; vb += 1) this.#open.add(this.#code(a, va, b, vb));
  }

  get left(): number {
    return this.#open.size;
  }

  any(): [number, number, number, number] {
    const [code] = this.#open;
    return this.#decode(code!);
  }

  cover(row: Row): void {
    for (let a = 0; a < row.length; a += 1)
      for (let b = a + 1; b < row.length; b += 1) this.#open.delete(this.#code(a, row[a]!, b, row[b]!));
  }

  /** How many open pairs a value would cover with the values that a row has already. */
  gain(row: Row, at: number, value: number): number {
    let gain = 0;
    for (let other = 0; other < row.length; other += 1) {
      const theirs = row[other]!;
      if (theirs === -1 || other === at) continue;
      const code = other < at ? this.#code(other, theirs, at, value) : this.#code(at, value, other, theirs);
      if (this.#open.has(code)) gain += 1;
    }
    return gain;
  }

  #code(a: number, va: number, b: number, vb: number): number {
    return ((a * this.#sizes.length + b) * this.#base + va) * this.#base + vb;
  }

  #decode(code: number): [number, number, number, number] {
    const vb = code % this.#base;
    const va = Math.floor(code / this.#base) % this.#base;
    const ab = Math.floor(code / this.#base / this.#base);
    return [Math.floor(ab / this.#sizes.length), va, ab % this.#sizes.length, vb];
  }
}
