/**
 * How long a run takes at a constant rate.
 *
 *   k6 run -e BASE_URL=http://127.0.0.1:8080 -e API_KEYS_FILE=keys.txt load/latency.ts
 *
 * RATE 10 · DURATION 10s · WARM_UP 3s · ACTOR message-relay · INPUT '{"message":"{{nonce}}"}' · SEED 1 · TIMEOUT 30s · VUS 1000.
 * keys.txt: one key a line; they take turns. `latency_from_intended` counts from the scheduled start of each request, so that a
 * stall is seen by everyone whom it kept waiting.
 */
import { optionsFor, sender } from './shared/scenario.ts';

const { phases, send } = sender('latency');

export const options = optionsFor(phases, { 'http_reqs{status:429}': ['count<1'] });

export default send;
