import { describe, expect, test } from 'vitest';
import type { Measurement } from '../../model/measurement.ts';
import { costOf } from './cost.ts';
import { describeCapacity } from './describe.ts';
import { type Found, type Search, type StepPlan, searchCapacity, usualSearch } from './search.ts';
import { type Promised, stepOf } from './step.ts';
import { kneeOf, type Simulated, simulate } from './testing.ts';

const promise: Promised = { percent: 95, withinMs: 250, errors: 0.001 };
const search: Search = { ...usualSearch, promise, most: 20_000 };
const seeds = Array.from({ length: 10 }, (_, at) => 100 + at);

interface Tried extends Found {
  readonly plans: readonly (StepPlan & { readonly perSecond: number })[];
}

async function find(service: Simulated, seed: number, how: Search = search): Promise<Tried> {
  const plans: (StepPlan & { perSecond: number })[] = [];
  const found = await searchCapacity(how, async (perSecond, plan) => {
    plans.push({ ...plan, perSecond });
    return stepOf(simulate(service, { perSecond, ...plan }, seed * 1000 + plans.length), how.promise);
  });
  return { ...found, plans };
}

function nothingAnswered(measured: Measurement): Measurement {
  const { ok, other } = measured.latencies;
  const answered = { ...measured, latencies: { ...measured.latencies, ok: other, other: ok } };
  const says = 'not one answer was a success';
  return {
    ...answered,
    validity: { verdict: 'invalid', reasons: [{ cause: 'wrong-answers', says, change: 'look' }] },
  };
}

const near = (value: number | undefined, truth: number): boolean =>
  value !== undefined && Math.abs(value / truth - 1) <= 0.05;

describe('a known knee is found within 5 %, nine times of ten', () => {
  test.each<[string, Simulated]>([
    ['8 slots of 50 ms', { slots: 8, serviceMs: 50 }],
    ['1 slot of 20 ms', { slots: 1, serviceMs: 20 }],
    ['20 slots of 30 ms, drawn: queues come and go', { slots: 20, serviceMs: 30, service: 'drawn' }],
    ['1 slot of 180 ms: slower than the first rate', { slots: 1, serviceMs: 180 }],
    ['too few VUs to hold the queue: still the service', { slots: 8, serviceMs: 50, vus: 400 }],
    ['a machine that stops now and then', { slots: 8, serviceMs: 50, hiccups: { everySeconds: 40, ms: 120 } }],
    ['a generator that begins late now and then', { slots: 8, serviceMs: 50, stalls: { everySeconds: 5, ms: 90 } }],
  ])('%s', async (_, service) => {
    const found = await Promise.all(seeds.map((seed) => find(service, seed)));
    const right = found.filter(({ figures }) => near(figures.held, kneeOf(service)) && figures.constraint === 'server');
    expect(right.length, found.map(({ figures }) => figures.held).join(' ')).toBeGreaterThanOrEqual(9);
    for (const { figures } of right) {
      expect(figures.confirmed).toBe(true);
      expect(figures.broke).toBeGreaterThan(figures.held!);
    }
  });
});

describe('what stands in the way is named', () => {
  test('a limiter in front: its rate, and not the service', async () => {
    const service: Simulated = { slots: 40, serviceMs: 30, limiter: 150 };
    for (const seed of seeds) {
      const { figures } = await find(service, seed);
      expect(figures.constraint).toBe('limiter');
      expect(near(figures.held, 150)).toBe(true);
    }
  });

  test('a weak generator: at least as much as it could send', async () => {
    const service: Simulated = { slots: 40, serviceMs: 30, generator: 600 };
    const found = await find(service, 4);
    expect(found.figures).toMatchObject({ constraint: 'generator', confirmed: true });
    expect(near(found.figures.held, 600)).toBe(true);
    expect(describeCapacity(found)[0]).toContain('it may well be more');
  });

  test('too few VUs for a fast service are the fault of the generator', async () => {
    const { figures } = await find({ slots: 400, serviceMs: 200, vus: 60 }, 5);
    expect(figures.constraint).toBe('generator');
    // 60 VUs and 200 ms: 300 a second, less what the spread of answers takes.
    expect(figures.held).toBeLessThanOrEqual(300);
    expect(figures.held).toBeGreaterThan(250);
  });

  test('a generator that fails at the first rate is not tried at ever lower ones', async () => {
    const { figures, plans } = await find({ slots: 40, serviceMs: 30, generator: 8 }, 3);
    expect(figures).toMatchObject({ constraint: 'generator', broke: 10, confirmed: false });
    expect(figures.held).toBeUndefined();
    expect(plans.map(({ perSecond }) => perSecond)).toEqual([10, 10, 10]);
  });

  test('a machine that is starved as a whole: its service is not called slow at rates that it can bear', async () => {
    const starved = { stalls: { everySeconds: 3, ms: 400 }, hiccups: { everySeconds: 3, ms: 1500 } };
    for (const seed of seeds.slice(0, 4)) {
      const { figures } = await find({ slots: 20, serviceMs: 80, ...starved }, seed);
      expect(figures.steps.filter(({ verdict }) => verdict === 'invalid')).not.toEqual([]);
      expect(figures.steps.filter(({ verdict, perSecond }) => verdict === 'broke' && perSecond < 200)).toEqual([]);
    }
  });

  test('the end of the ladder, which the profile caps', async () => {
    const { figures, plans } = await find({ slots: 40, serviceMs: 30 }, 6, { ...search, most: 300 });
    expect(figures).toMatchObject({ constraint: 'ladder', held: 300, confirmed: true });
    expect(figures.broke).toBeUndefined();
    expect(Math.max(...plans.map(({ perSecond }) => perSecond))).toBe(300);
  });

  test('a service that never keeps it: no rate is named', async () => {
    const found = await find({ slots: 8, serviceMs: 400 }, 7);
    expect(found.figures).toMatchObject({ constraint: 'server', confirmed: false });
    expect(found.figures.held).toBeUndefined();
    expect(describeCapacity(found)[0]).toContain('At no rate');
    expect(found.plans.length).toBeLessThan(20);
  });

  test('errors break a promise as slowness does', async () => {
    const { figures } = await find({ slots: 8, serviceMs: 50, errors: 0.2 }, 8);
    expect(figures.held).toBeUndefined();
    expect(figures.steps[0]!.why).toMatch(/^\d+ of \d+ requests failed/);
  });
});

describe('the search itself', () => {
  test('each step is warmed up afresh, and long enough for its percentile', async () => {
    const { plans } = await find({ slots: 8, serviceMs: 50 }, 9);
    expect(plans.every(({ warmUpSeconds }) => warmUpSeconds === 3)).toBe(true);
    for (const { perSecond, seconds, purpose } of plans) {
      expect(perSecond * seconds).toBeGreaterThanOrEqual(200);
      expect(seconds).toBeGreaterThanOrEqual(purpose === 'confirm' ? 60 : 10);
    }
    const confirming = plans.filter(({ purpose }) => purpose === 'confirm').map(({ perSecond }) => perSecond);
    expect(Math.max(...confirming) / Math.min(...confirming)).toBeCloseTo(1.1 / 0.9, 1);
  });

  test('one wrong step is detected', async () => {
    const service: Simulated = { slots: 8, serviceMs: 50 };
    let lied = false;
    const found = await searchCapacity(search, async (perSecond, plan) => {
      // The third rate meets a service that is busy otherwise.
      const now = perSecond === 40 && !lied ? { slots: 1, serviceMs: 50 } : service;
      lied ||= perSecond === 40;
      return stepOf(simulate(now, { perSecond, ...plan }, 77), promise);
    });
    expect(lied).toBe(true);
    expect(near(found.figures.held, 160)).toBe(true);
    expect(found.figures.confirmed).toBe(true);
  });

  test.each([
    ['of the rate', 160, 80],
    ['of the first', 5, undefined],
  ])('a service that dies %s is not searched on', async (_, dying, held) => {
    const rates: number[] = [];
    let died = false;
    const found = await searchCapacity(search, async (perSecond, plan) => {
      rates.push(perSecond);
      died ||= perSecond >= dying;
      const measured = simulate({ slots: 8, serviceMs: 5 }, { perSecond, ...plan }, 5);
      return stepOf(died ? nothingAnswered(measured) : measured, promise);
    });
    expect(found.figures).toMatchObject({ constraint: 'server', confirmed: false, gone: Math.max(dying, 10) });
    expect(found.figures.held).toBe(held);
    // The lowest that had held is asked once more.
    expect(rates).toEqual(held === undefined ? [10] : [10, 20, 40, 80, 160, 10]);
    expect(describeCapacity(found)[0]).toContain(`at ${found.figures.gone} a second it stopped answering`);
  });

  test('one that answers nothing at a rate, and again below it, is searched on', async () => {
    const found = await searchCapacity(search, async (perSecond, plan) => {
      const measured = simulate({ slots: 8, serviceMs: 5 }, { perSecond, ...plan }, 5);
      return stepOf(perSecond > 100 ? nothingAnswered(measured) : measured, promise);
    });
    expect(found.figures.gone).toBeUndefined();
    expect(near(found.figures.held, 100)).toBe(true);
    expect(found.figures.confirmed).toBe(true);
  });

  test('a generator that has a bad minute when it matters: found, and not confirmed', async () => {
    for (const bad of [0.9, 1.1]) {
      const found = await searchCapacity(search, async (perSecond, plan) => {
        const weak = plan.purpose === 'confirm' && perSecond < 160 === bad < 1;
        const service: Simulated = { slots: 8, serviceMs: 50, ...(weak ? { generator: 100 } : {}) };
        return stepOf(simulate(service, { perSecond, ...plan }, 5), promise);
      });
      expect(found.figures).toMatchObject({ constraint: 'server', confirmed: false });
      expect(near(found.figures.held, 160)).toBe(true);
      expect(describeCapacity(found)[1]).toContain('did not confirm this');
    }
  });

  test('what stays undecided is not said to hold', async () => {
    // The percentile lies on the promise, whatever the rate.
    const edge: Promised = { percent: 50, withinMs: 50.8, errors: 0.001 };
    const found = await find({ slots: 200, serviceMs: 50 }, 10, { ...search, promise: edge, most: 400 });
    const { held, steps } = found.figures;
    expect(steps.some(({ verdict }) => verdict === 'unsure')).toBe(true);
    if (held !== undefined) expect(steps.some((each) => each.perSecond === held && each.verdict === 'held')).toBe(true);
    expect(steps.length).toBeLessThan(3 * 3 * 30);
  });

  test('an interrupt ends it with what is known', async () => {
    let asked = 0;
    const found = await searchCapacity(search, async (perSecond, plan) => {
      asked += 1;
      const measured = simulate({ slots: 8, serviceMs: 50 }, { perSecond, ...plan }, 1);
      const reasons = [{ cause: 'interrupted', says: 'interrupted', change: '' } as const];
      return stepOf(asked < 3 ? measured : { ...measured, validity: { verdict: 'invalid', reasons } }, promise);
    });
    expect(found).toMatchObject({ interrupted: true, figures: { held: 20, confirmed: false } });
    expect(describeCapacity(found)).toEqual([expect.stringContaining('interrupted')]);
  });

  test('a fault of the engine is passed on', async () => {
    await expect(searchCapacity(search, () => Promise.reject(new Error('k6 is gone')))).rejects.toThrow('k6 is gone');
  });
});

describe('the cost, before it starts', () => {
  test('is what an undisturbed search takes', async () => {
    const service: Simulated = { slots: 8, serviceMs: 50 };
    const { plans } = await find(service, 11);
    const { steps, seconds } = costOf(search, kneeOf(service));
    expect(Math.abs(plans.length - steps.likely)).toBeLessThanOrEqual(3);
    const took = plans.reduce((sum, each) => sum + each.warmUpSeconds + each.seconds, 0);
    expect(Math.abs(seconds.likely / took - 1)).toBeLessThan(0.35);
    expect(seconds.most).toBeGreaterThan(seconds.likely);
  });

  test('of the narrowest ladders', () => {
    expect(costOf({ ...search, from: 5, most: 5 }).steps.likely).toBe(2);
    expect(costOf({ ...search, from: 500, most: 5 }).steps.likely).toBe(2);
    expect(Number.isFinite(costOf(search, 0).seconds.likely)).toBe(true);
    expect(costOf(search).requests.most).toBeGreaterThan(costOf(search).requests.likely);
  });
});
