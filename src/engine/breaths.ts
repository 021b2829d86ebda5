/** Waits for a service that has too much to do at the moment, and says so: 503 and a short `Retry-After`. */
import type { Exchange } from '../model/exchange.ts';
import type { Sending } from './sending.ts';

/** How often one call waits, and how many that waited in vain are enough for a run. */
const most = 4;
const mostInVain = 3;
const briefly = /^0*[12]$/;

export class Breaths {
  #inVain = 0;

  /** How long to wait until the same is asked again; undefined where the answer stands. `taken`: how often this call has waited. */
  after({ response }: Exchange, sending: Sending, taken: number, patienceMs: number): number | undefined {
    const header = response?.headers.find(([name]) => name.toLowerCase() === 'retry-after');
    const isBusy = response?.status === 503 && briefly.test(header?.[1] ?? '') && !sending.once && !fails(sending);
    const ms = isBusy ? Number(header?.[1]) * 1000 : Number.POSITIVE_INFINITY;
    if (ms <= patienceMs && taken < most && this.#inVain < mostInVain) return ms;
    if (taken > 0) this.#inVain = isBusy ? this.#inVain + 1 : 0;
    return undefined;
  }
}

/** A source that says so itself, as it was told to, is no reason to wait. */
const fails = ({ planted }: Sending): boolean => planted?.sources.some(({ behaviour }) => behaviour !== 'ok') === true;
