/** A limit that is stated holds throughout a run, and not only when it is looked at. */
import { isRefused, rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inapplicableIf, inconclusiveIf } from '../../language/gates.ts';
import { cellIn, orNothing, probes, probing, sameKeyElsewhere } from '../../language/probing.ts';
import { statedTiers } from '../../language/stated-limits.ts';
import { lapseReasons } from '../../language/stated-paces.ts';

export const holdsThroughout = rule({
  id: 'limit.holds-throughout',
  clause: clauses.limitsAsStated,
  needs: [...probes, 'limits.declared'],
  ...probing,
  about: ({ subject }) => ({ stated: statedTiers(subject) }),
  // The record of all rules before it: it asks nothing itself.
  async *ask({ limits }) {
    yield { near: orNothing(await limits.neighbours()) };
    yield { all: [...(await limits.throughout())] };
  },
  given: ({ near, all }) => [
    inapplicableIf(
      !!near && cellIn(near, sameKeyElsewhere) === 'apart',
      'a key has a limit of its own at each address: another rule reports that',
    ),
    inapplicableIf(all?.length === 0, 'the profile states no limit for the plans of its keys'),
    inconclusiveIf(
      all !== undefined && !all.some(({ calls }) => calls.some(isRefused)),
      'no key whose limit is stated was refused in this run',
    ),
  ],
  judge: ({ all }, { stated }) =>
    all.flatMap((each) => {
      const limit = stated[each.tier ?? ''];
      return limit === undefined ? [] : lapseReasons(each, limit, each.tier === null ? '' : ` for ${each.tier}`);
    }),
  fix: 'Let no failure of what counts, no restart of it and no other call lift a limit, for however short a time.',
});
