/** Lengths of windows that a trace suggests, and where windows of a length would have to begin. */
import type { Edge } from './seen.ts';

export interface Span {
  readonly low: number;
  readonly high: number;
}

/** What people write into a configuration, in milliseconds, most usual first. */
const usual: readonly number[] = [
  ...[1, 60, 10, 5, 2, 30, 15, 3, 20, 300, 600, 900, 1800, 3600, 86_400].map((each) => each * 1000),
  ...Array.from({ length: 180 }, (_, at) => (at + 1) * 1000),
  ...[500, 250, 100, 200, 50, 1500, 2500, 750],
];

/** The usual lengths within some spans, and the middles of the spans themselves, for unusual services. */
export function lengthsWithin(spans: readonly Span[], most = 40): number[] {
  const found = new Set<number>();
  const narrow = [...spans].sort((a, b) => (a.high - a.low) / a.high - (b.high - b.low) / b.high);
  for (const { low, high } of narrow) {
    for (const length of usualWithin(low, high, 5)) found.add(length);
    if (low > 0) found.add((low + high) / 2);
    if (found.size >= most) break;
  }
  return [...found];
}

/** A few moments of a span, its middle first. */
export const within = ({ low, high }: Span, parts: number): number[] =>
  high - low < 0.5
    ? [(low + high) / 2]
    : Array.from({ length: parts }, (_, at) => low + ((at + 0.5) / parts) * (high - low)).sort(
        (a, b) => Math.abs(a - (low + high) / 2) - Math.abs(b - (low + high) / 2),
      );

export function usualWithin(low: number, high: number, most: number): number[] {
  const found: number[] = [];
  for (const length of usual) {
    if (length >= low && length <= high) found.push(length);
    if (found.length >= most) break;
  }
  return found;
}

/** Between two edges lies a whole number of windows; between those that lie closest, the fewest. */
export function spansBetween(edges: readonly Edge[], most = 12): Span[] {
  const pairs: Span[] = [];
  for (let at = 0; at < edges.length; at += 1) {
    for (let other = at + 1; other < Math.min(edges.length, at + 4); other += 1) {
      pairs.push({ low: edges[other]!.from - edges[at]!.to, high: edges[other]!.to - edges[at]!.from });
    }
  }
  const close = [...pairs].sort((a, b) => a.high - b.high).slice(0, most);
  const spans: Span[] = [];
  for (const { low, high } of new Set([...close, ...pairs.slice(-most)])) {
    for (const windows of [1, 2, 3]) spans.push({ low: Math.max(1, low / windows), high: high / windows });
  }
  return spans;
}

/**
 * Where windows of a length begin, if every edge holds such a moment: the phases that most edges allow, and between
 * which of them it lies.
 */
export function phasesOf(edges: readonly Edge[], lengthMs: number): Span & { readonly held: number } {
  let best = { low: 0, high: 0, held: 0 };
  const narrow = [...edges].sort((a, b) => a.to - a.from - (b.to - b.from)).slice(0, 24);
  for (const candidate of narrow) {
    const phase = candidate.to;
    let held = 0;
    let low = candidate.from;
    let high = phase;
    for (const edge of narrow) {
      const windows = Math.floor((edge.to - phase) / lengthMs + 1e-9);
      if (edge.from > phase + windows * lengthMs) continue;
      held += 1;
      low = Math.max(low, edge.from - windows * lengthMs);
      high = Math.min(high, edge.to - windows * lengthMs);
    }
    if (held > best.held) best = { low, high, held };
  }
  return best;
}
