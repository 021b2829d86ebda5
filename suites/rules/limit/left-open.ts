/** What the specification leaves open about limits, as facts: which requests count, what kind of limit, what headers say. */
import { describe, type Exchange, isRefused, modelOfProbed, observation, whatCame } from '../../../src/vocabulary.ts';
import { clauses } from '../../clauses/index.ts';
import { isMet, probes, probing } from '../../language/probing.ts';

export const whichRoutes = observation({
  id: 'limit.which-routes',
  clause: clauses.limitedRoutesNotShown,
  needs: probes,
  ...probing,
  ask: async ({ limits }) => ({ routes: await limits.routes() }),
  observe: ({ routes }) =>
    routes.map(({ request, answer }) => `with an exhausted key, ${request} gets ${whatCame(answer)}`),
  fix: 'Nothing to fix: the specification leaves open which requests count against a limit.',
});

export const model = observation({
  id: 'limit.model',
  clause: clauses.limiterKindNotShown,
  needs: probes,
  ...probing,
  late: true,
  ask: async ({ limits }) => ({ probed: await limits.key() }),
  given: ({ probed }) => [isMet(probed)],
  observe: ({ probed }) => [`by ${probed.route}, with key ${probed.caller}:`, ...describe(modelOfProbed(probed))],
  fix: 'Nothing to fix: the specification leaves open kind and height of limits.',
});

const told = /^(?:x-)?rate-?limit|^retry-after$|^x-retry/i;

/** The headers in which the answers of a trace speak of limits, each with one example. */
function headersIn(calls: readonly Exchange[], wanted: boolean): Map<string, string> {
  const seen = new Map<string, string>();
  for (const call of calls.filter((each) => isRefused(each) === wanted)) {
    for (const [name, value] of call.response?.headers ?? []) {
      if (told.test(name) && !seen.has(name.toLowerCase())) seen.set(name.toLowerCase(), value.slice(0, 80));
    }
  }
  return seen;
}

export const headers = observation({
  id: 'limit.headers',
  clause: clauses.limiterHeadersNotShown,
  needs: probes,
  ...probing,
  late: true,
  ask: async ({ limits }) => ({ probed: await limits.key() }),
  given: ({ probed }) => [isMet(probed)],
  observe: ({ probed: { calls } }) =>
    [true, false].map((refused) => {
      const seen = [...headersIn(calls, refused)].map(([name, value]) => `${name}: ${value}`);
      return `${refused ? 'refusals' : 'admitted calls'} carry ${seen.length === 0 ? 'no header about limits' : seen.join(', ')}`;
    }),
  fix: 'Nothing to fix: the specification leaves open which headers besides Retry-After describe limits.',
});
