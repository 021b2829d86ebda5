/** Which starts of a client say nothing of it, because this machine stood still. They are made again. */
import { type Trial, tooBusyMs } from '../model/client.ts';
import type { Exchange } from '../model/exchange.ts';

/** A client that waits for an answer as slow as this may be kept from it by a machine that is even busier. */
const slowMs = 4000;
const slowlyBusyMs = 2000;

/**
 * While this machine stood still, it failed though it was answered with success, or it called again: that it failed says nothing about the
 * client, and neither do its pauses.
 */
export const isSpoiled = ({ ended, exchanges: ids }: Trial, exchanges: ReadonlyMap<number, Exchange>): boolean =>
  (ids.length > 1 && ended.stalledMs > tooBusyMs) || deniesAnswers(ended, ids, exchanges);

const deniesAnswers = (
  ended: Trial['ended'],
  ids: Trial['exchanges'],
  exchanges: ReadonlyMap<number, Exchange>,
): boolean =>
  ended.stopped === undefined &&
  ids.some((id) => {
    const call = exchanges.get(id);
    if (call === undefined || !isSuccess(call.response?.status)) return false;
    const isSlow = call.at.end - call.at.sent > slowMs;
    return ended.stalledMs > (isSlow ? slowlyBusyMs : tooBusyMs) && (isSlow || ended.outcome === 'failed');
  });

const isSuccess = (status = 0): boolean => status >= 200 && status < 300;
