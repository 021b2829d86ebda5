/** A few questions outside of a run, sent and written down the same way. `init` and `doctor` come like this. */
import { type Clock, systemClock } from '../clock.ts';
import { createTransport } from '../http/undici-transport.ts';
import type { Control } from '../model/control.ts';
import type { Exchange } from '../model/exchange.ts';
import type { Profile } from '../profile/profile.ts';
import { freshSeed, seeded } from '../random.ts';
import { startSources } from '../sources/server.ts';
import { assemble } from './assemble.ts';
import { Gates } from './gates.ts';
import type { Session } from './session.ts';

export interface VisitOptions {
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
  readonly waiting?: (who: string, ms: number) => void;
  /** If omitted: the source server listens, for inputs that name its addresses. */
  readonly listening?: boolean;
  /** What the target lets be done with it: some rules need that. */
  readonly control?: Control;
}

export interface Visit {
  readonly session: Session;
  /** Every exchange so far, those that were answered 429 included. */
  readonly exchanges: readonly Exchange[];
  /** How long the service made the visit wait. */
  waitedMs(): number;
}

/** Rejects with the signal's reason where that ends it; everything is closed in any case. */
export async function visit<T>(
  profile: Profile,
  options: VisitOptions,
  work: (visit: Visit) => Promise<T>,
): Promise<T> {
  const { clock = systemClock, signal, waiting, listening = true, control = {} } = options;
  const sources = await startSources({ ...profile.sources, random: seeded(freshSeed()), listening });
  const transport = createTransport({ clock, tls: profile.tls });
  const gates = new Gates(clock, waiting);
  const exchanges: Exchange[] = [];
  const session = assemble(
    { profile, clock, transport, sources, seed: freshSeed(), control, ...(signal === undefined ? {} : { signal }) },
    gates,
    (exchange) => exchanges.push(exchange),
  );
  try {
    return await work({ session, exchanges, waitedMs: () => gates.waitedMs });
  } finally {
    await Promise.all([transport.close(), sources.close()]);
  }
}
