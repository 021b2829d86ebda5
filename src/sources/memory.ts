/** The same sources without sockets, for tests with a virtual clock: instead of fetching an address, call `read`. */
import type { Clock } from '../clock.ts';
import {
  betweenBitsMs,
  betweenBlanksMs,
  bits,
  blanks,
  createRegistry,
  type RegistryOptions,
  type SourceAnswer,
} from './registry.ts';
import type { PlantedSource, Sources } from './sources.ts';

export interface MemorySources {
  readonly sources: Sources;
  /**
   * Resolves with the body of a working source; rejects as a client would, with `code`, for one that is broken. `heard` is told of
   * each bit of one that goes on.
   */
  read(url: string, signal: AbortSignal, heard?: () => void): Promise<string>;
}

export type MemoryOptions = Pick<RegistryOptions, 'random' | 'body' | 'contentType'> & { readonly clock: Clock };

/** Longer than anything waits, short enough for any timer. */
const forever = 7 * 24 * 3600 * 1000;

const base = 'http://sources.memory:80';
const refusedBase = 'http://sources.memory:1';

export function memorySources(options: MemoryOptions): MemorySources {
  const { clock, ...rest } = options;
  const registry = createRegistry({ ...rest, base: () => base, refusedBase: () => refusedBase });
  let closed = false;
  const sources: Sources = {
    plant: (slot, behaviour): PlantedSource => registry.plant(slot, behaviour),
    turn: registry.turn,
    reached: registry.reached,
    heard: registry.heard,
    strangers: registry.strangers,
    async close() {
      closed = true;
    },
  };
  return {
    sources,
    async read(url, signal, heard) {
      signal.throwIfAborted();
      if (closed || !url.startsWith(`${base}/`)) throw broken('ECONNREFUSED', `connect ECONNREFUSED ${url}`);
      registry.hear(url, url);
      return act(registry.visit(url), clock, signal, heard);
    },
  };
}

async function act(answer: SourceAnswer, clock: Clock, signal: AbortSignal, heard = (): void => {}): Promise<string> {
  switch (answer.kind) {
    case 'page':
      if (answer.afterMs !== undefined) await clock.sleep(answer.afterMs, signal);
      if (answer.bitByBit !== undefined) await clock.sleep((bits - 1) * betweenBitsMs, signal);
      if (answer.status === 200) return answer.body;
      throw broken(`HTTP_${answer.status}`, `the source answered ${answer.status}`);
    case 'cut-off':
      if (answer.staysOpen) {
        heard();
        await clock.sleep(forever, signal);
      }
      throw broken('ECONNRESET', 'the body ended before it was complete');
    case 'reset':
      throw broken('ECONNRESET', 'read ECONNRESET');
    case 'garbage':
      throw broken('HPE_INVALID_CONSTANT', 'Parse Error: Expected HTTP/');
    case 'silence':
      await clock.sleep(forever, signal);
      throw broken('ETIMEDOUT', 'the source never answered');
    case 'blanks':
      for (let left = blanks; left > 0; left -= 1) {
        heard();
        await clock.sleep(betweenBlanksMs, signal);
      }
      return ' '.repeat(blanks);
  }
}

const broken = (code: string, message: string): Error & { code: string } => Object.assign(new Error(message), { code });
