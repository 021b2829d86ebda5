/** What a profile states of plans, tried without any model of the limiter. */
import {
  admittedIn,
  type Exchange,
  isRefused,
  rule,
  type StatedPace,
  succeeded,
  violation,
} from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isOfKeys, probes, probing } from '../../language/probing.ts';
import { type StatedTiers, statedTiers, tookMs } from '../../language/stated-limits.ts';

/** So many refusals, and so large a part of all calls, are no chance. */
const needed = 3;
const atLeast = 0.15;

/** Refused although it called more slowly than stated, while another key was served at the same address. */
function refusedBelow({ calls, beside }: StatedPace): Exchange | undefined {
  const own = beside.filter(({ answer }) => succeeded(answer)).length;
  const all = calls.filter(isRefused).length;
  return own >= needed && own * 2 > beside.length && all >= atLeast * calls.length
    ? beside.find(({ answer }) => succeeded(answer))?.refused
    : undefined;
}

/** Windows that begin just then, and a bucket that was full: more than all that together. */
function isBeyondWindows(
  { calls }: StatedPace,
  { requests, perMs, burst = 0 }: StatedTiers[string],
  tolerance: number,
) {
  const most = (Math.ceil(tookMs(calls) / perMs) + 1) * requests + Math.max(0, burst - requests);
  return admittedIn(calls) > Math.max(1 + tolerance, 1.2) * most + 1;
}

export const statedPace = rule({
  id: 'limit.stated-pace',
  clause: clauses.limitsAsStated,
  needs: [...probes, 'limits.declared'],
  ...probing,
  rests: 10,
  about: ({ subject }) => ({ stated: statedTiers(subject), tolerance: subject.limits.tolerance }),
  async *ask({ limits }) {
    yield { near: await limits.neighbours() };
    yield { paced: await limits.asStated() };
  },
  given: ({ near }) => [isOfKeys(near)],
  judge: ({ paced }, { stated, tolerance }) =>
    paced.flatMap((each) => {
      const limit = stated[each.tier ?? ''];
      if (limit === undefined) return [];
      const plan = each.tier === null ? '' : ` for ${each.tier}`;
      const text = `${limit.requests} calls in ${limit.perMs / 1000} s${plan}`;
      if (each.pace === 'below') {
        const refused = refusedBelow(each);
        const came = `${each.calls.filter(isRefused).length} of ${each.calls.length} calls at a slower pace were refused`;
        return refused === undefined ? [] : [violation(refused, text, came)];
      }
      if (!isBeyondWindows(each, limit, tolerance)) return [];
      const came = `${admittedIn(each.calls)} calls admitted in ${(tookMs(each.calls) / 1000).toFixed(1)} s`;
      return [
        violation(
          each.calls.findLast((one) => !isRefused(one)),
          text,
          came,
        ),
      ];
    }),
  fix: 'Correct the limit or its documentation, so that they agree.',
});
