/**
 * What the service admits at 0.5, 1, 1.5 and 3 times a limit, in sequence, with a pause between them. 429s are expected.
 *
 *   k6 run -e BASE_URL=… -e API_KEYS_FILE=keys.txt -e LIMIT=5 load/limits.ts
 *
 * LIMIT: requests a second that are known or declared to be admitted. One key in the file measures the key's limit; many keys
 * from one address, each far below its own, measure the address's. DURATION is for each multiple, REST (5s) between two.
 */
import { optionsFor, sender } from './shared/scenario.ts';

const { phases, send } = sender('limits');

export const options = optionsFor(phases);

export default send;
