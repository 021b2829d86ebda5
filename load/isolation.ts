/**
 * Whether a noisy key harms a quiet one. The quiet key runs alone, then next to the noisy one; its answers should not change.
 *
 *   k6 run -e BASE_URL=… -e API_KEYS_FILE=keys.txt -e RATE=30 -e QUIET_RATE=2 load/isolation.ts
 *
 * keys.txt: the noisy key first, the quiet one second. RATE is the noisy one's and should be beyond its limit: its 429s are
 * expected. k6 shows the two apart by the scenario's name: p0 quiet and alone, p1 quiet, p2 noisy.
 */
import { optionsFor, sender } from './shared/scenario.ts';
import { keys } from './shared/settings.ts';

if (keys.length < 2) throw new Error('isolation needs two keys: the noisy one first, the quiet one second');

const { phases, send } = sender('isolation');

export const options = optionsFor(phases, { 'http_reqs{scenario:p1,status:429}': ['count<1'] });

export default send;
