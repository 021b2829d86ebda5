import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { warmUpSlots } from '../../../load/shared/phases.ts';
import { scenarios } from '../../../load/shared/scenarios.ts';
import { seeded } from '../../random.ts';
import { Histogram } from '../../statistics/histogram.ts';
import { tallyFor } from '../measure.ts';
import { type ClusterPlan, ClusterPlanError, measuredPlanOf, readClusterPlan } from './cluster-plan.ts';
import { mergeSamples } from './merge.ts';
import { Slots } from './slots.ts';

const folder = mkdtempSync(join(tmpdir(), 'touchstone-merge-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const workers = 4;
const plan = (more: Partial<ClusterPlan['plan']> = {}): ClusterPlan => ({
  version: 1,
  written: '2026-11-21T00:00:00.000Z',
  k6: '2.2.0',
  pods: { count: workers, cpu: '500m', memory: '256Mi' },
  plan: {
    id: 'latency',
    scenario: 'latency',
    target: 'http://service.test',
    seed: 1,
    settings: {
      perSecond: 100,
      seconds: 20,
      warmUpSeconds: 2,
      limitPerSecond: 1,
      quietPerSecond: 1,
      restSeconds: 5,
      keys: 3,
    },
    operations: [{ kind: 'run', actor: 'echo', input: '{}', weight: 1 }],
    timeoutMs: 30_000,
    slowestMs: 2000,
    mostVus: 1000,
    limits: {},
    thresholds: [{ name: 'latency.p99', demanded: '10 s', bound: 10_000_000 }],
    ...more,
  },
});

interface Line {
  readonly worker: number;
  readonly slot: number;
  readonly lagMs: number;
  readonly tookMs: number;
  readonly status: number;
  readonly phase: number;
}

/** What n generators would write, each with a clock of its own. */
function draw(of: ClusterPlan, seed: number): Line[] {
  const random = seeded(seed);
  return measuredPlanOf(of).phases.flatMap((phase, number) =>
    Array.from({ length: phase.slotsWithin() }, (_, slot) => ({
      worker: slot % workers,
      slot,
      phase: number,
      // The earliest of each generator lies on its schedule.
      lagMs: slot < workers ? 0 : Math.round(1000 * random() ** 4) / 1000,
      tookMs: Math.round(1000 * (1 - 40 * Math.log(1 - random()))) / 1000,
      status: random() < 0.01 ? 500 : 200,
    })),
  );
}

const textOf = (of: ClusterPlan, lines: readonly Line[], worker: number): string => {
  const { phases } = measuredPlanOf(of);
  const mine = lines.filter((line) => line.worker === worker);
  const written = mine.map((line) => {
    const phase = phases[line.phase]!;
    const began = 1000 * phase.from + phase.slotAt(line.slot) + line.lagMs + 37.5 * worker;
    return {
      ends: began + line.tookMs,
      text: `~${line.phase} 0 ${line.slot} ${began.toFixed(3)} ${line.tookMs.toFixed(3)} ${line.status}`,
    };
  });
  // As k6 writes: when an answer is there.
  return `${written
    .sort((a, b) => a.ends - b.ends)
    .map(({ text }) => text)
    .join('\n')}\n`;
};

let number = 0;
function write(
  of: ClusterPlan,
  lines: readonly Line[],
  cut: (text: string, worker: number) => string = (text) => text,
): string[] {
  number += 1;
  return Array.from({ length: workers }, (_, worker) => {
    const path = join(folder, `${number}-${worker}.samples`);
    writeFileSync(path, cut(textOf(of, lines, worker), worker));
    return path;
  });
}

describe('samples of four generators', () => {
  test('give the histograms of the union, bit for bit', async () => {
    const of = plan();
    const lines = draw(of, 1);
    const merged = await mergeSamples(of, write(of, lines));
    const [ok, other, lag] = [Histogram.empty(), Histogram.empty(), Histogram.empty()];
    for (const { slot, status, lagMs, tookMs } of lines) {
      if (slot < 200) continue;
      (status === 200 ? ok : other).add(1000 * (lagMs + tookMs));
      lag.add(1000 * lagMs);
    }
    expect(merged.latencies).toEqual({ ok: ok.toLatencies(), limited: { count: 0 }, other: other.toLatencies() });
    expect(merged.generator.lag).toEqual(lag.toLatencies());
    expect(merged.validity).toEqual({ verdict: 'valid', reasons: [] });
    expect(merged.achieved).toMatchObject({ intended: 2000, begun: 2000 });
    expect(merged.thresholds).toMatchObject([{ outcome: 'met' }]);
    expect(merged).toMatchObject({ engine: { workers: 4, version: '2.2.0' }, machine: { system: 'Kubernetes' } });
  });

  test('which is also what adding the histogram of each gives', async () => {
    const of = plan();
    const lines = draw(of, 2);
    const paths = write(of, lines);
    const merged = await mergeSamples(of, paths);
    const added = Histogram.empty();
    for (let worker = 0; worker < workers; worker += 1) {
      const tally = tallyFor(measuredPlanOf(of));
      for (const { slot, phase, lagMs, tookMs, status } of lines.filter((line) => line.worker === worker)) {
        const beganMs = measuredPlanOf(of).phases[0]!.slotAt(slot) + lagMs;
        tally.add(worker, { phase, operation: 0, slot, beganMs, tookMs, status, checked: false });
      }
      tally.settle();
      added.merge(Histogram.of(tally.toLatencies().ok));
    }
    expect(added.toLatencies()).toEqual(merged.latencies.ok);
  });

  test('seconds are added', async () => {
    const of = plan();
    const { series } = await mergeSamples(of, write(of, draw(of, 3)));
    expect(series.map(({ at }) => at)).toEqual(Array.from({ length: 22 }, (_, at) => at - 2));
    for (const { counts } of series) expect(counts.ok + counts.other).toBe(100);
  });

  test('hours of a slow run: every second has the figures of all, though files are long', async () => {
    const of = plan({
      settings: {
        perSecond: 2,
        seconds: 3000,
        warmUpSeconds: 0,
        limitPerSecond: 1,
        quietPerSecond: 1,
        restSeconds: 5,
        keys: 1,
      },
    });
    const lines = draw(of, 4).map((line) => ({ ...line, status: 200, lagMs: 0 }));
    const { series } = await mergeSamples(of, write(of, lines));
    expect(series).toHaveLength(3000);
    for (const { at, maxUs } of series) {
      const most = Math.max(
        ...lines.filter(({ slot }) => Math.floor(slot / 2) === at).map(({ tookMs }) => 1000 * tookMs),
      );
      expect(maxUs).toBeCloseTo(most, 0);
    }
  });

  test('several phases stay apart', async () => {
    const of = plan({ scenario: 'spike' });
    const { groups } = await mergeSamples(of, write(of, draw(of, 5)));
    const phases = scenarios.spike.phases(of.plan.settings);
    expect(groups.map(({ name }) => name)).toEqual(phases.map(({ group }) => group));
    expect(groups[1]!.latencies.ok.count + groups[1]!.latencies.other.count).toBe(phases[1]!.slotsWithin());
  });
});

test('a rate that changes is one part, whose slots come closer and closer', async () => {
  const of = plan({ scenario: 'ramp' });
  const measured = await mergeSamples(of, write(of, draw(of, 5)));
  const [phase] = scenarios.ramp.phases(of.plan.settings);
  expect(measured.achieved.begun).toBe(phase!.slotsWithin() - warmUpSlots(phase!));
  expect(measured.groups).toEqual([]);
  expect(measured.plan.changing?.from).toBeCloseTo(0.2 * of.plan.settings.perSecond, 3);
  const planned = measured.series.filter(({ at }) => at >= 0).map(({ intended = 0 }) => intended);
  expect(planned.toSorted((a, b) => a - b)).toEqual(planned);
});

describe('what speaks against it', () => {
  const of = plan();
  const lines = draw(of, 6);
  const says = async (paths: readonly string[]) => {
    const { validity } = await mergeSamples(of, paths);
    expect(validity.verdict).toBe('invalid');
    return validity.reasons[0]!.says;
  };

  test('a pod is missing', async () => {
    expect(await says(write(of, lines).slice(1))).toBe('there are samples of 3 generators, and 4 were to send');
  });

  test('samples of two runs', async () => {
    const paths = write(of, lines);
    expect(await says([...paths.slice(0, 3), paths[0]!])).toMatch(/^\d+ slots were sent twice/);
  });

  test('segments without their sequence: the same slots from two generators', async () => {
    const overlapping = lines.map((line) => ({ ...line, slot: line.slot - (line.slot % 2) }));
    expect(await says(write(of, overlapping))).toContain('sent twice');
  });

  test('a file that was cut off, or is empty, or holds something else', async () => {
    const cut = (how: (text: string) => string) =>
      write(of, lines, (text, worker) => (worker === 2 ? how(text) : text));
    expect(await says(cut((text) => text.slice(0, text.length / 2)))).toMatch(
      /2\.samples has \d+ samples where others have 550: it ended early/,
    );
    expect(await says(cut(() => ''))).toMatch(/2\.samples has 0 samples/);
    expect(await says(cut(() => 'could not open the keys\n'))).toContain('(could not open the keys)');
  });

  test('a few slots that nobody sent', async () => {
    expect(
      await says(
        write(
          of,
          lines.filter(({ slot }) => slot % 100 !== 50),
        ),
      ),
    ).toMatch(/20 requests of 2000 were never sent/);
  });

  test('a file that is not there is an error', async () => {
    await expect(mergeSamples(of, [...write(of, lines).slice(1), join(folder, 'none')])).rejects.toThrow('ENOENT');
  });
});

describe('the plan beside the manifests', () => {
  const text = JSON.stringify(plan());

  test('comes back as it was written', () => {
    expect(readClusterPlan(text, 'plan.json')).toEqual(plan());
  });

  test.each<[string, string, RegExp]>([
    ['not JSON', '{', /^plan\.json is not JSON$/],
    ['another version', text.replace('"version":1', '"version":2'), /version/],
    ['a rate of nothing', text.replace('"perSecond":100', '"perSecond":0'), /plan\.settings\.perSecond/],
    ['no pods', text.replace('"count":4', '"count":0'), /pods\.count/],
    ['something unknown', text.replace('"seed"', '"seeds"'), /plan/],
    ['a list', '[]', /not a plan of/],
  ])('%s', (_, bad, wanted) => {
    expect(() => readClusterPlan(bad, 'plan.json')).toThrow(wanted);
    expect(() => readClusterPlan(bad, 'plan.json')).toThrow(ClusterPlanError);
  });
});

test('slots: each once', () => {
  const [phase] = scenarios.latency.phases(plan().plan.settings);
  const slots = new Slots([phase!]);
  for (let slot = 0; slot < 2200; slot += 1) expect(slots.take(0, slot)).toBe(true);
  expect(slots.twice).toBe(0);
  expect(slots.take(0, 7)).toBe(false);
  expect(slots.twice).toBe(1);
  // Sent after the last one, to no account.
  expect(slots.take(0, 2200)).toBe(true);
  expect(slots.take(9, 0)).toBe(true);
});
