/**
 * `import { conformance } from 'touchstone/vitest'`: one vitest test a rule, grouped by area. The engine schedules and
 * asks; a test only waits for its finding and turns it into vitest's words.
 */
import { afterAll, beforeAll, describe, type TestContext, test } from 'vitest';
import { type OutcomeRow, outcomeRows } from '../reports/outcome-rows.ts';
import { clientRules } from '../suites/client/index.ts';
import { catalogue, rulesVersion } from '../suites/index.ts';
import { specification } from '../suites/specification.ts';
import { type CheckOptions, checkWith } from './check.ts';
import type { JudgeClientOptions } from './client/judge.ts';
import { systemClock } from './clock.ts';
import { checkClient } from './library.ts';
import { areaOf, areas } from './model/rule.ts';
import type { Run } from './model/run.ts';
import type { Finding } from './model/verdict.ts';
import type { ProfileInput } from './profile/define.ts';
import { profileFrom } from './profile/parse.ts';
import type { Profile } from './profile/profile.ts';
import { readProfile } from './profile/read.ts';
import { waivingBy } from './waivers/apply.ts';
import { readWaivers } from './waivers/read.ts';

/** Longer than any run: the engine has its own deadlines, and ends by itself. */
const patienceMs = 30 * 60 * 1000;

export interface ConformanceOptions extends CheckOptions {
  /** `untested` and `inconclusive` are failures. If omitted: as the profile says. */
  readonly complete?: boolean;
  /** A file of waivers. If omitted: `touchstone.waivers.yaml` next to the profile, where that is a path. */
  readonly waivers?: string;
}

/** Registers the tests. A profile is a path, what `defineProfile` took, or one that was loaded. */
export function conformance(given: string | ProfileInput | Profile, options: ConformanceOptions = {}): void {
  const stop = new AbortController();
  const waiting = new Map<string, PromiseWithResolvers<Finding>>(
    catalogue.map((rule) => [rule.id, Promise.withResolvers()]),
  );
  for (const { promise } of waiting.values()) promise.catch(() => {});
  const rows = new Map<string, OutcomeRow>();
  let complete = options.complete ?? false;
  let running: Promise<unknown> = Promise.resolve();
  let rotten: readonly string[] = [];

  beforeAll(async () => {
    const profile = await profileOf(given);
    complete = options.complete ?? profile.complete;
    const rules = { rules: catalogue, version: rulesVersion, specification };
    running = checkWith(rules, profile, {
      ...options,
      ...waivingFor(given, options),
      signal: options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal]),
      on: (event) => {
        options.on?.(event);
        if (event.type === 'ended') {
          for (const row of outcomeRows(event.run)) rows.set(row.id, row);
          rotten = (event.run.footer?.waivers ?? []).map(({ says }) => says);
          for (const finding of event.run.findings) waiting.get(finding.rule)?.resolve(finding);
        }
      },
    }).catch((error: unknown) => {
      for (const { reject } of waiting.values()) reject(error);
    });
  });

  afterAll(async () => {
    stop.abort();
    await running;
    // No test is about a waiver, but what has rotted must not be green.
    if (rotten.length > 0) throw new Error(rotten.join('\n'));
  });

  for (const area of areas) {
    const own = catalogue.filter(
      (rule) => areaOf(rule.id) === area && (options.selected === undefined || options.selected.has(rule.id)),
    );
    if (own.length === 0) continue;
    describe(area, () => {
      for (const rule of own) {
        test(`${rule.id} ${rule.clause.says}`, { timeout: patienceMs }, async (context) => {
          await waiting.get(rule.id)!.promise;
          const row = rows.get(rule.id);
          if (row === undefined) throw new Error(`${rule.id} has no finding`);
          await inWords(row, complete, context);
        });
      }
    });
  }
}

export interface ClientConformanceOptions extends JudgeClientOptions {
  /** `untested` and `inconclusive` are failures. If omitted: as the profile says. */
  readonly complete?: boolean;
  /** A file of waivers. If omitted: `touchstone.waivers.yaml` next to the profile, where that is a path. */
  readonly waivers?: string;
}

/** The same for a program that calls the service, as the profile's `client` says: one test a rule of clients. */
export function clientConformance(
  given: string | ProfileInput | Profile,
  options: ClientConformanceOptions = {},
): void {
  const stop = new AbortController();
  const own = clientRules.filter(({ id }) => options.selected === undefined || options.selected.has(id));
  let running: Promise<Run> | undefined;
  let complete = options.complete ?? false;

  beforeAll(async () => {
    const profile = await profileOf(given);
    complete = options.complete ?? profile.complete;
    const signal = options.signal === undefined ? stop.signal : AbortSignal.any([stop.signal, options.signal]);
    running = checkClient(profile, { ...options, ...waivingFor(given, options), signal });
    // Each test waits for it, and reports what went wrong.
    running.catch(() => {});
  });

  afterAll(async () => {
    stop.abort();
    const rotten = (await running)?.footer?.waivers ?? [];
    if (rotten.length > 0) throw new Error(rotten.map(({ says }) => says).join('\n'));
  });

  describe('client', () => {
    for (const rule of own) {
      test(`${rule.id} ${rule.clause.says}`, { timeout: patienceMs }, async (context) => {
        const run = (await running)!;
        const row = outcomeRows(run).find(({ id }) => id === rule.id);
        if (row === undefined || row.verdict === 'missing')
          throw new Error(run.footer?.unreachable ?? `${rule.id} has no finding`);
        await inWords(row, complete, context);
      });
    }
  });
}

async function inWords(row: OutcomeRow, complete: boolean, context: TestContext): Promise<void> {
  if (row.kind === 'passed') return;
  if (row.kind === 'noted') {
    await context.annotate(row.says, row.verdict === 'warn' ? 'warning' : 'notice');
    return;
  }
  const isUndecided = row.kind === 'skipped' || row.kind === 'open';
  if (row.waiver !== undefined || (isUndecided && !complete)) return context.skip(skipOf(row));
  throw new ConformanceFailure(row);
}

/** vitest shows `expected` and `actual` as a diff. */
class ConformanceFailure extends Error {
  override readonly name = 'ConformanceFailure';
  readonly expected: string | undefined;
  readonly actual: string | undefined;
  readonly showDiff: boolean;

  constructor(row: OutcomeRow) {
    super(row.detail === '' ? `${row.verdict}: ${row.says}` : row.detail);
    this.expected = row.expected;
    this.actual = row.got;
    this.showDiff = row.expected !== undefined;
    this.stack = `${this.name}: ${this.message}`;
  }
}

const skipOf = ({ verdict, says, waiver }: OutcomeRow): string =>
  `${verdict}${waiver === undefined ? '' : `, ${waiver}`}${says === '' ? '' : `: ${says}`}`;

function waivingFor(
  given: string | ProfileInput | Profile,
  options: Pick<ConformanceOptions, 'waiving' | 'waivers'>,
): Pick<CheckOptions, 'waiving'> {
  if (options.waiving !== undefined || (options.waivers === undefined && typeof given !== 'string')) return {};
  const today = systemClock.date().slice(0, 10);
  const place = {
    waivers: options.waivers,
    profile: typeof given === 'string' ? given : undefined,
    cwd: process.cwd(),
  };
  return { waiving: waivingBy(readWaivers(place, { rules: [...catalogue, ...clientRules], today }), today) };
}

async function profileOf(given: string | ProfileInput | Profile): Promise<Profile> {
  const cwd = process.cwd();
  if (typeof given === 'string') return readProfile({ path: given, env: process.env, cwd });
  if ('digest' in given && 'origin' in given) return given as Profile;
  const { readFileSync } = await import('node:fs');
  return profileFrom(given, {
    source: 'conformance()',
    env: process.env,
    readFile: (path) => readFileSync(path, 'utf8'),
  });
}
