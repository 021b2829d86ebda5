/** `between` on trial: lawful clients are never accused, faulty ones are found by what passes, and so are faults of the service. */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lawfulClients } from '../../fixtures/clients/lawful.ts';
import { ofLimits } from '../../fixtures/faults/limits.ts';
import {
  createService,
  layered,
  listen,
  MemoryStore,
  type Overlay,
  type ServiceOptions,
  seedsOf,
} from '../../fixtures/service/index.ts';
import { type Injection, injectionOf } from '../../src/between/injecting.ts';
import { standBefore } from '../../src/between/testing.ts';
import { clientCatalogue } from '../../src/cli/catalogue.ts';
import type { Run } from '../../src/model/run.ts';
import { deriveAgain } from '../../src/verdict/derive-again.ts';
import { clientRules } from '../../suites/client/index.ts';
import { catalogue } from '../../suites/index.ts';
import { matrixKeys } from '../matrix/try-on.ts';
import { allFaults } from '../matrix/variants.ts';

const program = join(import.meta.dirname, '../../fixtures/clients/client.mjs');
const key = matrixKeys.entitled.key;

interface Task {
  readonly actor?: string;
  readonly env?: Readonly<Record<string, string>>;
  /** This many starts in sequence. */
  readonly times?: number;
  /** Ended from outside after that. */
  readonly killMs?: number;
}

const client = (url: string, { actor = 'text-digest', env = {}, killMs = 20_000 }: Task, nth: number): Promise<void> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [program], {
      env: {
        PATH: process.env.PATH,
        BASE_URL: url,
        API_KEY: key,
        ACTOR: actor,
        INPUT: `{"text":"the words of job ${nth}"}`,
        ...env,
      },
      stdio: 'ignore',
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), killMs);
    child.once('exit', () => {
      clearTimeout(timer);
      resolve();
    });
  });

async function between(
  inject: readonly string[],
  traffic: (url: string) => Promise<unknown>,
  overlay: readonly Overlay[] = [],
  keyLimits: ServiceOptions['keyLimits'] = false,
): Promise<Run> {
  const options = {
    store: new MemoryStore(),
    keys: seedsOf(matrixKeys),
    keyLimits,
    addressLimit: false,
  } as const;
  const service = await listen(createService({ ...options, decisions: layered(...overlay) }));
  const injections = inject.map((text) => injectionOf(text, clientCatalogue.situations) as Injection);
  const standing = await standBefore(service.url, { injections, seed: 7 });
  try {
    await traffic(standing.url);
  } finally {
    await service.close();
  }
  const run = await standing.end();
  expect(JSON.stringify([...run.exchanges.values(), ...run.findings])).not.toContain(key.slice(8));
  expect(deriveAgain(run, catalogue, clientRules)).toEqual(JSON.parse(JSON.stringify(run.findings)));
  return run;
}

const accusing = ({ findings }: Run): string[] =>
  findings.filter(({ verdict }) => ['fail', 'warn', 'error'].includes(verdict)).map(({ rule }) => rule);

async function starts(url: string, task: Task): Promise<void> {
  for (let time = 0; time < (task.times ?? 1); time += 1) await client(url, task, time);
}

describe('a lawful client', { timeout: 600_000 }, () => {
  const mixes: readonly (readonly string[])[] = [
    [],
    ['429=0.4', '502=0.2', 'error-page=0.2'],
    ['failing-500=1'],
    ['broken-after=0.4', 'partial=0.4'],
  ];

  it.each(mixes)('is never accused with %j %j %j', async (...inject) => {
    const waiting = lawfulClients.map(({ name }) => name);
    const work = async (): Promise<void> => {
      for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
        const env = { ODDITY: name };
        const run = await between(inject, (url) => starts(url, { env, times: inject[0] === 'failing-500=1' ? 3 : 1 }));
        expect([name, run.findings.filter(({ rule }) => accusing(run).includes(rule))]).toEqual([name, []]);
        expect(run.exchanges.size).toBeGreaterThan(0);
      }
    };
    await Promise.all(Array.from({ length: 4 }, work));
  });
});

type Faulty = readonly [fault: string, inject: readonly string[], task: Task, ...rules: string[]];

const faulty: readonly Faulty[] = [
  ...['forgets-the-version', 'adds-a-slash', 'puts-instead-of-posting', 'runs-another-route'].map(
    (fault): Faulty => [fault, [], {}, 'client.right-call'],
  ),
  ['leaves-names-as-they-are', [], { actor: 'team/crawl' }, 'client.encodes-the-name'],
  ['sends-a-string-of-json', [], {}, 'client.sends-the-input'],
  ['sends-a-form', [], {}, 'client.sends-the-input'],
  ...['says-no-content-type', 'says-form', 'says-text'].map((fault): Faulty => [fault, [], {}, 'client.says-json']),
  ['sends-authorization-instead', [], {}, 'client.sends-the-key', 'client.sends-it-only-there'],
  ['says-bearer-in-the-header', [], {}, 'client.sends-the-key'],
  ['forgets-the-key-when-it-repeats', ['429=1'], {}, 'client.sends-the-key'],
  ['sends-two-keys', [], {}, 'client.sends-one-key'],
  ['joins-two-keys', [], {}, 'client.sends-one-key'],
  ['adds-a-key-at-each-attempt', ['429=1'], {}, 'client.sends-one-key'],
  ...[
    'puts-the-key-into-the-address',
    'puts-the-key-into-the-body',
    'sends-authorization-too',
    'sends-a-cookie-too',
    'sends-basic-too',
  ].map((fault): Faulty => [fault, [], {}, 'client.sends-it-only-there']),
  ...['does-not-wait', 'doubles-from-half-a-second', 'reads-retry-after-as-milliseconds', 'waits-half-as-long'].map(
    (fault): Faulty => [fault, ['429=1'], {}, 'client.waits-as-told'],
  ),
  ['caps-its-wait', ['limited-four=1'], {}, 'client.waits-as-told'],
  ['does-not-wait-where-it-is-not-told', ['limited-missing=1'], {}, 'client.does-not-hammer'],
  ['never-pauses-after-500', ['500=1'], { times: 3 }, 'client.backs-off'],
  ['pauses-alike', ['500=1'], { times: 3 }, 'client.backs-off'],
  ['never-pauses-after-any-failure', ['502=1'], { killMs: 3000 }, 'client.gives-up', 'client.does-not-hammer'],
  ['repeats-a-401', ['401=1'], {}, 'client.repeats-no-refusal'],
  ['repeats-a-422', ['422=1'], {}, 'client.repeats-no-refusal'],
  ['repeats-every-error', ['error-page=1'], {}, 'client.repeats-no-refusal'],
  ['runs-twice', [], {}, 'client.runs-once'],
  ['gives-up-on-slow-runs', ['slow=1'], { killMs: 25_000 }, 'client.waits-for-the-answer'],
];

describe('a faulty client', { timeout: 120_000 }, () => {
  const trials = faulty.map(([fault, inject, task, ...rules]) => ({ fault, inject, task, rules }));

  const tryOn = async ({ fault, inject, task, rules }: (typeof trials)[number]): Promise<string[]> => {
    const run = await between(inject, (url) => starts(url, { ...task, env: { FAULT: fault } }));
    const found = accusing(run);
    expect(found.filter((each) => !each.startsWith('client.'))).toEqual([]);
    const missed = rules.filter((rule) => !found.includes(rule));
    if (missed.length === 0)
      expect(run.findings.find(({ rule }) => rule === rules[0])?.looked?.exchanges).toBeGreaterThan(0);
    return missed;
  };
  const isAboutPauses = ({ rules }: (typeof trials)[number]): boolean => rules.includes('client.backs-off');

  it.concurrent.each(trials.filter((each) => !isAboutPauses(each)))('$fault is found, with $inject', async (trial) => {
    expect(await tryOn(trial)).toEqual([]);
  });

  // Whatever keeps the processor busy makes pauses longer and unlike, which excuses them: alone, and more than once.
  it.each(trials.filter(isAboutPauses))('$fault is found, with $inject', async (trial) => {
    let missed = await tryOn(trial);
    for (let more = 3; more > 0 && missed.length > 0; more -= 1) missed = await tryOn(trial);
    expect(missed).toEqual([]);
  });
});

describe('a faulty service', { timeout: 120_000 }, () => {
  /** What a day brings: runs that succeed, and every common refusal. */
  async function day(url: string): Promise<void> {
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
    const run = (actor: string, body: string, more: Readonly<Record<string, string>> = {}) =>
      fetch(`${url}/v1/actors/${actor}/run-sync-get-dataset-items`, {
        method: 'POST',
        headers: { ...headers, ...more },
        body,
      });
    const all = [
      () => run('text-digest', '{"text":"one two"}'),
      () => run('text-digest', '{"cut": '),
      () => run('text-digest', '{}'),
      () => run('text-digest', '{"text":"x","crash":true}'),
      () => run('no-such-actor', '{}'),
      () => run('text-digest', '{"text":"one"}', { 'X-API-Key': 'vk_live_00000000000000000000000000000000' }),
      () => fetch(`${url}/v1/actors/text-digest`, { headers }),
      () => fetch(`${url}/v1/actors/none-of-these`, { headers }),
      () => fetch(`${url}/v1/auth/verify`),
      () => fetch(`${url}/v1/auth/verify`, { headers }),
    ];
    for (const ask of all) {
      const answer = await ask();
      await answer.arrayBuffer().catch(() => {});
    }
  }
  const seen = [
    'error.shape-400',
    'error.shape-401',
    'error.shape-404',
    'error.shape-500',
    'error.json-content-type',
    'error.names-the-actor',
    'error.no-internals',
    'error.no-secrets',
    'error.members-once',
    'error.no-byte-order-mark',
    'input.invalid-input-code',
    'run.success-shape',
  ];

  it('that is lawful is not accused', async () => {
    expect(accusing(await between([], day)).filter((rule) => !rule.startsWith('client.'))).toEqual([]);
  });

  it('is not accused of what was injected', async () => {
    const inject = ['html-success=0.4', 'error-page=0.3', 'cut-success=0.3'];
    expect(accusing(await between(inject, day)).filter((rule) => !rule.startsWith('client.'))).toEqual([]);
  });

  const low = { burst: 4, perSecond: 0.1 };
  const limited = { free: low, pro: low, scale: low };

  it('that is lawful and limits its callers is not accused', async () => {
    const run = await between([], day, [], limited);
    expect(accusing(run).filter((rule) => !rule.startsWith('client.'))).toEqual([]);
    expect(run.findings.find(({ rule }) => rule === 'limit.retry-after-is-seconds')?.verdict).toBe('pass');
  });

  it.each(ofLimits.map(({ name, kills, lie }) => ({ name, kills, lie })))('$name is found', async ({ kills, lie }) => {
    const found = accusing(await between([], day, [lie], limited)).filter((rule) => !rule.startsWith('client.'));
    expect(found).toEqual(kills);
  });

  it.each(seen)('is found by %s', async (rule) => {
    const own = (await allFaults()).filter(
      ({ kills, depth, on, options, profile }) =>
        kills.length === 1 && kills[0] === rule && depth === 'quick' && on === undefined && !options && !profile,
    );
    let found = 0;
    for (const { lie } of own.slice(0, 8)) {
      const others = accusing(await between([], day, [lie])).filter((each) => !each.startsWith('client.'));
      expect(others.filter((each) => each !== rule)).toEqual([]);
      found += others.length;
    }
    expect(found).toBeGreaterThan(0);
  });
});
