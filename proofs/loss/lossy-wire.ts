/** A wire that loses answers at random: what a balancer, a tunnel or a crowded network does to a lawful service. */
import type { Transport } from '../../src/http/transport.ts';
import type { FailureKind } from '../../src/model/exchange.ts';
import type { Random } from '../../src/random.ts';

export function lossy(inner: Transport, share: number, kind: FailureKind, random: Random): Transport {
  return {
    release: (line) => inner.release(line),
    close: () => inner.close(),
    async send(request, route, limits) {
      const outcome = await inner.send(request, route, limits);
      if (outcome.response === undefined || random() >= share) return outcome;
      const { response: _, ...rest } = outcome;
      return { ...rest, failure: { kind, says: 'The answer was lost on its way.' } };
    },
  };
}
