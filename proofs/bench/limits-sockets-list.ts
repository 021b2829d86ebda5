/** Limiters that are quick enough to be looked at over real sockets, a hundred times. */
import {
  alignedWindow,
  chanceOf,
  concurrencyLimit,
  countingLog,
  type Drawn,
  type DrawnKind,
  firstCallWindow,
  gate,
  gcra,
  type Limiter,
  leakyBucket,
  slidingCounter,
  slidingLog,
  steppedRefill,
  tokenBucket,
} from '../../fixtures/limiters/index.ts';

type Numbers = Omit<Drawn, 'kind' | 'gate' | 'says' | 'workMs'>;

const drawn = <S>(kind: DrawnKind, limiter: Limiter<S>, numbers: Numbers, workMs = 0): Drawn => ({
  kind,
  ...numbers,
  workMs,
  says: `${kind} ${Object.values(numbers).join(', ')}`,
  gate: gate(limiter),
});

const bucket = (burst: number, perSecond: number): Drawn =>
  drawn('token bucket', tokenBucket(burst, perSecond), { burst, perSecond });

const stepped = (burst: number, quantum: number, windowMs: number, phase: number): Drawn =>
  drawn('stepped refill', steppedRefill(burst, quantum, windowMs, phase), {
    burst,
    quantum,
    windowMs,
    perSecond: (quantum * 1000) / windowMs,
  });

const aligned = (burst: number, windowMs: number, phase: number): Drawn =>
  drawn('window aligned', alignedWindow(burst, windowMs, phase), { burst, windowMs });

const firstCall = (burst: number, windowMs: number): Drawn =>
  drawn('window from first call', firstCallWindow(burst, windowMs), { burst, windowMs });

const log = (burst: number, windowMs: number): Drawn =>
  drawn('sliding log', slidingLog(burst, windowMs), { burst, windowMs });

const counter = (burst: number, windowMs: number, phase: number): Drawn =>
  drawn('sliding counter', slidingCounter(burst, windowMs, phase), { burst, windowMs });

/** `phase` is drawn by the seed: where the windows of the clock begin. */
const makers: readonly ((phase: number) => Drawn)[] = [
  () => bucket(10, 5),
  () => bucket(40, 20),
  () => bucket(5, 50),
  () => drawn('GCRA', gcra(20, 10), { burst: 20, perSecond: 10 }),
  (phase) => stepped(20, 5, 500, phase),
  (phase) => stepped(12, 4, 1000, phase),
  (phase) => aligned(20, 1000, phase),
  (phase) => aligned(8, 2000, phase),
  (phase) => aligned(50, 1500, phase),
  () => firstCall(20, 1000),
  () => firstCall(6, 2000),
  () => firstCall(60, 1500),
  () => log(20, 1000),
  () => log(10, 2000),
  () => log(50, 1500),
  (phase) => counter(20, 1000, phase),
  (phase) => counter(40, 2000, phase),
  () => drawn('leaky bucket', leakyBucket(8, 10), { burst: 8, perSecond: 10 }),
  () => drawn('concurrency', concurrencyLimit(6), { burst: 6 }, 120),
  () => drawn('counting log', countingLog(10, 1000), { burst: 10, windowMs: 1000 }),
];

export const howMany = makers.length;

export const limiterAt = (index: number, seed: number): Drawn => makers[index]!(chanceOf(seed)() * 2000);
