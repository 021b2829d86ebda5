/** Which slots of a schedule were sent: each once, by any sender. A bit each, so that hours of them are few bytes. */
import type { Phase } from '../../../load/shared/phases.ts';

export class Slots {
  readonly #phases: readonly { readonly slots: number; readonly seen: Uint8Array }[];
  #twice = 0;

  constructor(phases: readonly Phase[]) {
    this.#phases = phases.map((phase) => ({
      slots: phase.slotsWithin(),
      seen: new Uint8Array(Math.ceil(phase.slotsWithin() / 8)),
    }));
  }

  /** False if it is there already. Samples outside the schedule do not count. */
  take(phase: number, slot: number): boolean {
    const { slots, seen } = this.#phases[phase] ?? { slots: 0, seen: new Uint8Array() };
    if (slot >= slots) return true;
    const bit = 1 << (slot & 7);
    const there = (seen[slot >> 3]! & bit) !== 0;
    seen[slot >> 3]! |= bit;
    if (there) this.#twice += 1;
    return !there;
  }

  get twice(): number {
    return this.#twice;
  }
}
