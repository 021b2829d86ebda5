/**
 * What an address has is not spent by experiments that are about keys: an exhausted address refuses whatever a key does, and hides
 * that the key itself would have been served.
 */

import type { Place } from './call.ts';
import { addressStated, type Ground } from './ground.ts';

/** Of what is stated for an address. */
const part = 0.75;
/** Of the time that is left: longer waits are for other rules. */
const longestShare = 0.03;

type Standing = Pick<Ground, 'prober' | 'options'>;

/** How long it takes until so many calls more are within what is stated for an address; nothing where they never are. */
export function waitAt({ prober, options }: Standing, place: Place, calls: number): number {
  const { addressLimit } = options;
  const most = part * (addressStated(options) ?? Number.POSITIVE_INFINITY);
  if (addressLimit === undefined || calls > most) return 0;
  const now = prober.now();
  const sent = prober.sentFrom(place, now - addressLimit.perMs);
  const tooMany = Math.ceil(sent.length + calls - most);
  return tooMany <= 0 ? 0 : sent[tooMany - 1]! + addressLimit.perMs - now;
}

/** Waits for that, if it is no long wait. */
export async function roomAt(on: Standing, place: Place, calls: number): Promise<void> {
  const wait = waitAt(on, place, calls);
  if (wait > 0 && wait <= on.prober.leftMs * longestShare) await on.prober.sleep(wait);
}
