/** What a profile states of an address, tried without any model of the limiter. */
import { isRefused, rule, type Subject } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inapplicableIf, inconclusiveIf } from '../../language/gates.ts';
import { probes, probing } from '../../language/probing.ts';
import { lapseReasons, paceReasons } from '../../language/stated-paces.ts';

const documented = ({ limits }: Subject) =>
  limits.address === undefined
    ? 'the profile documents no limit of an address; add limits: { documented: { address: { requests: …, per: 1m } } }'
    : [{ name: 'an address' }];

const statedOf = ({ limits }: Subject) => (limits.address === undefined ? null : { ...limits.address });

export const statedPace = rule({
  id: 'address.stated-pace',
  clause: clauses.limitsAsStated,
  needs: [...probes, 'limits.declared'],
  ...probing,
  rests: 6,
  cases: documented,
  about: ({ subject }) => ({ stated: statedOf(subject), tolerance: subject.limits.tolerance }),
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

export const holdsThroughout = rule({
  id: 'address.holds-throughout',
  clause: clauses.limitsAsStated,
  needs: [...probes, 'limits.declared'],
  ...probing,
  cases: documented,
  about: ({ subject }) => ({ stated: statedOf(subject) }),
  // The record of all rules before it: it asks nothing itself.
  ask: async ({ limits }) => ({ all: await limits.throughoutAt() }),
  given: ({ all }) => [
    inapplicableIf(all === null, 'nobody called without a key from an address of this machine'),
    inconclusiveIf(!!all && !all.calls.some(isRefused), 'callers without a key were not refused in this run'),
  ],
  judge: ({ all }, { stated }) => (all === null || stated === null ? [] : lapseReasons(all, stated, ' for an address')),
  fix: 'Let no failure of what counts, no restart of it and no other call lift a limit, for however short a time.',
});
