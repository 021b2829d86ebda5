/** Whether the limit that callers without a key meet holds at every pace, as that of a key must. */
import { type Gate, type Paces, rule } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { inconclusiveIf } from '../../language/gates.ts';
import { probes, probing } from '../../language/probing.ts';
import { atOnceReasons, forgivenReasons, neverRefused, wavesMet } from '../limit/paces.ts';

const isMetInTurn = (paces: Paces | undefined): Gate =>
  inconclusiveIf(
    paces !== undefined && neverRefused(paces),
    'calls one after another were not refused, so there is nothing to compare with',
  );

export const holdsAtOnce = rule({
  id: 'address.holds-at-once',
  clause: clauses.limitHoldsAtOnce,
  needs: probes,
  ...probing,
  rests: 2.4,
  ask: async ({ limits }) => ({ paces: await limits.addressPaces() }),
  given: ({ paces }) => [isMetInTurn(paces), ...(paces === undefined ? [] : wavesMet(paces))],
  judge: ({ paces }) => atOnceReasons(paces),
  fix: 'Check and count in one atomic step, for addresses as for keys.',
});

export const refusalForgivesNothing = rule({
  id: 'address.refusal-forgives-nothing',
  clause: clauses.refusalForgivesNothing,
  needs: probes,
  ...probing,
  ask: async ({ limits }) => ({ paces: await limits.addressPaces() }),
  given: ({ paces }) => [isMetInTurn(paces)],
  judge: ({ paces }) => forgivenReasons(paces, 'address'),
  fix: 'A refusal must not lower the counter of its address: look for a reset in the refusal path.',
});
