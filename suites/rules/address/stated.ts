/** What a profile states of an address, tried without any model of the limiter. */
import { rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import { probes, probing } from '../../language/probing.ts';
import { paceReasons } from '../../language/stated-paces.ts';

export const statedPace = rule({
  id: 'address.stated-pace',
  clause: clauses.limitsAsStated,
  needs: [...probes, 'limits.declared'],
  ...probing,
  rests: 6,
  cases: ({ limits }) =>
    limits.address === undefined
      ? 'the profile documents no limit of an address; add limits: { documented: { address: { requests: …, per: 1m } } }'
      : [{ name: 'an address' }],
  about: ({ subject: { limits } }) => ({
    stated: limits.address === undefined ? null : { ...limits.address },
    tolerance: limits.tolerance,
  }),
  ask: async ({ limits }) => ({ paced: await limits.addressAsStated() }),
  given: ({ paced }) => [
    inconclusiveIf(
      paced?.length === 0,
      'too few keys are available to call at the documented pace, and callers without a key have another limit',
    ),
  ],
  judge: ({ paced }, { stated, tolerance }) =>
    stated === null ? [] : paced.flatMap((each) => paceReasons(each, stated, tolerance, ' for an address')),
  fix: 'Correct the limit of an address or its documentation, so that they agree.',
});
