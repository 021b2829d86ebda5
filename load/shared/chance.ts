/** Chance that is no chance: the same seed and the same slot give the same choice, on whichever machine. */

/** 0 up to 1. */
export function drawn(seed: number, slot: number): number {
  let mixed = Math.imul(seed ^ 0x9e3779b9, 0x85ebca6b) ^ Math.imul(slot + 1, 0xc2b2ae35);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x7feb352d);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x846ca68b);
  return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32;
}

/** No two requests of a run have the same one, and none is a part of another: the capitals are no digits of theirs. */
export const nonceOf = (seed: number, phase: number, slot: number): string =>
  `N${seed.toString(36)}X${phase}X${slot.toString(36)}X`;
