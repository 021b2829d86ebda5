/**
 * From which rate on answers become slower: from 0.2 × RATE evenly up to it, in DURATION; WARM_UP is at the lowest rate.
 *
 *   k6 run -e BASE_URL=… -e API_KEYS_FILE=keys.txt -e RATE=200 -e DURATION=60s load/ramp.ts
 *
 * One pass, and a guess: `touchstone load capacity` searches for the highest rate that keeps a promise. The rest as in latency.ts.
 */
import { optionsFor, sender } from './shared/scenario.ts';

const { phases, send } = sender('ramp');

export const options = optionsFor(phases);

export default send;
