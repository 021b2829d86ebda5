/** What a profile states of plans, tried without any model of the limiter. */
import { rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isOfKeys, probes, probing } from '../../language/probing.ts';
import { statedTiers } from '../../language/stated-limits.ts';
import { paceReasons } from '../../language/stated-paces.ts';

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
      return limit === undefined
        ? []
        : paceReasons(each, limit, tolerance, each.tier === null ? '' : ` for ${each.tier}`);
    }),
  fix: 'Correct the limit or its documentation, so that they agree.',
});
