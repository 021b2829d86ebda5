/** Settings of a script from its environment, with small defaults, so that nobody floods a service by accident. */
import type { Settings } from './scenarios.ts';

function numberOf(name: string, usual: number): number {
  const given = __ENV[name];
  if (given === undefined || given === '') return usual;
  const value = Number(given);
  if (!Number.isFinite(value) || value < 0) throw new Error(`${name} must be a number, 0 or more`);
  return value;
}

/** `30s`, `5m`, `1h`, `250ms`, or seconds. */
function secondsOf(name: string, usual: number): number {
  const given = __ENV[name];
  if (given === undefined || given === '') return usual;
  const match = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(given);
  if (match === null) throw new Error(`${name} must be a duration such as 30s or 5m`);
  const unit = { ms: 0.001, s: 1, m: 60, h: 3600 }[match[2] ?? 's'] ?? 1;
  return Number(match[1]) * unit;
}

function keysOf(): readonly string[] {
  const file = __ENV.API_KEYS_FILE;
  const text = file === undefined ? (__ENV.API_KEY ?? '') : open(file);
  const keys = text.split(/\s+/).filter((key) => key !== '');
  if (keys.length === 0) throw new Error('no key: name a file with one key a line in API_KEYS_FILE, or set API_KEY');
  return keys;
}

export interface Operation {
  readonly kind: 'run' | 'verify' | 'read';
  readonly actor: string;
  /** JSON text; `{{nonce}}` is new in each request. */
  readonly input: string;
  readonly weight: number;
}

/** `OPERATIONS` is a JSON list, for `mixed`; else one actor is run. */
function operationsOf(): readonly Operation[] {
  const given = __ENV.OPERATIONS;
  if (given !== undefined) return JSON.parse(given) as Operation[];
  const input = __ENV.INPUT ?? '{"message":"{{nonce}}"}';
  return [{ kind: 'run', actor: __ENV.ACTOR ?? 'message-relay', input, weight: 1 }];
}

const address = (__ENV.BASE_URL ?? '').replace(/\/+$/, '');
if (address === '') throw new Error('BASE_URL is missing: -e BASE_URL=http://127.0.0.1:8080');

export const keys = keysOf();
export const baseUrl = address;
export const operations = operationsOf();
export const seed = numberOf('SEED', 1);
/** How many answers a second are compared with their requests. */
export const checksPerSecond = numberOf('CHECKS', 20);
export const timeoutSeconds = secondsOf('TIMEOUT', 30);
export const slowestSeconds = secondsOf('SLOWEST', 2);
export const mostVus = numberOf('VUS', 1000);
/** JSON, of headers that each request carries; in a file where they are secret. */
const headersFile = __ENV.HEADERS_FILE;
export const extraHeaders = JSON.parse(
  headersFile === undefined ? (__ENV.HEADERS ?? '{}') : open(headersFile),
) as Record<string, string>;
export const insecure = __ENV.INSECURE === '1';
/** One line a request on standard output, for Touchstone; without it, k6's own metrics and summary. */
export const streams = __ENV.SAMPLES === '1';

const perSecond = numberOf('RATE', 10);

export const settings: Settings = {
  perSecond,
  seconds: secondsOf('DURATION', 10),
  warmUpSeconds: secondsOf('WARM_UP', 3),
  limitPerSecond: numberOf('LIMIT', perSecond),
  quietPerSecond: numberOf('QUIET_RATE', Math.max(1, perSecond / 6)),
  keys: keys.length,
  restSeconds: secondsOf('REST', 5),
};
