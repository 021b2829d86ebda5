/** What a busy machine does to a lawful service with a short patience, and that a fault is still one. */
import { describe, expect, it } from 'vitest';
import type { Overlay } from '../../fixtures/service/index.ts';
import { type Trial, tryOn } from '../../proofs/matrix/try-on.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { systemClock } from '../clock.ts';
import type { DimensionName } from '../model/context.ts';
import { watchStalls } from './stalls.ts';

const everyDimension: readonly DimensionName[] = ['key', 'connection', 'history', 'company', 'actor'];

const asking = (only: (id: string) => boolean = () => true) => ({
  // Each rule in its plainest context: what comes back a given number of times is counted by hand here.
  rules: catalogue.flatMap((rule) => (only(rule.id) ? [{ ...rule, without: everyDimension }] : [])),
  version: rulesVersion,
  specification: 'none',
});

/** A source that works is given up, after this long. */
const tooLate =
  (due: (nth: number) => boolean, afterMs = 250): Overlay =>
  (base, { clock }) => {
    let nth = 0;
    return {
      readSource: async (call, source) => {
        nth += 1;
        if (!due(nth)) return base.readSource(call, source);
        await clock.sleep(afterMs);
        return { source, state: 'timed-out' };
      },
    };
  };

const verdictsOf = async (
  lie: Overlay,
  only?: (id: string) => boolean,
  trial: Pick<Trial, 'stalls'> = {},
): Promise<string[]> => {
  const run = await tryOn(asking(only), { name: 'busy', overlays: [lie] }, { depth: 'quick', seed: 1, ...trial });
  const bad = run.findings.filter(({ verdict }) => ['fail', 'warn', 'inconclusive', 'error'].includes(verdict));
  return bad.map(({ rule, verdict }) => `${verdict} ${rule}`);
};

it('a stall of this process is seen', async () => {
  const stalls = watchStalls(systemClock);
  const began = systemClock.now();
  await systemClock.sleep(30);
  const until = systemClock.now() + 120;
  while (systemClock.now() < until);
  await systemClock.sleep(30);
  expect(stalls.longestSince(began)).toBeGreaterThan(80);
  expect(stalls.longestSince(systemClock.now())).toBe(0);
  stalls.stop();
});

describe('a machine that is busy', () => {
  it.each([11, 23, 37])('which gives up every %sth source that works accuses nobody', async (every) => {
    expect(await verdictsOf(tooLate((nth) => nth % every === 0))).toEqual([]);
  });

  it.each([
    [30, true],
    [0, false],
  ])('which gave up soon is doubted only if it kept us from the processor too (%s ms)', async (ms, doubted) => {
    const stalls = { longestSince: () => ms, stop: () => {} };
    const told = await verdictsOf(
      tooLate((nth) => nth % 23 === 0, 50),
      () => true,
      { stalls },
    );
    expect(told.length === 0).toBe(doubted);
  });

  it.each([
    [40, 'pass'],
    [0, 'untested'],
  ])(
    'which refuses a run as a whole is asked again, if it kept us from the processor too (%s ms)',
    async (ms, verdict) => {
      const only = asking((id) => id === 'partial.does-not-stick');
      const overlays = [tooLate((nth) => nth === 3 || nth === 4)];
      const stalls = { longestSince: () => ms, stop: () => {} };
      const run = await tryOn(only, { name: 'busy', overlays }, { depth: 'quick', seed: 1, stalls });
      expect(run.findings.map((each) => each.verdict)).toEqual([verdict]);
    },
  );

  it('and stood still while another step asked what this one wants to know too accuses nobody', async () => {
    let stoodStillUntil = 0;
    const standing: Overlay = (base, { clock }) => ({
      answer: async (call) => {
        await clock.sleep(10);
        if (call.route.kind === 'run' && call.violations.length > 0 && stoodStillUntil === 0) {
          stoodStillUntil = clock.now();
          await clock.sleep(60_000);
        }
        return base.answer(call);
      },
    });
    const stalls = { longestSince: (time: number) => (time < stoodStillUntil ? 60_000 : 0), stop: () => {} };
    const sharing = (id: string): boolean => ['input.schema-violations', 'input.violation-is-named'].includes(id);
    expect(await verdictsOf(standing, sharing, { stalls })).toEqual([]);
    expect(stoodStillUntil).toBeGreaterThan(0);
  });

  it('is no excuse for what comes back each time', async () => {
    const told = await verdictsOf(
      tooLate(() => true),
      (id) => id === 'upstream.recovers' || id === 'partial.all-sources-work',
    );
    expect(told).toHaveLength(2);
  });

  it('which keeps us from the processor each time leaves it open', async () => {
    const stalls = { longestSince: () => 40, stop: () => {} };
    const told = await verdictsOf(
      tooLate(() => true),
      (id) => id === 'upstream.recovers' || id === 'partial.all-sources-work',
      { stalls },
    );
    expect(told).toEqual(['inconclusive partial.all-sources-work', 'inconclusive upstream.recovers']);
  });

  it('is no excuse for what comes now and then, where slow sources are waited for much longer', async () => {
    let nth = 0;
    let now = (): number => 0;
    const sometimesPartial: Overlay = (base, { clock }) => ({
      readSource: async (call, source) => {
        now = () => clock.now();
        await clock.sleep(200);
        return base.readSource(call, source);
      },
      runStatus: (call, outcome) => {
        if (outcome.sources.length > 0) nth += 1;
        return outcome.sources.length > 0 && nth % 3 === 1 ? 'PARTIAL' : base.runStatus(call, outcome);
      },
    });
    const verdictWith = async (upstreamTimeoutMs: number, stalls?: Trial['stalls']) => {
      nth = 0;
      const lying = { name: 'patient', overlays: [sometimesPartial], options: { upstreamTimeoutMs } };
      const only = asking((id) => id === 'partial.all-sources-work');
      const { findings } = await tryOn(only, lying, { depth: 'quick', seed: 1, ...(stalls && { stalls }) });
      return findings.map(({ verdict }) => verdict);
    };
    expect(await verdictWith(1500)).toEqual(['fail']);
    // A patience that was measured while we were kept from the processor is not believed: not for any list of sources.
    // What is measured takes as long as the service is patient; no question does.
    const whileMeasured = { longestSince: (since: number) => (now() - since >= 1500 ? 30 : 0), stop: () => {} };
    expect(await verdictWith(1500, whileMeasured)).toEqual(['pass']);
    // A service that gives up as soon may have been kept from the processor.
    expect(await verdictWith(250)).toEqual(['pass']);
  });

  it('is no excuse for an answer that nothing was waited for', async () => {
    const once = await verdictsOf(
      tooLate((nth) => nth % 11 === 0, 5),
      (id) => id.startsWith('partial.') || id.startsWith('upstream.'),
    );
    expect(once).not.toEqual([]);
  });
});
