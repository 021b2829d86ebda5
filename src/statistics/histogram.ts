/** Latencies in microseconds that can be merged without loss. The one owner of hdr-histogram-js. */
import * as hdr from 'hdr-histogram-js';
import type { Latencies } from '../model/measurement.ts';

/** An hour: whatever takes longer counts as that. */
export const longestUs = 3_600_000_000;

export class Histogram {
  readonly #of: hdr.JsHistogram;

  private constructor(of: hdr.JsHistogram) {
    this.#of = of;
  }

  static empty(): Histogram {
    return new Histogram(
      hdr.build({
        bitBucketSize: 64,
        lowestDiscernibleValue: 1,
        highestTrackableValue: longestUs,
        numberOfSignificantValueDigits: 3,
        autoResize: false,
        useWebAssembly: false,
      }) as hdr.JsHistogram,
    );
  }

  static of({ histogram }: Latencies): Histogram {
    const merged = Histogram.empty();
    if (histogram !== undefined) merged.#of.add(hdr.decodeFromCompressedBase64(histogram) as hdr.JsHistogram);
    return merged;
  }

  get count(): number {
    return this.#of.totalCount;
  }

  get maxUs(): number {
    return this.count === 0 ? 0 : this.#of.maxValue;
  }

  /** A negative delay, by a clock that counts in milliseconds, is no delay. */
  add(us: number, times = 1): void {
    const value = Math.min(longestUs, Math.max(0, Math.round(us)));
    if (times === 1) this.#of.recordValue(value);
    else this.#of.recordValueWithCount(value, times);
  }

  merge(other: Histogram): void {
    if (other.count > 0) this.#of.add(other.#of);
  }

  /** 0 < percent <= 100. */
  percentileUs(percent: number): number {
    return this.count === 0 ? 0 : this.#of.getValueAtPercentile(percent);
  }

  /** How many were at most this long, as exactly as the histogram knows. */
  countUpTo(us: number): number {
    let count = 0;
    for (const each of this.values()) if (each.us <= us) count += each.count;
    return count;
  }

  /** The values that were counted, lowest first. */
  values(): readonly { readonly us: number; readonly count: number }[] {
    const found: { us: number; count: number }[] = [];
    const iterator = this.#of.recordedValuesIterator;
    iterator.reset();
    while (iterator.hasNext()) {
      const { valueIteratedTo, countAtValueIteratedTo } = iterator.next();
      found.push({ us: valueIteratedTo, count: countAtValueIteratedTo });
    }
    return found;
  }

  toLatencies(): Latencies {
    return this.count === 0
      ? { count: 0 }
      : { count: this.count, histogram: hdr.encodeIntoCompressedBase64(this.#of).toString() };
  }
}
