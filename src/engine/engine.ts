/** A whole run: knock, prepare, plan, ask, tidy up, judge. */
import { areWorthCrews } from '../limits/model/crews.ts';
import type { Rule } from '../model/rule.ts';
import { type Run, type RunFooter, type RunHeader, runVersion } from '../model/run.ts';
import { type Finding, type Verdict, verdicts } from '../model/verdict.ts';
import { version } from '../version.ts';
import { type Asking, askAll, writeFinding } from './asking.ts';
import { assemble } from './assemble.ts';
import { clientsMet } from './disguise.ts';
import { Gates } from './gates.ts';
import { issueKey } from './issue-key.ts';
import { Ledger } from './ledger.ts';
import type { EngineOptions } from './options.ts';
import { plan } from './plan.ts';
import { findInputs, knock, prepared } from './prepare.ts';
import type { Session } from './session.ts';
import { removeMade } from './tidy-up.ts';
import { endingOf, isTimeUp } from './time-limit.ts';

export async function runEngine(given: EngineOptions): Promise<Run> {
  const ending = endingOf(given.clock, given.signal, given.maxDurationMs);
  const { signal } = ending;
  try {
    return await wholeRun({ ...given, ...(signal === undefined ? {} : { signal }) });
  } finally {
    ending.cancel();
  }
}

async function wholeRun(options: EngineOptions): Promise<Run> {
  const { clock, catalogue, selected, depth, seed, repeat = 1, on, write, signal } = options;
  const began = clock.now();
  const ledger = new Ledger(write);
  const gates = new Gates(clock, (who, ms) => on?.({ type: 'waiting', who, ms }));
  let session = assemble(options, gates, (exchange) => ledger.exchange(exchange));
  const rules = catalogue.rules.filter((rule) => selected === undefined || selected.has(rule.id));

  const ready = await unlessInterrupted(signal, () => prepare(session, rules));
  session = ready?.session ?? session;
  const made = plan(rules, session.subject, { depth, seed, repeat });
  const header = headerOf(options, made.rules);
  ledger.open(header);
  on?.({ type: 'planned', header, steps: made.steps.length });

  const planned = new Map(made.rules.map((each) => [each.rule, each]));
  const asking: Asking = { session, ledger, options, planned };
  const remarks: string[] = [];
  if (ready !== undefined && ready.unreachable === undefined) {
    // Keys that were made are removed first: an exhausted address may refuse that for a long time.
    const asked = await askAll(asking, made.steps, () => removeMade(session));
    for (const [why, count] of asked.leftOut) remarks.push(`${count} further contexts were skipped, because ${why}.`);
    const { takeMs, awaited } = session.newKeys;
    if (takeMs !== undefined && awaited > 0)
      remarks.push(
        `New keys take a while to be accepted: ${awaited} were made, and each was first used ${(takeMs / 1000).toFixed(1)} s later.`,
      );
    if (asked.gone) remarks.push('The target stopped answering during the run; the rest was skipped.');
  }
  if (isTimeUp(signal)) remarks.push('The time of the run (--max-duration) was up before it was done.');
  // What was asked to make a key answers first, also after an interruption.
  await session.made.settled();
  const leftBehind = await removeMade(session);
  await session.survey?.end();
  ledger.seal();
  for (const rule of rules) writeFinding(asking, rule);
  for (const limit of (await session.survey?.found()) ?? []) ledger.limit(limit);

  const findings = ledger.findings(made.rules);
  const waivers = options.waiving?.problems(findings, made.rules) ?? [];
  const footer: RunFooter = {
    type: 'footer',
    ended: clock.date(),
    tookMs: Math.round(clock.now() - began),
    ...(signal?.aborted && !isTimeUp(signal) ? { interrupted: true } : {}),
    ...(ready?.unreachable === undefined ? {} : { unreachable: ready.unreachable }),
    counts: countsOf(findings),
    exchanges: ledger.exchanges.size,
    waits: gates.waits,
    leftBehind,
    remarks,
    ...(waivers.length === 0 ? {} : { waivers }),
  };
  const run = ledger.close(header, footer);
  on?.({ type: 'ended', run });
  return run;
}

interface Ready {
  readonly session: Session;
  readonly unreachable?: string;
}

async function prepare(session: Session, rules: readonly Rule[]): Promise<Ready> {
  const first = await knock(session);
  if (first.response === undefined) return { session, unreachable: first.failure?.says ?? 'it did not answer' };
  const found = await findInputs(session);
  // The run's own key also shows how long a new one takes to be known.
  const wantsKeys = rules.some(
    (rule) =>
      rule.needs.includes('admin.create') ||
      ((rule.key ?? 'entitled') === 'entitled' && !rule.without?.includes('key')),
  );
  const issued = wantsKeys ? await issueKey(session) : undefined;
  const clientsFor = await clientsMet(session);
  const wantsNumbers = rules.some(({ late }) => late === true);
  const isWhole = areWorthCrews(rules);
  return { session: { ...session, clientsFor, wantsNumbers, isWhole, subject: prepared(session, found, issued) } };
}

/** Work that the run's signal may end: undefined then. */
async function unlessInterrupted<T>(signal: AbortSignal | undefined, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}

const headerOf = (options: EngineOptions, planned: RunHeader['planned']): RunHeader => ({
  type: 'header',
  version: runVersion,
  touchstone: version,
  rules: { version: options.catalogue.version, specification: options.catalogue.specification },
  target: options.profile.origin + options.profile.basePath,
  profile: {
    name: options.profile.source,
    digest: options.profile.digest,
    actors: [...new Set(options.profile.actors.map(({ name }) => name))],
    keys: options.profile.keys.map(({ name }) => name),
  },
  started: options.clock.date(),
  seed: options.seed,
  depth: options.depth,
  ...((options.repeat ?? 1) > 1 ? { repeat: options.repeat! } : {}),
  strict: options.strict,
  ...(options.witness === undefined ? {} : { witness: options.witness.by }),
  planned,
});

const countsOf = (findings: readonly Finding[]): Record<Verdict, number> =>
  Object.fromEntries(
    verdicts.map((verdict) => [verdict, findings.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>;
