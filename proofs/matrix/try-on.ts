/** One check of one variant of the reference service, in memory: the cell row of the matrix. */

import { demoProfile } from '../../fixtures/profiles/demo.ts';
import {
  createService,
  demoKeys,
  layered,
  MemoryStore,
  type Overlay,
  type Service,
  type ServiceOptions,
  seedsOf,
} from '../../fixtures/service/index.ts';
import type { Clock } from '../../src/clock.ts';
import { runEngine } from '../../src/engine/engine.ts';
import type { EngineOptions, RunEvent } from '../../src/engine/options.ts';
import type { Stalls } from '../../src/engine/stalls.ts';
import type { Transport } from '../../src/http/transport.ts';
import type { Journal } from '../../src/model/journal.ts';
import type { Catalogue } from '../../src/model/rule.ts';
import { areaOf } from '../../src/model/rule.ts';
import type { Depth, Run, RunRecord } from '../../src/model/run.ts';
import type { Waiving } from '../../src/model/waiving.ts';
import { profileFrom } from '../../src/profile/parse.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { seeded, word } from '../../src/random.ts';
import { memorySources } from '../../src/sources/memory.ts';
import { MemoryTransport } from './memory-transport.ts';
import { VirtualClock } from './virtual-clock.ts';

export interface Variant {
  readonly name: string;
  readonly on?: 'main' | 'disabled' | 'both';
  readonly options?: Partial<ServiceOptions>;
  readonly overlays: readonly Overlay[];
  readonly profile?: Readonly<Record<string, unknown>>;
  /** Only rules of these areas are asked, over a wire that takes its time: for variants that nobody else can see. */
  readonly areas?: readonly string[];
}

export interface Trial {
  readonly depth: Depth;
  readonly seed: number;
  readonly repeat?: number;
  readonly stalls?: Stalls;
  readonly signal?: AbortSignal;
  readonly maxDurationMs?: number;
  readonly on?: (event: RunEvent) => void;
  readonly bail?: boolean;
  readonly write?: (record: RunRecord) => void;
  readonly journal?: Journal;
  readonly waiving?: Waiving;
  readonly witness?: NonNullable<EngineOptions['witness']>;
  /** What stands between the service and the engine: something that harms answers, say. */
  readonly wire?: (transport: Transport) => Transport;
}

const mainAddress = 'http://127.0.0.1:1001';
const disabledAddress = 'http://127.0.0.1:1002';
export const matrixKeys = demoKeys('matrix');
export const adminToken = 'matrix-admin-token-0123456789';

const written = demoProfile({ address: mainAddress, disabled: disabledAddress, adminToken, keys: matrixKeys });
const profiles = new Map<string, Profile>();

/** The demo profile, with the members that a variant replaces. */
function profileOf(replaced: Readonly<Record<string, unknown>> = {}): Profile {
  const name = JSON.stringify(replaced);
  let profile = profiles.get(name);
  if (profile === undefined) {
    const readFile = (): never => {
      throw new Error('the matrix reads no files');
    };
    profile = profileFrom({ ...written, ...replaced }, { source: 'the matrix', env: {}, readFile });
    profiles.set(name, profile);
  }
  return profile;
}

export async function tryOn(catalogue: Catalogue, variant: Variant, trial: Trial): Promise<Run> {
  const clock = new VirtualClock();
  const profile = profileOf(variant.profile);
  const random = seeded(trial.seed);
  const { sources, read } = memorySources({
    clock: clock as Clock,
    random,
    body: profile.sources.body,
    contentType: profile.sources.contentType,
  });
  const services = new Map<string, Service>();
  const start = (place: 'main' | 'disabled', store: MemoryStore): void => {
    const lies = (variant.on ?? 'main') === place || variant.on === 'both';
    services.set(
      place === 'main' ? mainAddress : disabledAddress,
      createService({
        clock: { now: () => clock.now(), sleep: (ms, signal) => clock.sleep(ms, signal).catch(() => {}) },
        readSource: read,
        random: () => word(random, 32),
        store,
        keys: seedsOf(matrixKeys),
        adminToken: place === 'main' ? adminToken : undefined,
        upstreamTimeoutMs: 200,
        keyLimits: false,
        addressLimit: false,
        ...(lies ? variant.options : {}),
        ...(lies && variant.overlays.length > 0 ? { decisions: layered(...variant.overlays) } : {}),
      }),
    );
  };
  const store = new MemoryStore();
  start('main', store);
  start('disabled', new MemoryStore());
  const { areas } = variant;
  const asked = areas === undefined ? undefined : catalogue.rules.filter(({ id }) => areas.includes(areaOf(id)));
  const transport = new MemoryTransport(
    services,
    clock,
    variant.areas === undefined ? undefined : () => 0.5 + random() * random() * 2,
  );
  return runEngine({
    ...(asked === undefined ? {} : { selected: new Set(asked.map(({ id }) => id)) }),
    profile,
    catalogue,
    transport: trial.wire === undefined ? transport : trial.wire(transport),
    direct: true,
    sources,
    clock: clock as Clock,
    control: {
      restart: async () => start('main', store),
      dump: async () => new TextEncoder().encode(store.dump()),
    },
    depth: trial.depth,
    seed: trial.seed,
    strict: false,
    ...(trial.repeat === undefined ? {} : { repeat: trial.repeat }),
    ...(trial.stalls === undefined ? {} : { stalls: trial.stalls }),
    ...(trial.signal === undefined ? {} : { signal: trial.signal }),
    ...(trial.maxDurationMs === undefined ? {} : { maxDurationMs: trial.maxDurationMs }),
    ...(trial.on === undefined ? {} : { on: trial.on }),
    ...(trial.bail === undefined ? {} : { bail: trial.bail }),
    ...(trial.write === undefined ? {} : { write: trial.write }),
    ...(trial.journal === undefined ? {} : { journal: trial.journal }),
    ...(trial.waiving === undefined ? {} : { waiving: trial.waiving }),
    ...(trial.witness === undefined ? {} : { witness: trial.witness }),
  });
}
