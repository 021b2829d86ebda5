/** What every scenario is made of: the options for k6, and one request a slot. */
import exec from 'k6/execution';
import http, { type Params, type RefinedResponse, type ResponseType } from 'k6/http';
import { Counter, Trend } from 'k6/metrics';
import type { Options, Scenario } from 'k6/options';
import { wrongIn } from './answers.ts';
import { drawn, nonceOf } from './chance.ts';
import { highestRate, isSteady, type Phase, perThousandSeconds, tailSeconds, vusFor } from './phases.ts';
import { type ScenarioName, scenarios } from './scenarios.ts';
import {
  baseUrl,
  checksPerSecond,
  extraHeaders,
  insecure,
  keys,
  mostVus,
  operations,
  seed,
  settings,
  slowestSeconds,
  streams,
  timeoutSeconds,
} from './settings.ts';

// A 429 is an answer that may be expected; whether it was is for the reader of the figures to say.
http.setResponseCallback(http.expectedStatuses({ min: 200, max: 299 }, 429));

// Only where nobody reads the stream: k6 keeps every sample of a trend in memory.
const own = streams
  ? undefined
  : {
      latency: new Trend('latency_from_intended', true),
      lag: new Trend('schedule_lag', true),
      wrong: new Counter('wrong_answers'),
    };

/** `promises` are thresholds that a bare `k6 run` exits 99 for; Touchstone judges for itself. */
export function optionsFor(phases: readonly Phase[], promises: Options['thresholds'] = {}): Options {
  const scenarios = Object.fromEntries(phases.map((phase, at) => [`p${at}`, scenarioOf(phase)]));
  return {
    discardResponseBodies: true,
    insecureSkipTLSVerify: insecure,
    // Each tag costs; these are the ones that a summary splits by.
    systemTags: streams ? ['status'] : ['status', 'scenario', 'error_code'],
    summaryTrendStats: ['min', 'med', 'p(90)', 'p(99)', 'p(99.9)', 'max', 'count'],
    scenarios,
    ...(streams
      ? {}
      : {
          thresholds: {
            dropped_iterations: ['count<1'],
            schedule_lag: ['p(99)<5'],
            wrong_answers: ['count<1'],
            ...promises,
          },
        }),
  };
}

function scenarioOf(phase: Phase): Scenario {
  // As many from the start as there may be: made in the middle of a test, they come late.
  const vus = vusFor(phase, slowestSeconds, mostVus);
  const rate = perThousandSeconds(highestRate(phase));
  const ms = (seconds: number): string => `${Math.round(seconds * 1000)}ms`;
  const stages = phase.stretches.map(({ seconds, to }) => ({ duration: ms(seconds), target: perThousandSeconds(to) }));
  return {
    ...(isSteady(phase)
      ? { executor: 'constant-arrival-rate', rate, duration: ms(phase.seconds + tailSeconds) }
      : {
          executor: 'ramping-arrival-rate',
          startRate: perThousandSeconds(phase.stretches[0]!.from),
          stages: [...stages, { duration: ms(tailSeconds), target: stages.at(-1)!.target }],
        }),
    timeUnit: '1000s',
    startTime: ms(phase.from),
    preAllocatedVUs: vus,
    maxVUs: vus,
    // Cut short, the slowest would be missing from the figures.
    gracefulStop: `${Math.ceil(timeoutSeconds + 1)}s`,
  };
}

interface Prepared {
  readonly method: 'GET' | 'POST';
  readonly url: string;
  readonly input: string | undefined;
  readonly echoes: boolean;
  /** The share of the mix up to and with this one. */
  readonly upTo: number;
}

const total = operations.reduce((sum, { weight }) => sum + weight, 0);
let summed = 0;
const prepared = operations.map(({ kind, actor, input, weight }): Prepared => {
  summed += weight;
  const path = `/v1/actors/${encodeURIComponent(actor)}`;
  return {
    method: kind === 'run' ? 'POST' : 'GET',
    url: `${baseUrl}${kind === 'verify' ? '/v1/auth/verify' : kind === 'read' ? path : `${path}/run-sync-get-dataset-items`}`,
    input: kind === 'run' ? input : undefined,
    echoes: kind === 'run' && input.includes('{{nonce}}'),
    upTo: summed / total,
  };
});

const json = { 'Content-Type': 'application/json' };
// Made once, not once a request.
const paramsOf = (responseType: 'text' | 'none', withBody: boolean): readonly Params[] =>
  keys.map((key) => ({
    headers: { ...extraHeaders, ...(withBody ? json : {}), 'X-API-Key': key },
    timeout: `${Math.round(timeoutSeconds * 1000)}ms`,
    redirects: 0,
    responseType,
  }));
const params = {
  POST: { text: paramsOf('text', true), none: paramsOf('none', true) },
  GET: { text: paramsOf('text', false), none: paramsOf('none', false) },
};

/** The function that k6 calls once a slot. */
export function sender(scenario: ScenarioName): { readonly phases: readonly Phase[]; readonly send: () => void } {
  const phases = scenarios[scenario].phases(settings);
  const mostPerSecond = phases.map(highestRate);
  // Asking k6 where one is costs more than the request's line: kept by each VU, where there is one answer.
  let place: typeof exec.scenario | undefined;
  let clock: typeof exec.instance | undefined;
  const send = (): void => {
    if (place === undefined || phases.length > 1) place = exec.scenario;
    clock ??= exec.instance;
    const at = phases.length > 1 ? Number(place.name.slice(1)) : 0;
    const slot = place.iterationInTest;
    const { sent, checked, nonce, kind } = made(phases[at]!, at, slot, mostPerSecond);
    if (own !== undefined) {
      const lag = Date.now() - place.startTime - phases[at]!.slotAt(slot);
      const answer = sent();
      own.lag.add(lag);
      own.latency.add(lag + tookMs(answer), { status: String(answer.status) });
      const wrong = checked ? wrongOf(answer, nonce) : undefined;
      if (wrong !== undefined) own.wrong.add(1, { what: wrong });
      return;
    }
    // This clock has fractions of a millisecond and is not stepped; where the schedule lies on it, the reader finds out.
    const began = clock.currentTestRunDuration;
    const answer = sent();
    const wrong = checked ? wrongOf(answer, nonce) : undefined;
    const says = answer.status === 0 ? failureOf(answer) : wrong !== undefined ? ` !${wrong}` : checked ? ' +' : '';
    // biome-ignore lint/suspicious/noConsole: k6 streams its samples to Touchstone by it
    console.log(`~${at} ${kind} ${slot} ${began.toFixed(3)} ${tookMs(answer).toFixed(3)} ${answer.status}${says}`);
  };
  return { phases, send };
}

type Answer = RefinedResponse<ResponseType | undefined>;

const tookMs = ({ timings }: Answer): number =>
  timings.blocked + timings.connecting + timings.tls_handshaking + timings.duration;

/** Whether it was this machine that had nothing left is in k6's words only. */
const failureOf = ({ error_code, error }: Answer): string =>
  ` e${error_code}${/cannot assign requested address|too many open files/.test(error) ? 'x' : ''}`;

const wrongOf = ({ status, body }: Answer, nonce: string | undefined): string | undefined =>
  status >= 200 && status < 300 ? wrongIn(body, nonce) : undefined;

function made(phase: Phase, at: number, slot: number, mostPerSecond: readonly number[]) {
  const kind = prepared.length === 1 ? 0 : prepared.findIndex(({ upTo }) => drawn(seed, slot) < upTo);
  const { method, url, input, echoes } = prepared[kind]!;
  const nonce = echoes ? nonceOf(seed, at, slot) : undefined;
  const checked = input !== undefined && drawn(seed + 1, slot) * mostPerSecond[at]! < checksPerSecond;
  const [first, end] = phase.keys;
  const how = params[method][checked ? 'text' : 'none'][first + (slot % (end - first))]!;
  const body = nonce === undefined ? input : input!.replaceAll('{{nonce}}', nonce);
  const sent = (): Answer => (method === 'POST' ? http.post(url, body!, how) : http.get(url, how));
  return { sent, checked, nonce, kind };
}
