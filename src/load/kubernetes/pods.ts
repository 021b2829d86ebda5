/** How many pods a rate needs, by what a request costs the generator. */

export interface Cost {
  /** Processor time of k6 for one request, with samples written. */
  readonly cpuMicroseconds: number;
  /** Of k6 itself, and of each VU. */
  readonly baseBytes: number;
  readonly vuBytes: number;
}

/** As `npm run bench:pods` measures it, rounded up. TLS and large bodies cost more. */
export const usualCost: Cost = { cpuMicroseconds: 300, baseBytes: 64 * 2 ** 20, vuBytes: 320 * 2 ** 10 };

export interface PodsNeeded {
  readonly pods: number;
  /** Cores that each of them keeps busy, and what to ask the cluster for. */
  readonly busyCores: number;
  readonly memoryBytes: number;
}

/** A generator that is busier than this measures itself. */
const busyAtMost = 0.6;

/** `vus`: requests that may be under way at once. */
export function podsFor(perSecond: number, vus: number, cores: number, cost: Cost = usualCost): PodsNeeded {
  const busy = (perSecond * cost.cpuMicroseconds) / 1e6;
  const pods = Math.max(1, Math.ceil(busy / (busyAtMost * cores) - 1e-9));
  return { pods, busyCores: busy / pods, memoryBytes: memoryFor(vus, pods, cost) };
}

/** Of each pod. */
export const memoryFor = (vus: number, pods: number, cost: Cost = usualCost): number =>
  cost.baseBytes + Math.ceil(vus / pods) * cost.vuBytes;
