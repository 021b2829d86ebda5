/** How many pods a rate needs, by what a request costs the generator. */

export interface Cost {
  /** Processor time of k6 for one request, with samples written. */
  readonly cpuMicroseconds: number;
  /** Of k6 itself, and of each VU. */
  readonly baseBytes: number;
  readonly vuBytes: number;
}

/** As `npm run bench:load` measures it, rounded up: TLS and large bodies cost more. */
export const usualCost: Cost = { cpuMicroseconds: 250, baseBytes: 64 * 2 ** 20, vuBytes: 160 * 2 ** 10 };

export interface PodsNeeded {
  readonly pods: number;
  /** Cores that each of them keeps busy, and what to ask the cluster for. */
  readonly busyCores: number;
  readonly memoryBytes: number;
}

/** A generator that is busier than this measures itself. */
const busyAtMost = 0.6;

export function podsFor(perSecond: number, slowestSeconds: number, cores: number, cost: Cost = usualCost): PodsNeeded {
  const busy = (perSecond * cost.cpuMicroseconds) / 1e6;
  const pods = Math.max(1, Math.ceil(busy / (busyAtMost * cores) - 1e-9));
  const vus = Math.max(10, Math.ceil((perSecond / pods) * slowestSeconds * 1.2));
  return { pods, busyCores: busy / pods, memoryBytes: cost.baseBytes + vus * cost.vuBytes };
}
