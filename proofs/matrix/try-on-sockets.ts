/** The same trial over real sockets and a real clock: what the memory transport might hide. */
import { setTimeout as sleep } from 'node:timers/promises';
import { demoProfile } from '../../fixtures/profiles/demo.ts';
import {
  createService,
  type Listening,
  layered,
  listen,
  MemoryStore,
  type Service,
  seedsOf,
} from '../../fixtures/service/index.ts';
import { checkWith } from '../../src/check.ts';
import type { Catalogue } from '../../src/model/rule.ts';
import type { Run } from '../../src/model/run.ts';
import { profileFrom } from '../../src/profile/parse.ts';
import { seeded } from '../../src/random.ts';
import { adminToken, matrixKeys, type Trial, type Variant } from './try-on.ts';

export interface OnSockets extends Pick<Trial, 'depth' | 'seed'> {
  readonly concurrency?: number;
  /** Each answer is kept back for a while of up to so long. */
  readonly jitterMs?: number;
}

export async function tryOnSockets(catalogue: Catalogue, variant: Variant, trial: OnSockets): Promise<Run> {
  const { depth, seed, concurrency, jitterMs = 0 } = trial;
  const random = seeded(seed);
  const start = (place: 'main' | 'disabled', store: MemoryStore, port = 0): Promise<Listening> => {
    const lies = (variant.on ?? 'main') === place || variant.on === 'both';
    const service = createService({
      store,
      keys: seedsOf(matrixKeys),
      adminToken: place === 'main' ? adminToken : undefined,
      upstreamTimeoutMs: 150,
      keyLimits: false,
      addressLimit: false,
      ...(lies ? variant.options : {}),
      ...(lies && variant.overlays.length > 0 ? { decisions: layered(...variant.overlays) } : {}),
    });
    return listen(jitterMs === 0 ? service : late(service, () => random() * jitterMs), { host: '127.0.0.1', port });
  };
  const store = new MemoryStore();
  let main = await start('main', store);
  const disabled = await start('disabled', new MemoryStore());
  const places = { address: main.url, disabled: disabled.url, adminToken, keys: matrixKeys };
  const readFile = (): never => {
    throw new Error('the matrix reads no files');
  };
  const written = demoProfile(places);
  // A machine that is busy answers late, and this is not about bounds.
  const bounds = { ...written.bounds, timeout: '10s', upstream: '10s' };
  const profile = profileFrom({ ...written, bounds, ...variant.profile }, { source: 'the matrix', env: {}, readFile });
  const control = {
    restart: async () => {
      await main.close();
      main = await start('main', store, main.port);
    },
    dump: async () => new TextEncoder().encode(store.dump()),
  };
  try {
    return await checkWith(catalogue, profile, {
      depth,
      seed,
      control,
      ...(concurrency === undefined ? {} : { concurrency }),
    });
  } finally {
    await Promise.all([main.close(), disabled.close()]);
  }
}

const late = (service: Service, ms: () => number): Service => ({
  ...service,
  handle: async (request) => {
    await sleep(ms());
    return service.handle(request);
  },
});
