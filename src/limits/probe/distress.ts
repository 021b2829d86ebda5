/** Signs that a service suffers from being asked, or no longer listens to this key. Pure: from what was answered last. */
import { isOut, type Trace } from '../model/trace.ts';

const slowPulses = 3;
const timesAsSlow = 10;
/** Ten times next to nothing is not much yet. */
const leastMs = 250;

export class Distress {
  #lastHead = Number.NEGATIVE_INFINITY;
  #usualMs = Number.NaN;
  readonly #first: number[] = [];
  /** The quickest answers to calls that were sent together: what one takes, however many queue behind it. */
  readonly #pulses: number[] = [];

  /** What a call usually takes: the quickest of the first few, for those were sent alone. */
  get usualMs(): number {
    return this.#usualMs;
  }

  /** Why nothing more should be asked; undefined if nothing speaks against it. */
  watch(answers: Trace, all: Trace): string | undefined {
    const why = shutOut(all) ?? failing(all);
    if (why !== undefined) return why;
    this.#beat(answers);
    const last = this.#pulses.slice(-slowPulses);
    const most = Math.max(timesAsSlow * this.#usualMs, this.#usualMs + leastMs);
    if (last.length < slowPulses || last.some((tookMs) => tookMs <= most)) return undefined;
    const [now, before] = [last.at(-1)!, this.#usualMs].map((ms) => Math.round(ms));
    return `the service is in distress: it takes ${now} ms for what took ${before} ms at first`;
  }

  #beat(answers: Trace): void {
    const answered = answers.filter(({ status }) => status !== 0);
    if (answered.length === 0) return;
    const times = answered.map(({ sentAt, headAt }) => headAt - sentAt);
    const tookMs = Math.min(...times);
    const begun = Math.min(...answered.map(({ sentAt }) => sentAt));
    const idleMs = begun - this.#lastHead;
    this.#lastHead = Math.max(this.#lastHead, ...answered.map(({ headAt }) => headAt));
    if (answers.length === 1 && this.#first.length < 8) {
      this.#first.push(tookMs);
      this.#usualMs = Math.min(...this.#first);
    }
    // A queue that admits one call at a time makes close followers wait, and is not in distress; of many
    // that were sent together, it makes each wait longer than the one before.
    const isEven = times.length > 2 && Math.max(...times) - tookMs < (times.length - 1) * tookMs * 0.5;
    const isQueued = idleMs < 2 * tookMs && !isEven && answered.every(({ admitted }) => admitted);
    if (!isQueued) this.#pulses.push(tookMs);
    if (this.#pulses.length > slowPulses) this.#pulses.shift();
  }
}

/** A key that is revoked meanwhile is no limit. */
function shutOut(all: Trace): string | undefined {
  const last = all.slice(-3);
  if (all.length === 0 || !last.every(isOut)) return undefined;
  const { status } = last.at(-1)!;
  if (all.every(isOut)) return `the key is not accepted: calls are answered with ${status}`;
  return last.length < 3
    ? undefined
    : `the key is no longer accepted: since call ${all.findLastIndex((each) => !isOut(each)) + 2}, calls are answered with ${status}`;
}

function failing(all: Trace): string | undefined {
  const last = all.slice(-20);
  const silent = last.filter(({ status }) => status === 0).length;
  const broken = silent + last.filter(({ status }) => status >= 500).length;
  const inARow = all.length >= 3 && all.slice(-3).every((each) => each.status === 0 || each.status >= 500);
  if (!inARow && (last.length < 5 || broken * 5 <= last.length * 2)) return undefined;
  const how = silent * 2 >= broken ? 'give no answer' : 'are answered with a 5xx';
  return `the service is in distress: ${broken} of the last ${last.length} calls ${how}`;
}
