/**
 * Which requests a part of the load means to begin when. Pure, and imports nothing: k6 plans by it and Touchstone reads by
 * it, so that both mean the same slot by the same number.
 */

/** A part of a phase in which the rate stays, or changes evenly from one to the other. */
export interface Stretch {
  readonly seconds: number;
  /** Requests a second, at its beginning and at its end. */
  readonly from: number;
  readonly to: number;
}

/** A phase; when each request begins follows from it. */
export interface Told {
  /** What a reader calls it; undefined if the whole load is one thing. */
  readonly group?: string;
  /** Seconds of the whole schedule. */
  readonly from: number;
  readonly stretches: readonly Stretch[];
  /** Which keys take turns: from and up to. */
  readonly keys: readonly [number, number];
  /** Requests before this second of the schedule are warm-up. */
  readonly measuredFrom: number;
}

export interface Phase extends Told {
  readonly seconds: number;
  /** Requests a second, so many seconds after the start of the phase. */
  rateAt(second: number): number;
  /** Milliseconds after the start of the phase. */
  slotAt(slot: number): number;
  /** How many slots there are from one second of the phase up to another; if omitted, in all of it. What begins after its end does not count. */
  slotsWithin(from?: number, to?: number): number;
}

/** k6 takes whole numbers, so rates are kept to a thousandth. */
export const perThousandSeconds = (perSecond: number): number => Math.max(1, Math.round(perSecond * 1000));

export const isSteady = ({ stretches }: Told): boolean => stretches.every(({ from, to }) => from === to);

/** How far a slot may lie from a border by the last digits of its reckoning. */
const nearly = 1e-6;

export function phase(told: Told): Phase {
  const stretches = told.stretches
    .filter(({ seconds }) => seconds > 0)
    .map(({ seconds, from, to }) => {
      return { seconds, from: perThousandSeconds(from) / 1000, to: perThousandSeconds(to) / 1000 };
    });
  const last = stretches.at(-1)!;
  const seconds = stretches.reduce((sum, each) => sum + each.seconds, 0);
  // k6 sends the first request of a steady rate at once, and of one that changes when the first is due.
  const ahead = isSteady(told) ? 0 : 1;
  /** How much of the load is due by then: the area below the rates. */
  const dueBy = (second: number): number => {
    let [due, left] = [0, second];
    for (const { seconds: length, from, to } of stretches) {
      const within = Math.min(left, length);
      due += within * (from + ((to - from) * within) / (2 * length));
      left -= within;
      if (left <= 0) return due;
    }
    return due + left * last.to;
  };
  const slotsBefore = (second: number): number => Math.max(0, Math.ceil(dueBy(second) - ahead - nearly));
  return {
    ...told,
    stretches,
    seconds,
    rateAt(second) {
      let left = second;
      for (const { seconds: length, from, to } of stretches) {
        if (left < length) return from + ((to - from) * Math.max(0, left)) / length;
        left -= length;
      }
      return last.to;
    },
    slotAt(slot) {
      let [left, at] = [slot + ahead, 0];
      for (const { seconds: length, from, to } of stretches) {
        const area = (length * (from + to)) / 2;
        if (left <= area) {
          const slope = (to - from) / length;
          return 1000 * (at + (2 * left) / (from + Math.sqrt(from * from + 2 * slope * left)));
        }
        left -= area;
        at += length;
      }
      return 1000 * (at + left / last.to);
    },
    slotsWithin: (from = 0, to = seconds) => slotsBefore(Math.min(to, seconds)) - slotsBefore(Math.min(from, seconds)),
  };
}

/** Those that come before what is measured. */
export const warmUpSlots = ({ measuredFrom, from, slotsWithin }: Phase): number =>
  slotsWithin(0, Math.max(0, measuredFrom - from));

export const highestRate = ({ stretches }: Told): number =>
  Math.max(...stretches.flatMap(({ from, to }) => [from, to]));

/** Sent after the last slot and not counted: a moment of lateness at the very end would else cost slots. */
export const tailSeconds = 0.5;

/** How long the schedule is. */
export const secondsOf = (phases: readonly Phase[]): number =>
  Math.max(...phases.map(({ from, seconds }) => from + seconds)) + tailSeconds;

/** A virtual user is free for each request: for requests that take `slowestSeconds`, and some more. */
export const vusFor = (of: Told, slowestSeconds: number, atMost: number): number =>
  Math.max(10, Math.min(atMost, Math.ceil(highestRate(of) * slowestSeconds * 1.2)));
