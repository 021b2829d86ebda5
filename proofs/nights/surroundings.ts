/** What a bad night needs: the reference service in this process, its profile in a folder, and the program as a child. */
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as passing } from 'node:timers/promises';
import { demoProfile } from '../../fixtures/profiles/demo.ts';
import {
  createService,
  demoKeys,
  listen,
  MemoryStore,
  type ServiceOptions,
  seedsOf,
} from '../../fixtures/service/index.ts';

export const bin = join(import.meta.dirname, '../../bin/touchstone.cjs');
const mark = 'TOUCHSTONE_NIGHT';
const adminToken = 'the-token-of-a-long-night';

export interface Place {
  readonly folder: string;
  readonly url: string;
  /** Identifiers of the keys that are valid and were not there from the beginning. */
  foreignKeys(): string[];
  /** Ends all connections, and listens again at the same port after this many milliseconds. */
  restart(pauseMs: number): Promise<void>;
  touchstone(args: readonly string[], how?: How): Started;
  close(): Promise<void>;
}

export interface How {
  readonly env?: Readonly<Record<string, string>>;
  /** What bash does in front of the program: `ulimit -n 64`. */
  readonly before?: string;
  readonly within?: string;
  /** For Node itself. */
  readonly node?: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

export interface Started {
  readonly pid: number;
  /** Processes of this start that are there, the program's children among them. */
  living(): number[];
  readonly ended: Promise<Ended>;
}

let starts = 0;

/** Low enough to be met by few calls. */
export const limitedService: ServiceOptions = {
  keyLimits: {
    free: { burst: 10, perSecond: 10 },
    pro: { burst: 20, perSecond: 20 },
    scale: { burst: 40, perSecond: 40 },
  },
  addressLimit: { burst: 150, perSecond: 100 },
};

export async function openPlace(options: ServiceOptions = {}, profile: object = {}): Promise<Place> {
  const folder = mkdtempSync(join(tmpdir(), 'touchstone-night-'));
  const keys = demoKeys('a-long-night-of-work');
  const store = new MemoryStore();
  const service = createService({
    store,
    keys: seedsOf(keys),
    adminToken,
    upstreamTimeoutMs: 1000,
    keyLimits: false,
    addressLimit: false,
    ...options,
  });
  let listening = await listen(service);
  const { url, port } = listening;
  const seeds = new Set(store.list().map(({ id }) => id));
  const written = demoProfile({ address: url, adminToken, keys });
  // A key whose identifier never came back is found by its mark.
  const create = { ...written.admin.create, body: { ...written.admin.create.body, label: '{mark}' } };
  const bounds = { timeout: '10s', upstream: '2s', revocation: '2s' };
  const marked = { ...written, bounds, admin: { ...written.admin, create }, ...profile };
  writeFileSync(join(folder, 'touchstone.json'), JSON.stringify(marked));
  return {
    folder,
    url,
    foreignKeys: () => store.list().flatMap(({ id, revoked }) => (revoked === null && !seeds.has(id) ? [id] : [])),
    async restart(pauseMs) {
      await listening.close();
      await passing(pauseMs);
      listening = await listen(service, { port });
    },
    touchstone: (args, how = {}) => started(folder, args, how),
    async close() {
      await listening.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function started(place: string, args: readonly string[], { env = {}, before, within = '.', node = [] }: How): Started {
  starts += 1;
  const name = `${process.pid}-${starts}`;
  const cwd = join(place, within);
  mkdirSync(cwd, { recursive: true });
  const line = [process.execPath, ...node, bin, ...args];
  const [program, ...rest] = before === undefined ? line : ['bash', '-c', `${before}; exec "$@"`, 'bash', ...line];
  const child = spawn(program!, rest, {
    cwd,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, [mark]: name, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let out = '';
  let err = '';
  child.stdout?.on('data', (text) => {
    out += text;
  });
  child.stderr?.on('data', (text) => {
    err += text;
  });
  return {
    pid: child.pid!,
    living: () => livingWith(`${mark}=${name}\0`),
    ended: new Promise((resolve) => child.on('close', (code, signal) => resolve({ code, signal, out, err }))),
  };
}

/** Linux shows the environment of our own processes; one that is dead and waits for its parent has none. */
function livingWith(text: string): number[] {
  return readdirSync('/proc').flatMap((each) => {
    if (!/^\d+$/.test(each)) return [];
    try {
      return readFileSync(`/proc/${each}/environ`, 'latin1').includes(text) ? [Number(each)] : [];
    } catch {
      return [];
    }
  });
}

/** Whether it becomes true within half a minute: other work may keep the machine busy. */
export async function soon(what: () => boolean, waitMs = 30_000): Promise<boolean> {
  for (let waited = 0; waited < waitMs; waited += 50) {
    if (what()) return true;
    await passing(50);
  }
  return what();
}
