/**
 * When this machine kept time, by our side's signals alone: a thread that only waits and was woken late, time that the host took, requests
 * that began late. What was answered, and when, takes no part in the choice: a slot counts if nothing was lost at its time and in the
 * tenth of a second after it, so that latencies below that are exactly as long as they were. An answer that came later, just when time
 * was lost, may have been seen late: by as much it counts as a late beginning, which the verdict looks at.
 */
import type { CalmFigures, StatusClass } from '../../model/measurement.ts';
import { Histogram } from '../../statistics/histogram.ts';
import type { Notice } from './notice.ts';

/** Time is looked at in parts of this many milliseconds. */
const partMs = 5;
/** Parts from the slot's own on in which nothing may be lost: a tenth of a second. */
const horizon = 20;
/** As late as a start may be at most. A generator that takes in 800 answers at once, after a stall of the service, is late by 1 ms. */
export const senderLateMs = 3;
/** What was held up is sent at once and answered in turn: half as long as that lasted is omitted after it as well. */
const settling = 0.5;
/** An event later than this comes from another clock. */
const longestMs = 60_000;
/** What is under way has come, or was given up, so much after its time-out. */
const slackMs = 2000;

export interface Slot {
  /** When it was to begin, by the clock of the signals. */
  readonly dueMs: number;
  readonly lagMs: number;
  readonly tookMs: number;
  readonly status: StatusClass;
  readonly group: number;
  /** False in the warm-up. */
  readonly counts: boolean;
}

export type ByStatus = Readonly<Record<StatusClass, Histogram>>;

export const emptyByStatus = (): ByStatus => ({
  ok: Histogram.empty(),
  limited: Histogram.empty(),
  other: Histogram.empty(),
});

export class Calm {
  /** Of the slots that count. */
  readonly latencies = emptyByStatus();
  readonly lag = Histogram.empty();
  readonly groups: readonly ByStatus[];
  readonly #outside: Record<StatusClass, number> = { ok: 0, limited: 0, other: 0 };
  readonly #hold: number;
  readonly #lost = new Set<number>();
  readonly #served = new Set<number>();
  #told = { from: 0, to: -1 };
  readonly #slots = new Map<number, Slot[]>();
  /** Of the measured time. */
  readonly #parts = { all: 0, calm: 0, lost: 0 };
  /** Undecided is this one and all after it. */
  #next: number | undefined;
  #newest = Number.NEGATIVE_INFINITY;
  #isMeasuring = false;
  /** How many parts were lost together up to the next one, and until which what they held up is omitted. */
  #heldUp = 0;
  #settled = Number.NEGATIVE_INFINITY;

  constructor(timeoutMs: number, groups: number) {
    this.#hold = Math.ceil((timeoutMs + slackMs) / partMs);
    this.groups = Array.from({ length: groups }, emptyByStatus);
  }

  /** One of our processes did not get to run; or the service used the machine, and then lost time is no excuse. */
  tell({ what, fromMs, toMs }: Notice): void {
    const parts = what === 'lost' ? this.#lost : this.#served;
    const [from, to] = [Math.floor(fromMs / partMs), Math.ceil(Math.min(toMs, fromMs + longestMs) / partMs)];
    // Of many that began late together, each tells what the one before it has told.
    const known = what === 'lost' && from >= this.#told.from && from <= this.#told.to;
    for (let part = known ? this.#told.to : from; part < to; part += 1) parts.add(part);
    if (what === 'lost') this.#told = known ? { from: this.#told.from, to: Math.max(to, this.#told.to) } : { from, to };
  }

  #isLost(part: number): boolean {
    return this.#lost.has(part) && !this.#served.has(part);
  }

  take(slot: Slot): void {
    if (slot.lagMs > senderLateMs) this.tell({ what: 'lost', fromMs: slot.dueMs, toMs: slot.dueMs + slot.lagMs });
    const part = Math.floor(slot.dueMs / partMs);
    const others = this.#slots.get(part);
    if (others === undefined) this.#slots.set(part, [slot]);
    else others.push(slot);
    if (part <= this.#newest) return;
    this.#newest = part;
    this.#decide(part - this.#hold);
  }

  /** There is no more to come; or not before a pause. */
  settle(): void {
    this.#decide(this.#newest + 1);
    this.#next = undefined;
    this.#isMeasuring = false;
  }

  figures(): CalmFigures {
    const { all, calm, lost } = this.#parts;
    const inSeconds = (parts: number): number => (parts * partMs) / 1000;
    const outside = { ...this.#outside };
    return { share: all === 0 ? 0 : calm / all, seconds: inSeconds(all), lostSeconds: inSeconds(lost), outside };
  }

  #decide(end: number): void {
    if (this.#next === undefined && this.#slots.size > 0) this.#next = Math.min(...this.#slots.keys());
    if (this.#next === undefined) return;
    for (; this.#next < end; this.#next += 1) this.#decideOn(this.#next);
  }

  #decideOn(part: number): void {
    const isCalm = this.#isCalm(part);
    const slots = this.#slots.get(part) ?? [];
    if (slots.length > 0) this.#isMeasuring = slots[0]!.counts;
    if (this.#isMeasuring) {
      this.#parts.all += 1;
      if (isCalm) this.#parts.calm += 1;
      if (this.#isLost(part)) this.#parts.lost += 1;
    }
    for (const slot of slots) {
      if (!slot.counts) continue;
      if (isCalm) this.#count(slot);
      else this.#outside[slot.status] += 1;
    }
    this.#slots.delete(part);
    this.#lost.delete(part - 2);
    this.#served.delete(part - 2);
  }

  #isCalm(part: number): boolean {
    if (this.#isLost(part)) {
      this.#heldUp += 1;
      return false;
    }
    if (this.#heldUp > 0) this.#settled = Math.max(this.#settled, part + Math.ceil(settling * this.#heldUp));
    this.#heldUp = 0;
    for (let after = 1; after <= horizon; after += 1) if (this.#isLost(part + after)) return false;
    return part >= this.#settled;
  }

  #count({ dueMs, lagMs, tookMs, status, group }: Slot): void {
    const end = Math.floor((dueMs + lagMs + tookMs) / partMs);
    let late = 0;
    if (end > Math.floor(dueMs / partMs) + horizon)
      for (let part = this.#lost.has(end) ? end : end - 1; this.#lost.has(part); part -= 1) late += 1;
    const latencyUs = (lagMs + tookMs) * 1000;
    this.latencies[status].add(latencyUs);
    this.groups[group]![status].add(latencyUs);
    this.lag.add(1000 * Math.max(lagMs, late * partMs));
  }
}
