import { describe, expect, test } from 'vitest';
import { scenarios } from '../../../load/shared/scenarios.ts';
import { Secret } from '../../model/secret.ts';
import type { LoadPlan } from '../plan.ts';
import { measureCapacity, promisedBy, usualPromise } from './measure-capacity.ts';
import { type Search, usualSearch } from './search.ts';
import { type Simulated, simulate } from './testing.ts';

const settings = {
  perSecond: 20,
  seconds: 10,
  warmUpSeconds: 2,
  limitPerSecond: 1,
  quietPerSecond: 1,
  restSeconds: 5,
  keys: 1,
};

const plan: LoadPlan = {
  id: 'capacity',
  scenario: 'capacity',
  target: 'http://service.test',
  seed: 1,
  settings,
  phases: scenarios.capacity.phases(settings),
  keys: [new Secret('main', 'vk_live_x')],
  operations: [{ kind: 'run', actor: 'echo', input: '{}', weight: 1 }],
  timeoutMs: 30_000,
  slowestMs: 2000,
  mostVus: 1000,
  workers: 1,
  headers: [],
  tls: { insecure: false },
  limits: {},
  thresholds: [],
};

const promise = { percent: 95, withinMs: 250, errors: 0.001 };
const search: Search = { ...usualSearch, promise, from: 20, most: 5000, warmUpSeconds: 2 };

async function find(service: Simulated, cutAt = Number.POSITIVE_INFINITY) {
  const plans: LoadPlan[] = [];
  const said: string[] = [];
  const measurement = await measureCapacity(
    plan,
    search,
    async (step) => {
      plans.push(step);
      const { perSecond, warmUpSeconds, seconds } = step.settings;
      const measured = simulate(service, { perSecond, warmUpSeconds, seconds }, plans.length);
      const shown = { ...measured, id: step.id, plan: { ...measured.plan, perSecond, seconds } };
      const reasons = [{ cause: 'interrupted', says: 'interrupted', change: '' } as const];
      return plans.length < cutAt ? shown : { ...shown, validity: { verdict: 'inconclusive', reasons } };
    },
    ({ perSecond, verdict }) => said.push(`${perSecond} ${verdict}`),
  );
  return { measurement, plans, said };
}

describe('one measurement of a search', () => {
  test('its knee, its steps, and the figures of the longest look at a rate that held', async () => {
    const { measurement, plans, said } = await find({ slots: 8, serviceMs: 50 });
    const { capacity, validity, id, plan: shown } = measurement;
    expect(id).toBe('capacity');
    expect(capacity).toMatchObject({ constraint: 'server', confirmed: true });
    expect(Math.abs(capacity!.held! / 160 - 1)).toBeLessThan(0.05);
    expect(validity.verdict).toBe('valid');
    expect(shown.seconds).toBeGreaterThanOrEqual(60);
    expect(shown.perSecond).toBeCloseTo(0.9 * capacity!.held!, 0);
    expect(measurement.conclusions[0]).toMatch(
      /^Up to 1\d\d a second the service keeps its promise \(p95 within 250 ms/,
    );
    expect(said).toHaveLength(plans.length);
    expect(capacity!.steps).toHaveLength(plans.length);
  });

  test('each step has a schedule of its own', async () => {
    const { plans } = await find({ slots: 8, serviceMs: 50 });
    expect(new Set(plans.map(({ id }) => id)).size).toBe(plans.length);
    expect(plans[0]!.id).toBe('capacity.1');
    for (const { phases, settings: own } of plans)
      expect(phases[0]!.slotsWithin()).toBeCloseTo(own.perSecond * (own.seconds + 2), -1);
  });

  test('where nothing held, there is something to see all the same', async () => {
    const { measurement } = await find({ slots: 8, serviceMs: 400 });
    expect(measurement.capacity!.held).toBeUndefined();
    expect(measurement.latencies.ok.count).toBeGreaterThan(0);
    expect(measurement.conclusions[0]).toContain('At no rate');
  });

  test('interrupted: no result, but what was found', async () => {
    const { measurement } = await find({ slots: 8, serviceMs: 50 }, 3);
    expect(measurement).toMatchObject({ interrupted: true, capacity: { held: 40, confirmed: false } });
    expect(measurement.validity.verdict).toBe('inconclusive');
  });
});

test('the promise is what the profile says', () => {
  const latency = (name: string, ms: number) => ({ name, demanded: `${ms}ms`, bound: 1000 * ms });
  expect(promisedBy([])).toEqual(usualPromise);
  expect(promisedBy([latency('latency.p50', 20), latency('latency.p95', 90)])).toEqual({
    percent: 95,
    withinMs: 90,
    errors: 0.001,
  });
  expect(promisedBy([latency('latency.max', 900), { name: 'errors', demanded: '1%', bound: 0.01 }])).toEqual({
    ...usualPromise,
    errors: 0.01,
  });
});
