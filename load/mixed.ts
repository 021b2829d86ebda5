/**
 * A mix of runs, key checks and schema reads, drawn by SEED and slot: the same seed sends the same mix in the same order.
 *
 *   k6 run -e BASE_URL=… -e API_KEYS_FILE=keys.txt -e OPERATIONS='[{"kind":"run","actor":"text-digest","input":"{\"text\":\"x\"}","weight":8},{"kind":"verify","actor":"","input":"","weight":1},{"kind":"read","actor":"text-digest","input":"","weight":1}]' load/mixed.ts
 *
 * kind: run, verify or read. The rest as in latency.ts.
 */
import { optionsFor, sender } from './shared/scenario.ts';

const { phases, send } = sender('mixed');

export const options = optionsFor(phases, { 'http_reqs{status:429}': ['count<1'] });

export default send;
