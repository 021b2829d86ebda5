/** When the kind is known: the calls that make its numbers sharp. */

import type { Fitted, Measured } from '../../model/limit-model.ts';
import { aliveIn } from '../model/fit.ts';
import { fitBucket } from '../model/fit-bucket.ts';
import { see } from '../model/seen.ts';
import { drain } from './experiments.ts';
import type { Run } from './run.ts';

const width = ({ value, low, high }: Measured): number => (high - low) / value;

export async function sharpen(run: Run, kinds: readonly Fitted[], quick: boolean): Promise<void> {
  const [kind] = kinds;
  if (kind === undefined || kinds.length !== 1) return;
  if (kind.delays) {
    const gap = 1000 / kind.perSecond!.value;
    // While the queue is never empty, its answers come at its own pace.
    if (!quick) await run.many(Math.max(40, Math.min(150, Math.ceil((20 * run.usualMs || 0) / gap))), gap * 0.9);
    return;
  }
  if (kind.kind === 'token bucket') await sharpenBucket(run, kind, quick ? 0.2 : 0.03);
  else if (!quick && kind.windowMs !== undefined && kind.kind !== 'sliding counter') await sharpenWindow(run, kind);
}

/** Paces in sequence, as multiples of the rate of tokens: what one pace hides, another shows. */
const paces = [1.4, 1.1, 1.8];

/**
 * Every call since the bucket was last full counts: with n of them, the rate is known to one in n and better. So
 * tokens are let come in and are counted, again and again; where the bucket is so small that it is full before an
 * answer is back, calls come faster than tokens instead, and those that are admitted are counted.
 */
async function sharpenBucket(run: Run, first: Fitted, wanted: number): Promise<void> {
  let bucket: Fitted | undefined = first;
  let streams = 0;
  for (let round = 0; round < 10 && bucket !== undefined; round += 1) {
    const rate = bucket.perSecond!;
    if (width(rate) <= wanted) break;
    const size = bucket.burst.value;
    const token = 1000 / rate.value;
    const way = Math.max(1, run.usualMs || 1);
    if (size * token < 4 * way || (size < 3 && token < 4 * way)) {
      if (streams >= paces.length) break;
      await run.many(140, token / paces[streams]!);
      streams += 1;
    } else if (size < 3) {
      await between(run, bucket);
    } else {
      const tokens = Math.min(40, Math.max(1, Math.floor(0.8 * size)));
      await run.sleep(tokens * token);
      await drain(run, Math.max(1, tokens - 1));
      if (token > 3 * way) await between(run, bucket);
    }
    bucket = fitBucket(see(run.trace));
  }
  if (bucket !== undefined && wanted < 0.1) await size(run, bucket);
}

/** A length is distinguished from the next one that people would choose: windows are watched where their end is still possible. */
async function sharpenWindow(run: Run, first: Fitted): Promise<void> {
  let window: Fitted | undefined = first;
  for (let round = 0; round < 3 && window !== undefined; round += 1) {
    const { low, high, value } = window.windowMs!;
    const way = Math.max(1, run.usualMs || 1);
    if (high - low <= Math.max(400, value * 0.005, 4 * way) || high - low <= value * 0.002) return;
    const [from, to] = window.phaseMs === undefined ? await afterBurst(run, window) : await nextEdge(run, window);
    const step = Math.max(2 * way, (to - from) / 10);
    for (let at = from; at <= to + step; at += step) {
      if (at < run.now()) continue;
      await run.until(at);
      if ((await run.ask()).admitted) break;
    }
    const kind: string = window.kind;
    window = aliveIn(run.trace).find((each) => each.kind === kind);
  }
}

/** A window that a call opens ends so long after it. */
async function afterBurst(run: Run, { windowMs, burst }: Fitted): Promise<readonly [number, number]> {
  await run.sleep(windowMs!.high * 1.02);
  const began = run.now();
  await drain(run, burst.value + 1);
  return [began + windowMs!.low, began + windowMs!.high + (run.usualMs || 0)];
}

/** A window of the clock ends a whole number of windows after the last end that was seen. */
async function nextEdge(run: Run, { windowMs, burst }: Fitted): Promise<readonly [number, number]> {
  const edge = see(run.trace).edges.at(-1)!;
  await drain(run, burst.value);
  const windows = Math.ceil((run.now() - edge.to) / windowMs!.low);
  return [edge.from + windows * windowMs!.low, edge.to + windows * windowMs!.high];
}

/** Asks at the moment that parts what is still possible in two. */
async function between(run: Run, bucket: Fitted): Promise<void> {
  const rate = bucket.perSecond!;
  let low = 1000 / rate.high;
  let high = 1000 / rate.low;
  await drain(run, 1);
  for (let tries = 0; tries < 8; tries += 1) {
    const from = run.trace.findLast(({ admitted }) => admitted)!.sentAt;
    const middle = (low + high) / 2;
    if (high - low < middle * 0.02) return;
    if (from + middle > run.now()) await run.until(from + middle);
    else await run.sleep(Math.max(2, middle / 10));
    if ((await run.ask()).admitted) high = middle;
    else low = middle;
    if (bucket.burst.value > 1 && tries > 2) return;
  }
}

/** As many as there can be and one more, at once and from full. */
async function size(run: Run, first: Fitted): Promise<void> {
  let bucket: Fitted | undefined = first;
  for (let round = 0; round < 3 && bucket !== undefined; round += 1) {
    const { low, high, value } = bucket.burst;
    if (low === high) return;
    await run.sleep((1000 * value * 1.1) / bucket.perSecond!.value + 50);
    await run.many(high + 1);
    bucket = aliveIn(run.trace).find(({ kind }) => kind === 'token bucket');
  }
}
