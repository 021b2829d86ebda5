/** The things that are done to a limit to learn about it. Each leaves its traces in the run. */
import type { Random } from '../../random.ts';
import type { Run } from './run.ts';

export interface Drained {
  readonly admitted: number;
  readonly refused: number;
  readonly beganAt: number;
  readonly refusedAt: number;
  /** Of the last wave, the one in which there were refusals. */
  readonly lastAdmitted: number;
}

/** Waves, each greater than the one before, until something is refused. */
export async function drain(run: Run, first: number, most = Number.POSITIVE_INFINITY): Promise<Drained> {
  const beganAt = run.now();
  let admitted = 0;
  let size = Math.max(1, Math.round(first));
  for (;;) {
    const wave = await run.many(size);
    const refused = wave.filter((each) => !each.admitted && each.status !== 0).length;
    admitted += wave.length - refused;
    if (refused > 0 || admitted >= most) {
      const lastAdmitted = wave.length - refused;
      return { admitted, refused, beganAt, refusedAt: run.now(), lastAdmitted };
    }
    size = Math.min(256, size < 32 ? size * 2 : Math.ceil(size * 1.3));
  }
}

const guardMs = 30;

/** Silence until a call is admitted: the stated wait, else twice as long each time. Undefined: it never was. */
export async function recover(run: Run, patienceMs: number): Promise<number | undefined> {
  const began = run.now();
  let pause = 1000;
  for (;;) {
    const told = run.toldUntil();
    const wait = told === undefined ? pause : told - run.now() + guardMs;
    // A wait of hours may be a mistake of the service: a shorter silence shows whether it is one.
    const silence = Math.max(20, wait > 120_000 ? Math.min(wait, pause) : wait <= 0 ? pause : wait);
    if (run.now() - began + silence > patienceMs) return undefined;
    await run.sleep(silence);
    const before = run.now();
    if ((await run.ask()).admitted) return before - began;
    pause *= 2;
  }
}

export interface Watched {
  readonly edges: number;
  readonly polls: number;
  /** The answer at each edge. */
  readonly gains: readonly number[];
  readonly times: readonly number[];
}

/**
 * From empty on: one call now and then until one is admitted, then all that there is. Told times are not believed but
 * make the calls denser. `apart`: how far edges lie from each other, where that is known.
 */
export async function watch(
  run: Run,
  wanted: (watched: Watched) => boolean,
  options: { readonly patienceMs: number; readonly polls: number; readonly apart?: number },
): Promise<Watched> {
  const gains: number[] = [];
  const times: number[] = [];
  let polls = 0;
  let apart = options.apart;
  for (;;) {
    const empty = run.now();
    for (let since = 0; ; since = run.now() - empty) {
      if (since > options.patienceMs || polls >= options.polls) return { edges: gains.length, polls, gains, times };
      await run.sleep(pauseBefore(since, run.usualMs, apart, untilTold(run)));
      const asked = run.now();
      polls += 1;
      if ((await run.ask()).admitted) {
        times.push(asked);
        break;
      }
    }
    const more = await drain(run, Math.max(1, (gains.at(-1) ?? 1) - 1));
    gains.push(more.admitted + 1);
    const [one, other] = times.slice(-2);
    if (other !== undefined) apart = other - one!;
    const watched = { edges: gains.length, polls, gains, times };
    if (wanted(watched)) return watched;
  }
}

const untilTold = (run: Run): number | undefined => {
  const told = run.toldUntil();
  return told === undefined ? undefined : told - run.now();
};

function pauseBefore(since: number, usualMs: number, apart: number | undefined, told: number | undefined): number {
  const least = Math.max(3, usualMs * 0.25 || 3);
  // Where the next one is expected, calls are dense; before, there are few.
  if (apart !== undefined && since < apart * 0.8) return Math.max(least, Math.min(apart * 0.3, apart * 0.85 - since));
  if (apart !== undefined && since < apart * 1.3) return Math.max(least, apart / 20);
  const growing = Math.max(least, since * 0.22);
  if (told === undefined || told <= 0) return growing;
  if (told > 1300) return Math.max(least, Math.min(growing * 1.5, told - 1050));
  return Math.max(least, Math.min(growing, 110));
}

/**
 * For a limit that admits no caller that keeps calling: exhaust it, be silent for a part of the time that was enough, and
 * ask once. Halving what is still possible each time, until it is known to a hundredth.
 */
export async function silences(run: Run, enoughMs: number, limit: number): Promise<void> {
  let refused = 0;
  let admitted = enoughMs;
  for (let round = 0; round < 6 && admitted - refused > admitted * 0.01; round += 1) {
    await drain(run, limit + 1);
    const silence = round === 0 ? enoughMs * 0.9 : (refused + admitted) / 2;
    await run.sleep(silence);
    if ((await run.ask()).admitted) admitted = silence;
    else {
      refused = silence;
      await run.sleep(admitted + guardMs);
    }
  }
  await onlyOnce(run, admitted, limit);
}

/**
 * One single refusal after a long rest. If it alone keeps out half as long as many do, bans don't grow. The call that
 * shows it is refused itself: where it began everything again, nobody gets in when all others are forgotten.
 */
export async function onlyOnce(run: Run, enoughMs: number, limit: number): Promise<void> {
  // A service that remembers past offences forgets them later, the longer the ban was.
  await run.sleep(3.2 * enoughMs + guardMs);
  await run.many(limit);
  let refused = run.now();
  for (let tries = 0; tries < 4; tries += 1) {
    refused = run.now();
    if (!(await run.ask()).admitted) break;
  }
  await run.until(refused + enoughMs / 2);
  await run.ask();
  await run.until(refused + enoughMs + guardMs);
  await run.ask();
}

/** Emptied; a long silence that is not enough, and then calls that follow each other closely until one is admitted. */
export async function askIn(run: Run, spanMs: number, limit: number): Promise<void> {
  await drain(run, limit);
  await run.sleep(0.55 * spanMs);
  for (let call = 0; call < 12; call += 1) {
    if ((await run.ask()).admitted) return;
    await run.sleep(0.07 * spanMs);
  }
}

/** After a rest: one call, half a window later all the others, and a look at every moment at which a kind would differ. */
export async function stagger(run: Run, limit: number, windowMs: number, random: Random): Promise<void> {
  const began = run.now();
  const guard = Math.max(15, 3 * (run.usualMs || 0), 0.02 * windowMs);
  await run.ask();
  await run.until(began + windowMs * (0.4 + 0.2 * random()));
  await drain(run, limit);
  const at = async (part: number, calls: number): Promise<void> => {
    if (began + part > run.now()) await run.until(began + part);
    await run.many(calls);
  };
  await at(windowMs * 0.72, 1);
  await at(windowMs * 0.86, 1);
  await at(windowMs - guard, 1);
  await at(windowMs + guard, 2);
  await at(windowMs * 1.15, 1);
  await at(windowMs * 1.3, 1);
}

/** After a rest: everything at once, and what comes back first. */
export async function burst(
  run: Run,
  size: number,
  edges: number,
  patienceMs: number,
  apart?: number,
): Promise<Watched> {
  await drain(run, size + 1);
  return watch(run, (watched) => watched.edges >= edges, {
    patienceMs,
    polls: 40,
    ...(apart === undefined ? {} : { apart }),
  });
}
