/** From samples to histograms, seconds and counts. Samples of several generators may come mixed: each slot is sent by one. */
import { highestRate, type Phase, warmUpSlots } from '../../load/shared/phases.ts';
import type { LatenciesByStatus, MeasuredGroup, MeasuredSecond, StatusClass } from '../model/measurement.ts';
import { statusClasses } from '../model/measurement.ts';
import { Histogram } from '../statistics/histogram.ts';
import { Alignment } from './alignment.ts';
import { type ByStatus, type Calm, emptyByStatus } from './calm/calm.ts';
import { Occupancy } from './occupancy.ts';
import type { Sample } from './samples.ts';
import { Seconds } from './seconds.ts';

const classOf = (status: number): StatusClass =>
  status >= 200 && status < 300 ? 'ok' : status === 429 ? 'limited' : 'other';

/** k6's numbers for why there was no answer, in words. */
const failures: Readonly<Record<string, string>> = {
  1050: 'no answer in time',
  1101: 'the host name is unknown',
  1201: 'the connection broke while sending',
  1210: 'no connection',
  1211: 'no connection in time',
  1212: 'connection refused',
  1220: 'connection reset',
  1310: 'the certificate is not trusted',
  1311: 'the certificate is not trusted',
};

export const exhausted = 'x';

const whatOf = ({ status, failure }: Sample): string => {
  if (status > 0) return String(status);
  if (failure?.endsWith(exhausted)) return 'this machine had no socket left';
  return failures[failure ?? ''] ?? `no answer (k6 error ${failure ?? 'unknown'})`;
};

interface Grouped {
  readonly name: string;
  readonly plannedPerSecond: number;
  readonly from: number;
  readonly to: number;
  readonly latencies: ByStatus;
}

const mostExamples = 5;

export class Tally {
  readonly latencies = emptyByStatus();
  readonly lag = Histogram.empty();
  readonly seconds = new Seconds();
  readonly answers = { checked: 0, wrong: 0, examples: [] as string[] };
  begun = 0;
  exhausted = 0;
  /** Of measured requests, in seconds of the schedule. */
  #firstBegan = Number.POSITIVE_INFINITY;
  #lastBegan = Number.NEGATIVE_INFINITY;
  readonly #phases: readonly Phase[];
  readonly #slots: readonly number[];
  readonly #warmUps: readonly number[];
  readonly #operations: number;
  readonly #zero: number;
  readonly #alignments = new Map<string, Alignment>();
  readonly #occupancies: readonly Occupancy[];
  readonly #others = new Map<string, number>();
  readonly #groups: readonly Grouped[];
  readonly #calm: Calm | undefined;
  /** How much our clock is ahead of each generator's at least: a sample is seen when it is over, or later. */
  readonly #ahead = new Map<number, number>();
  /** Seconds that were measured before: the same schedule may be gone through several times. */
  #before = 0;

  constructor(
    phases: readonly Phase[],
    operations: readonly { readonly name: string; readonly share: number }[],
    calm?: Calm,
  ) {
    this.#calm = calm;
    this.#phases = phases;
    this.#slots = phases.map((each) => each.slotsWithin());
    this.#warmUps = phases.map(warmUpSlots);
    this.#operations = operations.length;
    this.#zero = Math.min(...phases.map(({ measuredFrom }) => measuredFrom));
    this.#occupancies = phases.map(() => new Occupancy());
    this.#groups = phases.flatMap((phase) => {
      const when = { from: phase.measuredFrom - this.#zero, to: phase.from + phase.seconds - this.#zero };
      return operations.map(({ name, share }) => ({
        name: [phase.group, operations.length > 1 ? name : undefined].filter((each) => each !== undefined).join(', '),
        plannedPerSecond: highestRate(phase) * share,
        ...when,
        latencies: emptyByStatus(),
      }));
    });
  }

  /** `seenMs`: when, by the clock of the witness. */
  add(worker: number, sample: Sample, seenMs = 0): void {
    const phase = this.#phases[sample.phase];
    if (phase === undefined || sample.operation >= this.#operations || sample.slot >= this.#slots[sample.phase]!)
      return;
    const ahead = seenMs - sample.beganMs - sample.tookMs;
    this.#ahead.set(worker, Math.min(this.#ahead.get(worker) ?? ahead, ahead));
    const name = `${worker} ${sample.phase}`;
    let alignment = this.#alignments.get(name);
    if (alignment === undefined) {
      alignment = new Alignment(phase, (each, lagMs) => this.#take(worker, each, lagMs));
      this.#alignments.set(name, alignment);
    }
    alignment.take(sample);
  }

  settle(): void {
    for (const alignment of this.#alignments.values()) alignment.settle();
    this.#calm?.settle();
  }

  /** The same schedule once more, by generators that start again; what is measured follows on what was. */
  again(seconds: number): void {
    this.settle();
    this.#alignments.clear();
    this.#ahead.clear();
    this.#before += seconds;
  }

  #take(worker: number, sample: Sample, lagMs: number): void {
    const phase = this.#phases[sample.phase]!;
    const status = classOf(sample.status);
    const slotMs = phase.slotAt(sample.slot);
    const intended = this.#before + phase.from + slotMs / 1000;
    const latencyUs = (lagMs + sample.tookMs) * 1000;
    const counts = sample.slot >= this.#warmUps[sample.phase]!;
    const group = sample.phase * this.#operations + sample.operation;
    const dueMs = sample.beganMs - lagMs + this.#ahead.get(worker)!;
    this.#calm?.take({ dueMs, lagMs, tookMs: sample.tookMs, status, group, counts });
    if (sample.checked) this.#check(sample);
    // A warm-up in between belongs to no second of what is measured.
    if (!counts && this.#before > 0) return;
    this.#occupancies[sample.phase]!.add(1000 * this.#before + slotMs + lagMs, sample.tookMs);
    this.seconds.add(Math.floor(intended - this.#zero + 1e-9), status, latencyUs, lagMs * 1000);
    if (!counts) return;
    this.begun += 1;
    this.#firstBegan = Math.min(this.#firstBegan, intended + lagMs / 1000);
    this.#lastBegan = Math.max(this.#lastBegan, intended + lagMs / 1000);
    this.latencies[status].add(latencyUs);
    this.lag.add(lagMs * 1000);
    this.#groups[group]!.latencies[status].add(latencyUs);
    if (status !== 'other') return;
    const what = whatOf(sample);
    this.#others.set(what, (this.#others.get(what) ?? 0) + 1);
    if (sample.failure?.endsWith(exhausted)) this.exhausted += 1;
  }

  #check({ wrong }: Sample): void {
    this.answers.checked += 1;
    if (wrong === undefined) return;
    this.answers.wrong += 1;
    const { examples } = this.answers;
    if (examples.length < mostExamples && !examples.includes(wrong)) examples.push(wrong);
  }

  /** Over which requests really began. */
  get began(): { readonly from: number; readonly to: number } {
    return this.begun === 0 ? { from: 0, to: 0 } : { from: this.#firstBegan, to: this.#lastBegan };
  }

  usedAtMost(phase: number): number {
    return this.#occupancies[phase]!.most;
  }

  toLatencies(): LatenciesByStatus {
    return encoded(this.latencies);
  }

  series(): MeasuredSecond[] {
    return this.seconds.all();
  }

  /** Where the load is one thing, it has no parts. */
  groups(of?: Calm): MeasuredGroup[] {
    if (this.#groups.length < 2) return [];
    return this.#groups.map(({ latencies, to, ...rest }, at) => {
      return { ...rest, to: to + this.#before, latencies: encoded(of?.groups[at] ?? latencies) };
    });
  }

  others(): { readonly what: string; readonly count: number }[] {
    return [...this.#others].map(([what, count]) => ({ what, count })).sort((a, b) => b.count - a.count);
  }
}

export const encoded = (latencies: ByStatus): LatenciesByStatus =>
  Object.fromEntries(
    statusClasses.map((status) => [status, latencies[status].toLatencies()]),
  ) as unknown as LatenciesByStatus;
