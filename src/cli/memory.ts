/**
 * V8 lets a heap grow as long as there is room, and large answers make it grow by hundreds of megabytes that nobody needs any more. The space
 * for what lives shortly stays small, which costs nothing that can be measured; where the whole grows all the same, memory becomes
 * dearer than time, which costs a third: services that do not make it grow are asked at full speed.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { systemClock } from '../clock.ts';

/** From here on, it is collected before it has grown by half. */
const watchedAbove = 140 * 2 ** 20;
const dearAbove = 200 * 2 ** 20;
const everyMs = 50;

/** Returns what ends the watch. */
export function watchMemory(): () => void {
  setFlagsFromString('--semi-space-growth-factor=1');
  let cancel = (): void => {};
  const watch = (): void => {
    const size = sizeNow() ?? 0;
    if (size > watchedAbove) setFlagsFromString(`--heap-growing-percent=${size > dearAbove ? 20 : 50}`);
    if (size > dearAbove) setFlagsFromString('--optimize-for-size');
    else cancel = systemClock.later(everyMs, watch);
  };
  cancel = systemClock.later(everyMs, watch);
  return () => cancel();
}

/** Before each report of a long run: what the run and the report before it left behind would be in memory in addition to what this one needs. */
export function tidyMemory(): void {
  if ((sizeNow() ?? dearAbove) < dearAbove) return;
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  if (typeof collect === 'function') collect();
}

/** A look opens a file. Where as many are open as may be, this look is left out, and the run goes on. */
function sizeNow(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}
