/** A run made by hand, for the tests of everything that reads runs. One rule for each verdict, and a service that is hostile. */
import type {
  Exchange,
  Finding,
  Measurement,
  PlannedRule,
  Run,
  RunFooter,
  RunHeader,
  RunRecord,
} from '../src/vocabulary.ts';

/** Terminal control, reading direction, markup, an attachment, and a line that looks like ours. */
export const hostile =
  '\u001b[2J\u202eevil\u2066 </failure>]]> [[ATTACHMENT|/etc/passwd]] $(rm -rf ~) `id` \u0000\nCONFORMS';

const planned = (rule: string, level: PlannedRule['level'], says: string): PlannedRule => ({
  rule,
  level,
  clause: { id: rule, section: '§5 Data requests', says },
  fix: 'Compare the whole key.',
  contexts: 12,
});

const found = (rule: string, verdict: Finding['verdict'], more: Partial<Finding> = {}): Finding => ({
  rule,
  verdict,
  reasons: [],
  asked: { contexts: 12, planned: 12, leftOut: [] },
  exchanges: [],
  ...more,
});

export const exchange = (id: number, more: Partial<Exchange> = {}): Exchange => ({
  id,
  purpose: 'ask',
  instance: 'main',
  request: {
    method: 'POST',
    target: '/base/v1/actors/echo/run-sync-get-dataset-items',
    head: 'POST /base/v1/actors/echo/run-sync-get-dataset-items HTTP/1.1\r\n',
    headers: [
      ['Host', '127.0.0.1:8080'],
      ['X-API-Key', 'vk_live_«main:truncated»'],
      ['Content-Type', 'application/json'],
      ['Content-Length', '17'],
    ],
    body: { text: `{"text":"it's $1"}`, bytes: 17 },
  },
  response: {
    status: 200,
    head: 'HTTP/1.1 200 OK\r\n',
    headers: [
      ['Content-Type', 'application/json'],
      ['X-Other', 'no matter'],
    ],
    body: { text: hostile.repeat(8), bytes: 400 },
  },
  at: { sent: 10, head: 20, end: 22.5 },
  connection: { number: 3, use: 1 },
  ...more,
});

const header: RunHeader = {
  type: 'header',
  version: 1,
  touchstone: '0.1.0',
  rules: { version: '1', specification: 'abc' },
  target: 'http://127.0.0.1:8080/base',
  profile: { name: 'touchstone.yaml', digest: 'def' },
  started: '2026-11-20T21:00:00.000Z',
  seed: 42,
  depth: 'standard',
  strict: false,
  planned: [
    planned('auth.run-without-key', 'required', 'Every data request carries a key.'),
    planned('auth.run-with-invalid-key', 'required', 'A key that the service does not know gets 401.'),
    planned('auth.header-name-case', 'expected', 'Header names are case-insensitive.'),
    planned('auth.key-elsewhere', 'observed', 'Whether a key is taken from elsewhere is not shown.'),
    {
      ...planned('verify.tier-as-declared', 'required', 'Verify reports the tier.'),
      untested: { because: 'no key declares its tier', add: 'keys: { main: { tier: … } }' },
    },
    planned('upstream.timeout', 'required', 'A slow source is a 502 or 504.'),
    planned('run.success-shape', 'required', 'A success has items and a status.'),
  ],
};

const findings: readonly Finding[] = [
  found('auth.run-without-key', 'pass', { exchanges: [1] }),
  found('auth.run-with-invalid-key', 'fail', {
    reasons: [{ weight: 'violation', expected: '401', came: hostile, exchange: 2 }],
    where: 'for a truncated key on a kept connection',
    seen: { times: 3, of: 5 },
    exchanges: [2],
  }),
  found('auth.header-name-case', 'warn', {
    reasons: [{ weight: 'warning', expected: '2xx', came: '401', exchange: 1 }],
    exchanges: [1],
  }),
  found('auth.key-elsewhere', 'observed', { facts: [`a key in Authorization is answered 401 ${hostile}`] }),
  found('verify.tier-as-declared', 'untested', {
    because: 'no key declares its tier; add keys: { main: { tier: … } }',
  }),
  found('upstream.timeout', 'inconclusive', { because: 'the twin request, which must succeed, got 503' }),
  found('run.success-shape', 'error', { because: 'the judge failed: x is not a function' }),
];

const footer: RunFooter = {
  type: 'footer',
  ended: '2026-11-20T21:00:05.000Z',
  tookMs: 5000,
  counts: { pass: 1, fail: 1, warn: 1, observed: 1, untested: 1, inconclusive: 1, error: 1 },
  exchanges: 2,
  waits: [{ who: 'main', times: 2, ms: 3200 }],
  leftBehind: ['created-1'],
  remarks: ['The sources were not reachable.'],
};

export const sampleRun: Run = {
  header,
  findings,
  exchanges: new Map([
    [1, exchange(1)],
    [2, exchange(2)],
  ]),
  steps: [
    {
      type: 'step',
      rule: 'auth.run-with-invalid-key',
      context: { key: 'live', connection: 'kept', history: 'first', company: 'alone', case: 'a truncated key' },
      purpose: 'plan',
      evidence: [{ $exchange: 2 }],
      twin: 1,
      exchanges: [2],
      tookMs: 12,
    },
  ],
  limits: [],
  footer,
};

/** As the engine would have written it. */
export const recordsOf = ({
  header: first,
  exchanges,
  steps,
  findings: each,
  measurements = [],
  footer: last,
}: Run): RunRecord[] => [
  first,
  ...[...exchanges.values()].map((one): RunRecord => ({ type: 'exchange', exchange: one })),
  ...steps,
  ...each.map((finding): RunRecord => ({ type: 'finding', finding })),
  ...measurements.map((measurement): RunRecord => ({ type: 'measurement', measurement })),
  ...(last === undefined ? [] : [last]),
];

export const textOf = (run: Run): string =>
  `${recordsOf(run)
    .map((record) => JSON.stringify(record))
    .join('\n')}\n`;

/** A measurement in which nothing happened: tests say what they need. */
export const measurementOf = (more: Partial<Measurement> = {}): Measurement => ({
  id: 'latency',
  scenario: 'latency',
  engine: { name: 'k6', version: '2.2.0', model: 'open', workers: 1 },
  target: 'http://127.0.0.1:8080',
  seed: 7,
  started: '2026-11-20T21:00:00.000Z',
  plan: { perSecond: 50, warmUpSeconds: 3, seconds: 10, keys: 1, addresses: 1, refusalsExpected: false },
  achieved: { intended: 500, begun: 500, seconds: 10 },
  from: 'intended-start',
  latencies: { ok: { count: 0 }, limited: { count: 0 }, other: { count: 0 } },
  series: [{ at: 0, counts: { ok: 50, limited: 0, other: 0 }, p50Us: 900, p99Us: 1800, maxUs: 2100, lagP99Us: 400 }],
  groups: [],
  others: [],
  answers: { checked: 10, wrong: 0, examples: [] },
  generator: {
    cpuSeconds: 1.5,
    samples: [{ at: 0, cpuCores: 0.1, rssBytes: 40_000_000, sockets: 3 }],
    cores: 2,
    dropped: 0,
    lag: { count: 0 },
    vus: { allowed: 20, usedAtMost: 2 },
    stallP99Ms: 1.2,
    exhausted: 0,
  },
  machine: { cpu: 'any', cores: 2, memoryBytes: 8e9, system: 'linux', node: 'v24.21.0' },
  validity: { verdict: 'valid', reasons: [] },
  thresholds: [],
  conclusions: [],
  ...more,
});

/** The sample with the verdicts that were picked, and a footer that agrees. */
export function sampleWith(rules: readonly string[]): Run {
  const kept = findings.filter((each) => rules.includes(each.rule));
  const counts = { ...footer.counts };
  for (const verdict of Object.keys(counts) as (keyof typeof counts)[])
    counts[verdict] = kept.filter((each) => each.verdict === verdict).length;
  return {
    ...sampleRun,
    header: { ...header, planned: header.planned.filter((each) => rules.includes(each.rule)) },
    findings: kept,
    steps: [],
    footer: { ...footer, counts },
  };
}

/** The sample, in which the failure and the untested rule are waived. */
export const waivedRun: Run = {
  ...sampleRun,
  findings: findings.map((each) =>
    each.verdict === 'fail' || each.verdict === 'untested'
      ? { ...each, waived: { reason: 'fixed in 2.1', owner: 'ann@example.org', issue: '#12', expires: '2027-01-31' } }
      : each,
  ),
};

/** A run of an ordinary size, or of any: rules that pass, some that fail, and their exchanges, each a little different. */
export function runOf(exchanges: number, rules = 100): Run {
  const names = Array.from({ length: rules }, (_, at) => `run.rule-${at}`);
  const all = Array.from({ length: exchanges }, (_, at) => {
    const body = `{"items":[{"title":"entry ${at}","nonce":"${(at * 7919).toString(36).padStart(12, '0')}"}],"status":"SUCCEEDED","note":"${'lorem ipsum '.repeat(at % 40)}"}`;
    return exchange(at + 1, {
      at: { sent: at, head: at + 5, end: at + 7 },
      response: {
        status: at % 3 === 0 ? 401 : 200,
        head: `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\nDate: Fri, 20 Nov 2026 21:00:${String(at % 60).padStart(2, '0')} GMT`,
        headers: [['content-type', 'application/json']],
        body: { text: body, bytes: body.length },
      },
    });
  });
  const own = (at: number): number[] => all.filter(({ id }) => id % rules === at).map(({ id }) => id);
  const results = names.map((rule, at) =>
    at % 20 === 3
      ? found(rule, 'fail', {
          reasons: own(at)
            .slice(0, 20)
            .map((id) => ({ weight: 'violation' as const, expected: '401', came: '200', exchange: id })),
          exchanges: own(at).slice(0, 10),
        })
      : found(rule, 'pass', { exchanges: own(at).slice(0, 3) }),
  );
  const failed = results.filter(({ verdict }) => verdict === 'fail').length;
  return {
    limits: [],
    header: { ...header, planned: names.map((rule) => planned(rule, 'required', `What ${rule} demands.`)) },
    findings: results,
    exchanges: new Map(all.map((each) => [each.id, each])),
    steps: names.flatMap((rule, at) =>
      own(at).map((id) => ({
        type: 'step' as const,
        rule,
        context: { key: 'live', connection: 'kept', history: 'first', company: 'alone', case: `case ${id}` } as const,
        purpose: 'plan' as const,
        evidence: [{ $exchange: id }],
        exchanges: [id],
        tookMs: 7,
      })),
    ),
    footer: {
      ...footer,
      counts: { pass: rules - failed, fail: failed, warn: 0, observed: 0, untested: 0, inconclusive: 0, error: 0 },
      exchanges,
    },
  };
}
