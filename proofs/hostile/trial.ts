/** One behaviour against a check in this process: the outcome, and what is wrong with it. */

import { demoProfile } from '../../fixtures/profiles/demo.ts';
import { consoleReport } from '../../reports/console.ts';
import { checkWith } from '../../src/check.ts';
import { type Exchange, headerValues } from '../../src/model/exchange.ts';
import { exitCodes, outcomeOf, type Run, type RunRecord } from '../../src/model/run.ts';
import { profileFrom } from '../../src/profile/parse.ts';
import type { Profile } from '../../src/profile/profile.ts';
import { catalogue, rulesVersion } from '../../suites/index.ts';
import { specification } from '../../suites/specification.ts';
import { problemsOfRun } from '../fuzz/held.ts';
import type { Behaviour } from './behaviour.ts';
import { adminToken, keys, mark, type Serving, serveHostile } from './serve.ts';

export interface Tried {
  readonly run: Run;
  readonly text: string;
  readonly ms: number;
  readonly heads: readonly string[];
  readonly problems: readonly string[];
}

/** A share of the rules: of each way of judging at least one. */
export const share: ReadonlySet<string> = new Set([
  'verify.valid-key',
  'verify.missing-key',
  'verify.tier-as-declared',
  'actor.read',
  'actor.schema-found',
  'access.restricted-run',
  'run.success-shape',
  'run.clean-run-is-not-partial',
  'run.answers-belong-to-requests',
  'run.status-values',
  'error.shape-401',
  'error.json-content-type',
  'error.no-secrets',
]);

/** For schemas, what is made of them too. */
const ofSchemas: ReadonlySet<string> = new Set([
  ...share,
  'actor.schema-is-valid',
  'input.missing-field',
  'input.wrong-type',
  'input.schema-violations',
]);

const settings = { rules: catalogue, version: rulesVersion, specification };

export const profileOf = (address: string, timeout: string, certificate?: string): Profile =>
  profileFrom(
    {
      ...demoProfile({ address, adminToken, keys }),
      bounds: { timeout, upstream: '300ms', patience: '300ms' },
      ...(certificate === undefined ? {} : { tls: { ca: 'ca.pem' } }),
    },
    { source: 'a hostile service', env: {}, readFile: () => certificate ?? '' },
  );

/** The only times that are held: none of an exchange's is beyond its deadline and a wide margin for a busy machine. */
const marginMs = 8000;

/** Soon over where the harness must wait; long where a busy machine could be taken for a slow service. */
const timeoutOf = ({ waits }: Behaviour): number => (waits ? 1000 : 20_000);

export async function tryOn(behaviour: Behaviour): Promise<Tried> {
  const timeoutMs = timeoutOf(behaviour);
  const serving = await serveHostile(behaviour);
  const began = performance.now();
  try {
    const selected = behaviour.family === 'schemas' ? ofSchemas : share;
    const profile = profileOf(serving.address, `${timeoutMs}ms`, serving.certificate);
    const records: RunRecord[] = [];
    const run = await checkWith(settings, profile, {
      depth: 'quick',
      seed: 7,
      selected,
      maxWaitMs: 2000,
      write: (record) => void records.push(record),
    });
    const text = consoleReport(run, { verbose: true });
    const problems = [
      ...problemsOf(behaviour, run, text, serving, timeoutMs),
      // Judged again from its file it is the same run, and every report of it can be written.
      ...(await problemsOfRun({ run, records }, catalogue)),
    ];
    return { run, text, ms: performance.now() - began, heads: serving.heads, problems };
  } finally {
    await serving.close();
  }
}

const exits: Readonly<Record<Behaviour['must'], readonly number[]>> = {
  unreachable: [exitCodes.unreachable],
  nothing: [exitCodes.violation, exitCodes.incomplete],
  hurt: [exitCodes.violation, exitCodes.incomplete],
  slight: [exitCodes.conforms],
  tolerated: [exitCodes.conforms],
};

function problemsOf(behaviour: Behaviour, run: Run, text: string, serving: Serving, timeoutMs: number): string[] {
  const problems: string[] = [];
  const { must, says } = behaviour;
  const passed = run.findings.filter(({ verdict }) => verdict === 'pass').map(({ rule }) => rule);
  const code = exitCodes[outcomeOf(run)];
  const allowed = exits[must];
  if (serving.met() === 0 && behaviour.tls === undefined) problems.push('nobody met it');
  if (serving.trapped() > 0) problems.push(`${serving.trapped()} connections to where nobody may be led`);
  if (!allowed.includes(code)) problems.push(`exit code ${code}, not ${allowed.join(' or ')}`);
  if ((must === 'unreachable' || must === 'nothing') && passed.length > 0)
    problems.push(`passes though nothing was answered properly: ${passed.join(', ')}`);
  if (says !== undefined && !says.test(text)) problems.push(`the report does not say ${says}`);
  if (must === 'hurt' || must === 'slight') problems.push(...wronglyPassed(behaviour, run, passed));
  for (const { id, at } of run.exchanges.values())
    if (at.end - at.sent > timeoutMs + marginMs) problems.push(`exchange ${id} took ${at.end - at.sent} ms`);
  if (invisible.test(text)) problems.push('the report holds what a terminal acts upon');
  return problems;
}

/** Controls but the line feed, formats such as those that turn the direction of reading, lone surrogates. */
const invisible = /(?!\n)[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u;

/** A request that was not sent, because a limit would have kept it waiting, met nobody. */
const isHostile = (exchange: Exchange): boolean =>
  (exchange.failure !== undefined && exchange.failure.kind !== 'not-sent') || headerValues(exchange, mark).length > 0;

function wronglyPassed({ but }: Behaviour, run: Run, passed: readonly string[]): string[] {
  return passed.flatMap((rule) => {
    const asked = run.steps.filter((step) => step.rule === rule).flatMap((step) => step.exchanges);
    const hostile = asked.filter((id) => isHostile(run.exchanges.get(id)!));
    if (hostile.length === 0 || but?.rules.test(rule)) return [];
    return [`${rule} passes on ${hostile.length} of ${asked.length} exchanges that were hostile`];
  });
}
