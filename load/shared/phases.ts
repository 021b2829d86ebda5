/**
 * Which requests a scenario means to begin when. Pure, and imports nothing: k6 plans by it and Touchstone reads by it, so
 * that both mean the same slot by the same number.
 */

export interface Settings {
  /** Requests a second: of the whole load, over all its parts. */
  readonly perSecond: number;
  readonly seconds: number;
  readonly warmUpSeconds: number;
  /** The limit a second that `limits` multiplies, and how many keys it holds for at once. */
  readonly limitPerSecond: number;
  /** What the quiet key of `isolation` does. */
  readonly quietPerSecond: number;
  readonly keys: number;
  /** Between two multiples of the limit: what was spent comes back. */
  readonly restSeconds: number;
}

/** Requests at even distances: slot n is to begin `from + n / perSecond` seconds after the start. */
export interface Phase {
  /** What a reader calls it; undefined where the whole load is one thing. */
  readonly group?: string;
  readonly from: number;
  readonly seconds: number;
  readonly perSecond: number;
  /** Which keys take turns: from and up to. */
  readonly keys: readonly [number, number];
  /** Requests before this second of the schedule are warm-up. */
  readonly measuredFrom: number;
}

/** Of the known limit, offered one after the other. */
const limitFactors = [0.5, 1, 1.5, 3] as const;

const spikeFactor = 2;

export function phasesOf(scenario: string, settings: Settings): readonly Phase[] {
  const { perSecond, seconds, warmUpSeconds: warmUp, keys } = settings;
  const whole = { from: 0, seconds: warmUp + seconds, measuredFrom: warmUp };
  const all: readonly [number, number] = [0, keys];
  switch (scenario) {
    case 'limits':
      return limitFactors.map((factor, at) => {
        const from = at * (seconds + settings.restSeconds);
        const rate = factor * settings.limitPerSecond;
        return { group: `${factor} × the limit`, from, seconds, perSecond: rate, keys: all, measuredFrom: from };
      });
    case 'isolation': {
      // The quiet key first alone, then beside the noisy one.
      const quiet = { perSecond: settings.quietPerSecond, keys: [1, 2] as const };
      const together = warmUp + seconds;
      return [
        { group: 'quiet, alone', ...whole, ...quiet },
        { group: 'quiet, beside the noisy one', from: together, seconds, measuredFrom: together, ...quiet },
        { group: 'noisy', from: together, seconds, measuredFrom: together, perSecond, keys: [0, 1] },
      ];
    }
    case 'spike': {
      const calm = warmUp + seconds;
      const after = calm + seconds;
      const at = (group: string, from: number, rate: number): Phase => {
        return { group, from, seconds, perSecond: rate, keys: all, measuredFrom: from };
      };
      return [
        { group: 'before', ...whole, perSecond: perSecond / 2, keys: all },
        at('spike', calm, spikeFactor * perSecond),
        at('after', after, perSecond / 2),
      ];
    }
    default:
      return [{ ...whole, perSecond, keys: all }];
  }
}

/** k6 takes whole numbers, so rates are kept to a thousandth. */
export const perThousandSeconds = ({ perSecond }: Phase): number => Math.max(1, Math.round(perSecond * 1000));

/** Slots of a phase; what is begun after its end is none. */
export const slotsOf = (phase: Phase): number => Math.ceil((phase.seconds * perThousandSeconds(phase)) / 1000 - 1e-9);

/** Milliseconds after the start of the phase. */
export const slotAtMs = (phase: Phase, slot: number): number => (slot * 1e6) / perThousandSeconds(phase);

/** Sent after the last slot and not counted: a moment of lateness at the very end would else cost slots. */
export const tailSeconds = 0.5;

/** How long the schedule is. */
export const secondsOf = (phases: readonly Phase[]): number =>
  Math.max(...phases.map(({ from, seconds }) => from + seconds)) + tailSeconds;

/** Whoever must send is free: for requests that take `slowestSeconds`, and some more. */
export const vusFor = ({ perSecond }: Phase, slowestSeconds: number, atMost: number): number =>
  Math.max(10, Math.min(atMost, Math.ceil(perSecond * slowestSeconds * 1.2)));
