/**
 * Whether it stays stable for hours. Slopes over the seconds show what rises slowly, not a comparison of the ends.
 *
 *   k6 run --no-thresholds --summary-mode=disabled --out csv=soak.csv -e BASE_URL=… -e API_KEYS_FILE=keys.txt -e DURATION=4h load/soak.ts
 *
 * With those two flags k6 keeps no samples in memory. The rest as in latency.ts.
 */
import { optionsFor, sender } from './shared/scenario.ts';

const { phases, send } = sender('soak');

export const options = optionsFor(phases);

export default send;
