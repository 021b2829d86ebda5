/** The reference service on loopback, twice (with and without an admin token), and the profile that describes it. */

import { demoProfile } from '../../fixtures/profiles/demo.ts';
import {
  createService,
  demoKeys,
  type Listening,
  listen,
  MemoryStore,
  type Service,
  seedsOf,
} from '../../fixtures/service/index.ts';
import { randomMaterial } from '../../fixtures/service/keys.ts';
import type { Control } from '../model/control.ts';
import { profileFrom } from '../profile/parse.ts';
import type { Profile } from '../profile/profile.ts';

export interface Reference {
  readonly profile: Profile;
  readonly control: Control;
  close(): Promise<void>;
}

/** Less than the profile's bound for it, so that a slow source is a 504 in time. */
const upstreamTimeoutMs = 200;

/** Low enough to be met by few calls, quick enough to be rested in a second. */
const limits = {
  keyLimits: {
    free: { burst: 10, perSecond: 10 },
    pro: { burst: 20, perSecond: 20 },
    scale: { burst: 40, perSecond: 40 },
  },
  addressLimit: { burst: 150, perSecond: 100 },
};
const noLimits = { keyLimits: false, addressLimit: false } as const;

export async function startReference(limited = false): Promise<Reference> {
  const keys = demoKeys(randomMaterial());
  const adminToken = randomMaterial();
  const store = new MemoryStore();
  // A check needs none: waiting them out would take most of the time.
  const make = (token: string | undefined, kept: MemoryStore): Service =>
    createService({
      store: kept,
      keys: seedsOf(keys),
      adminToken: token,
      upstreamTimeoutMs,
      ...(limited ? limits : noLimits),
    });
  let main: Listening = await listen(make(adminToken, store));
  const disabled = await listen(make(undefined, new MemoryStore()));
  const written = demoProfile({ address: main.url, disabled: disabled.url, adminToken, keys });
  const readFile = (): never => {
    throw new Error('the profile of the reference service names no files');
  };
  return {
    profile: profileFrom(written, { source: 'the embedded reference service', env: {}, readFile }),
    control: {
      restart: async () => {
        const { port } = main;
        await main.close();
        main = await listen(make(adminToken, store), { port });
      },
      dump: async () => new TextEncoder().encode(store.dump()),
    },
    close: async () => {
      await Promise.all([main.close(), disabled.close()]);
    },
  };
}
