/** `touchstone load capacity`: a search of many measurements, its cost said first. */
import { lasting, plural, thousands } from '../../../reports/text.ts';
import { systemClock } from '../../clock.ts';
import { capsOf, LoadRefused } from '../../load/allowed.ts';
import { costOf } from '../../load/capacity/cost.ts';
import { inWords } from '../../load/capacity/judge.ts';
import { measureCapacity, promisedBy } from '../../load/capacity/measure-capacity.ts';
import { type Search, usualSearch } from '../../load/capacity/search.ts';
import type { Engine } from '../../load/engine.ts';
import { measure } from '../../load/measure.ts';
import type { LoadPlan } from '../../load/plan.ts';
import type { Measurement } from '../../model/measurement.ts';
import type { Profile } from '../../profile/profile.ts';
import { say } from '../output.ts';
import { loadProgress, silent } from './progress.ts';

/** From the plan's rate up to what the profile allows. */
export function searchFor(plan: LoadPlan, profile: Profile, repeat: number): Search {
  const caps = capsOf(new URL(profile.origin).hostname, profile.load ?? {});
  const search: Search = {
    ...usualSearch,
    promise: promisedBy(plan.thresholds),
    from: plan.settings.perSecond,
    most: caps.perSecond,
    warmUpSeconds: plan.settings.warmUpSeconds,
  };
  const likelyMs = costOf(search).seconds.likely * 1000 * repeat;
  if (likelyMs > caps.ms)
    throw new LoadRefused(
      `the search would take about ${lasting(likelyMs)}, but only ${lasting(caps.ms)} are allowed; raise load.max_duration in the profile`,
    );
  return search;
}

export function announcedSearch(plan: LoadPlan, search: Search): string {
  const { steps, seconds, requests } = costOf(search);
  return (
    `capacity of ${plan.target}: the highest rate that keeps ${inWords(search.promise)}, from ${search.from} to ${search.most} a second: ` +
    `about ${plural(steps.likely, 'step')}, ${lasting(1000 * seconds.likely)} and ${thousands(requests.likely)} requests ` +
    `(at most ${lasting(1000 * seconds.most)})`
  );
}

export function searched(
  plan: LoadPlan,
  search: Search,
  engine: Engine,
  signal: AbortSignal,
  quiet: boolean,
): Promise<Measurement> {
  return measureCapacity(
    plan,
    search,
    async (step) => {
      const shown = quiet ? silent : loadProgress(step);
      try {
        return await measure(step, engine, { clock: systemClock, signal, onSeconds: shown.on });
      } finally {
        shown.clear();
      }
    },
    ({ perSecond, verdict, why }) => {
      if (!quiet) say(`${perSecond} a second: ${verdict}, ${why}`);
    },
  );
}
