/**
 * The highest rate that keeps a promise. Rates are doubled until one does not hold, then the gap is halved on a logarithmic
 * scale, and what was found is confirmed from below and from above for longer. Pure: `measure` does the work.
 */
import type { CapacityFigures } from '../../model/measurement.ts';
import { inWords, type Judged, judgeStep } from './judge.ts';
import { type Promised, type StepResult, secondsFor } from './step.ts';

export interface Search {
  readonly promise: Promised;
  /** The first rate, and the highest that may be tried. */
  readonly from: number;
  readonly most: number;
  /** How close the rate that held and the one that did not come, as a share. */
  readonly precision: number;
  /** How often a step is measured that stays undecided. */
  readonly tries: number;
  readonly warmUpSeconds: number;
  readonly stepSeconds: number;
  /** How long a rate is measured to be believed; also how long it has to hold. */
  readonly confirmSeconds: number;
}

export const usualSearch = {
  from: 10,
  precision: 0.04,
  tries: 3,
  warmUpSeconds: 3,
  stepSeconds: 10,
  confirmSeconds: 60,
} as const satisfies Partial<Search>;

/** What to measure with. Every step starts afresh: the queue of the one before is gone, and it is warmed up again. */
export interface StepPlan {
  readonly purpose: 'search' | 'confirm';
  readonly warmUpSeconds: number;
  readonly seconds: number;
  /** From 1: the same step again, because it stayed undecided. */
  readonly attempt: number;
}

export type Measure = (perSecond: number, what: StepPlan) => Promise<StepResult>;

export interface Found {
  readonly figures: CapacityFigures;
  readonly interrupted?: true;
}

/** The lowest rate that is tried where even the first does not hold: below, a step takes ever longer. */
export const leastRate = ({ from }: Pick<Search, 'from'>): number => from / 32;
/** The confirmation may refute the result; how often to search again. */
const rounds = 3;

type Step = CapacityFigures['steps'][number];

interface Refused {
  readonly perSecond: number;
  readonly judged: Judged;
}

class Interrupted extends Error {}
class Gone extends Error {}

export async function searchCapacity(
  search: Search,
  measure: Measure,
  onStep: (step: Step) => void = () => {},
): Promise<Found> {
  const climb = new Climb(search, measure, onStep);
  try {
    for (let round = 1; round <= rounds; round += 1) {
      await climb.narrow();
      if (climb.held === undefined || (await climb.confirm())) break;
    }
  } catch (error) {
    if (error instanceof Interrupted) return { figures: climb.figures(), interrupted: true };
    if (!(error instanceof Gone)) throw error;
  }
  return { figures: climb.figures() };
}

class Climb {
  readonly #search: Search;
  readonly #measure: Measure;
  readonly #onStep: (step: Step) => void;
  readonly #steps: Step[] = [];
  /** Rates that held, and rates that did not with what stood in the way. Confirming takes from both. */
  #held: readonly number[] = [];
  #not: readonly Refused[] = [];
  #confirmed = false;
  #gone: number | undefined;

  constructor(search: Search, measure: Measure, onStep: (step: Step) => void) {
    this.#search = search;
    this.#measure = measure;
    this.#onStep = onStep;
  }

  get held(): number | undefined {
    return this.#held.length === 0 ? undefined : Math.max(...this.#held);
  }

  get #broke(): Refused | undefined {
    return this.#not.toSorted((a, b) => a.perSecond - b.perSecond)[0];
  }

  /** A weak moment of the generator a little above what held names nothing, where confirming has shown what does. */
  get #named(): Refused | undefined {
    const lowest = this.#broke;
    if (lowest?.judged.constraint !== 'generator' || this.held === undefined) return lowest;
    const shown = this.#not.find(
      ({ perSecond, judged }) => judged.constraint !== 'generator' && perSecond <= whole(1.1 * this.held!),
    );
    return shown ?? lowest;
  }

  /** Until the rate that held and the one that did not are close, or no rate is left. */
  async narrow(): Promise<void> {
    const { from, most, precision } = this.#search;
    for (;;) {
      const [held, broke] = [this.held, this.#broke?.perSecond];
      // A generator that fails at the first rate is hampered by something else than the rate.
      if (held === undefined && this.#broke?.judged.constraint === 'generator') return;
      let next: number;
      if (held === undefined) next = broke === undefined ? Math.min(from, most) : broke / 2;
      else if (broke === undefined) next = Math.min(2 * held, most);
      else if (broke / held <= 1 + precision) return;
      else next = Math.sqrt(held * broke);
      const rate = whole(next);
      // Rounding may leave nothing between the two.
      if (rate < leastRate(this.#search) || rate === held || rate === broke) return;
      this.#note(rate, await this.#take(rate, 'search'));
    }
  }

  /** A little below it must hold for longer, and a little above it must not. False: it was refuted, and is to be searched again. */
  async confirm(): Promise<boolean> {
    const { most } = this.#search;
    const held = this.held!;
    const below = whole(0.9 * held);
    const slower = await this.#take(below, 'confirm');
    // A generator that has a bad minute refutes nothing, and confirms nothing.
    if (slower.constraint === 'generator') return true;
    this.#note(below, slower);
    if (slower.verdict !== 'held') {
      this.#held = this.#held.filter((each) => each < below);
      return false;
    }
    if (held < most) {
      const above = whole(Math.min(1.1 * held, most));
      const faster = await this.#take(above, 'confirm');
      if (faster.constraint === 'generator' && this.#broke?.judged.constraint !== 'generator') return true;
      this.#note(above, faster);
      if (faster.verdict === 'held') {
        this.#not = this.#not.filter(({ perSecond }) => perSecond > above);
        return false;
      }
    }
    this.#confirmed = true;
    return true;
  }

  figures(): CapacityFigures {
    const { promise } = this.#search;
    const broke = this.#named;
    return {
      constraint: broke?.judged.constraint ?? 'ladder',
      ...(this.held === undefined ? {} : { held: this.held }),
      ...(broke === undefined ? {} : { broke: broke.perSecond }),
      ...(this.#gone === undefined ? {} : { gone: this.#gone }),
      confirmed: this.#confirmed,
      promise: inWords(promise),
      steps: this.#steps,
    };
  }

  /** Measured until it is decided, or until the attempts are used up. A weak moment of the generator gets a second chance too. */
  async #take(perSecond: number, purpose: StepPlan['purpose']): Promise<Judged> {
    let attempt = 1;
    let judged: Judged;
    for (;;) {
      const step = await this.#step(perSecond, purpose, attempt);
      judged = step.judged;
      if (step.dead && !(await this.#answersAtAll())) {
        this.#gone = perSecond;
        this.#note(perSecond, judged);
        throw new Gone();
      }
      const again = judged.verdict === 'unsure' || judged.constraint === 'generator';
      if (!again || attempt >= this.#search.tries) break;
      attempt += 1;
    }
    return judged;
  }

  async #step(
    perSecond: number,
    purpose: StepPlan['purpose'],
    attempt: number,
  ): Promise<{ judged: Judged; dead: boolean }> {
    const { promise, warmUpSeconds, stepSeconds, confirmSeconds } = this.#search;
    const seconds = secondsFor(perSecond, promise.percent, purpose === 'search' ? stepSeconds : confirmSeconds);
    const result = await this.#measure(perSecond, { purpose, warmUpSeconds, seconds, attempt });
    const judged = judgeStep(result, promise, confirmSeconds);
    const step: Step = { perSecond, verdict: judged.verdict, why: judged.why };
    this.#steps.push(step);
    this.#onStep(step);
    if (judged.interrupted) throw new Interrupted();
    return { judged, dead: judged.verdict === 'broke' && result.successes === 0 };
  }

  /** A service that a rate has killed breaks every promise from then on, which says nothing about the other rates. */
  async #answersAtAll(): Promise<boolean> {
    if (this.#held.length === 0) return false;
    const { dead } = await this.#step(Math.min(...this.#held), 'search', 1);
    return !dead;
  }

  #note(perSecond: number, judged: Judged): void {
    if (judged.verdict === 'held') this.#held = [...this.#held, perSecond];
    else this.#not = [...this.#not, { perSecond, judged }];
  }
}

/** Three digits: a rate that people can repeat. */
const whole = (perSecond: number): number => Number(perSecond.toPrecision(3));
