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

/** Waits until so many calls more are within what is stated for an address, if that can be at all. */
export async function roomAt({ prober, options }: Pick<Ground, 'prober' | 'options'>, place: Place, calls: number) {
  const { addressLimit } = options;
  const most = part * (addressStated(options) ?? Number.POSITIVE_INFINITY);
  if (addressLimit === undefined || calls > most) return;
  const now = prober.now();
  const sent = prober.sentFrom(place, now - addressLimit.perMs);
  const tooMany = Math.ceil(sent.length + calls - most);
  if (tooMany <= 0) return;
  const wait = sent[tooMany - 1]! + addressLimit.perMs - now;
  if (wait <= prober.leftMs * longestShare) await prober.sleep(wait);
}
