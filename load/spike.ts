/**
 * What a sudden rush does, and what is left of it afterwards: half of RATE, twice RATE, half of RATE again, DURATION each.
 *
 *   k6 run -e BASE_URL=… -e API_KEYS_FILE=keys.txt -e RATE=200 load/spike.ts
 *
 * RATE should be the knee that `touchstone load capacity` found. k6 shows the three apart as p0, p1 and p2.
 */
import { optionsFor, sender } from './shared/scenario.ts';

const { phases, send } = sender('spike');

export const options = optionsFor(phases);

export default send;
