/**
 * One step of the search for the highest rate that keeps a promise; Touchstone takes the steps.
 *
 *   k6 run -e BASE_URL=… -e API_KEYS_FILE=keys.txt -e RATE=200 -e PROMISE_P99=250 load/capacity.ts
 *
 * PROMISE_P99: milliseconds from the intended start, that 99 of 100 runs may take. The rest as in latency.ts.
 */
import { optionsFor, sender } from './shared/scenario.ts';

const { phases, send } = sender('capacity');

export const options = optionsFor(phases, {
  latency_from_intended: [`p(99)<${Number(__ENV.PROMISE_P99 ?? 250)}`],
  http_req_failed: ['rate<0.001'],
  'http_reqs{status:429}': ['count<1'],
});

export default send;
