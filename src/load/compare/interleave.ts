/**
 * In which order repeats are made: sides take turns, and who begins a round changes, so that a machine that becomes slower
 * over the hour becomes so for all alike. A B · B A · A B …
 */
export function interleaved<T>(sides: readonly T[], repeats: number): T[] {
  return Array.from({ length: repeats }, (_, round) => (round % 2 === 0 ? sides : sides.toReversed())).flat();
}
