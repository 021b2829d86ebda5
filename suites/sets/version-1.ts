/**
 * Runs of version 1 hold the evidence of their time: bare where today's has names, and with conclusions next to the exchanges
 * that they were drawn from. Each entry makes of it what today's judge reads. What was gated then was gated while asking.
 */
import type { About } from '../../src/vocabulary.ts';

// biome-ignore lint/suspicious/noExplicitAny: it is whatever a file of that time holds
type Old = any;

interface Upgraded {
  readonly evidence: Old;
  readonly about?: About;
}

const named =
  (name: string) =>
  (old: Old): Upgraded => ({ evidence: { [name]: old } });

const created = ({ answer = null, name = null, ...rest }: Old): Upgraded => ({
  evidence: { created: { answer, name, identified: true }, ...rest },
});

const work = ({ refused, reached }: Old): Upgraded => ({
  evidence: { refused, reached: { of: refused, times: reached } },
});

/** A request of which only the tier matters that it asked for. */
const askingFor = (tier: string | null): Old => ({
  request: { target: `?tier=${encodeURIComponent(tier ?? '')}`, body: { text: JSON.stringify({ tier }) } },
});

const beyondAnything = { requests: -1, perMs: Number.MAX_SAFE_INTEGER };

export const version1: Readonly<Record<string, (old: Old) => Upgraded>> = {
  'access.refusal-does-no-work': work,
  'auth.refusal-does-no-work': work,
  'input.refusal-does-no-work': work,
  'auth.header-name-case': (exchange) => ({ evidence: { exchange, usual: null }, about: { route: 'verify' } }),
  'input.validated-however-sent': named('exchange'),
  'run.answers-belong-to-requests': (old) => ({ evidence: { alone: old[0], runs: old } }),
  'run.clean-run-is-not-partial': named('clean'),
  'run.echo-is-not-partial': named('clean'),
  'run.empty-result': named('exchange'),
  'partial.all-sources-work': named('clean'),
  'partial.has-items': named('exchange'),
  'partial.slow-source': named('exchange'),
  'upstream.broken-source': named('exchange'),
  'upstream.timeout': named('exchange'),
  'admin.api-key-is-no-token': named('exchange'),
  'admin.right-token': named('exchange'),
  'admin.survives-restart': named('exchange'),
  'admin.revocation-survives-restart': named('exchange'),
  'admin.refusal-creates-nothing': named('tries'),
  'admin.created-key-format': created,
  'admin.hash-is-sha-256': created,
  'admin.shown-once': created,
  'admin.store-holds-no-plaintext': ({ answer, forms }) => ({
    evidence: { created: { answer, name: null, identified: true }, stored: { forms } },
  }),
  'admin.created-key-works': ({ tier, ...rest }) => ({
    evidence: { created: { answer: askingFor(tier), name: null, identified: true }, ...rest },
    about: { tier },
  }),
  'admin.changed-tier': ({ tier, after }) => ({
    evidence: { changed: askingFor(tier), after },
    about: { tier, tiers: [tier] },
  }),
  'disabled.answer-ignores-token': ({ controls, presented }) => ({
    evidence: { controls, presented: presented.map(({ exchange }: Old) => exchange) },
    about: { names: presented.map(({ name }: Old) => name) },
  }),
  'limit.exists': ({ calls, others, unlimited }) => ({
    evidence: { probed: { calls, tier: '' }, others },
    about: { stated: unlimited ? { '': beyondAnything } : {} },
  }),
  'limit.error-shape': (calls) => ({ evidence: { probed: { calls } } }),
  'limit.headers': (calls) => ({ evidence: { probed: { calls } } }),
  'limit.model': named('probed'),
  'limit.which-routes': named('routes'),
  'limit.survives-reconnect': named('rounds'),
  'limit.other-key-unaffected': named('near'),
  'limit.follows-the-key': named('near'),
  'limit.scales-with-tier': named('tiers'),
  'limit.as-declared': ({ stated, tolerance }) => ({
    evidence: { probed: stated.map(({ probed }: Old) => probed) },
    about: {
      tolerance,
      stated: Object.fromEntries(stated.map(({ probed, limit }: Old) => [probed.tier ?? '', limit])),
    },
  }),
  'limit.impatience-gains-nothing': (old) => ({ evidence: { paces: null, ...old } }),
  'limit.waiting-admits': ({ waits, calls }) => ({ evidence: { waits, probed: { calls } } }),
  'limit.refusal-does-no-work': ({ refused }) => ({
    evidence: { runs: { refused: refused.map(({ exchange, reached }: Old) => ({ of: exchange, times: reached })) } },
  }),
  // What the profile stated was not written down then, only that more than it was admitted.
  'address.exists': ({ calls, unlimited }) =>
    unlimited ? { evidence: { probed: { calls } }, about: { stated: beyondAnything } } : { evidence: { probed: null } },
  'address.other-address-unaffected': named('near'),
  'address.retry-after': (calls) => ({ evidence: { met: { calls, tried: [] } } }),
  'address.waiting-admits': named('waits'),
  'address.unauthenticated-limited': ({ strangers, free }) => ({
    evidence: { strangers: { calls: strangers }, met: free === 0 ? null : { calls: [] } },
  }),
  'address.forged-header': ({ rounds }) => ({ evidence: { rounds } }),
};
