/** A whole run of a client: plan, start it once a question, judge, write. */
import type { Clock } from '../clock.ts';
import type { ClientCatalogue, ClientManner, ClientRule, Trial } from '../model/client.ts';
import type { Exchange } from '../model/exchange.ts';
import {
  type Depth,
  type PlannedRule,
  type Run,
  type RunFooter,
  type RunHeader,
  type RunRecord,
  runVersion,
} from '../model/run.ts';
import { type Finding, type Verdict, verdicts } from '../model/verdict.ts';
import type { Waiving } from '../model/waiving.ts';
import type { ProfileClient } from '../profile/profile-client.ts';
import { seeded } from '../random.ts';
import type { Guard } from '../target/guard.ts';
import { runningNow } from '../target/processes.ts';
import { findingsOfClient } from '../verdict/client.ts';
import { planOf, situationsFor, type TrialPlan } from '../verdict/client-plan.ts';
import { version } from '../version.ts';
import { atOnce, gateFor, sideBySide } from './side-by-side.ts';
import { isSpoiled } from './spoiled.ts';
import { mentions } from './surroundings.ts';
import { NotStarted, runTrial } from './trial.ts';

export interface ClientRunOptions {
  readonly catalogue: ClientCatalogue;
  readonly client: ProfileClient;
  readonly profile: RunHeader['profile'];
  /** What starts it, for people: without a secret in it. */
  readonly target: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  readonly guard: Guard;
  readonly owner: string;
  /** How long this process was kept from the processor, at most, since a time of the clock. */
  readonly stalls: { longestSince(time: number): number };
  readonly depth: Depth;
  readonly seed: number;
  readonly strict: boolean;
  readonly concurrency: number;
  readonly selected?: ReadonlySet<string>;
  readonly signal?: AbortSignal;
  readonly write?: (record: RunRecord) => void;
  readonly on?: (done: number, of: number, title: string) => void;
  readonly waiving?: Waiving;
}

export async function runClient(options: ClientRunOptions): Promise<Run> {
  const { catalogue, clock, depth, client, write, signal } = options;
  const began = clock.now();
  const rules = catalogue.rules.filter(({ id }) => options.selected === undefined || options.selected.has(id));
  const asked = situationsFor(rules, catalogue.situations, depth);
  const plans = planOf(asked, depth);
  const manner = mannerOf(client);
  const header: RunHeader = {
    type: 'header',
    version: runVersion,
    touchstone: version,
    rules: { version: catalogue.version, specification: catalogue.specification },
    target: options.target,
    profile: options.profile,
    started: clock.date(),
    seed: options.seed,
    depth,
    strict: options.strict,
    client: manner,
    planned: rules.map((rule) => plannedOf(rule, plans)),
  };
  write?.(header);
  const exchanges = new Map<number, Exchange>();
  const trials: Trial[] = [];
  let ids = 0;
  const strangers = runningNow();
  const gate = gateFor(options.concurrency);
  const tried = (plan: TrialPlan): Promise<Trial> =>
    runTrial(plan, {
      ...options,
      strangers,
      gate,
      began,
      random: seeded(options.seed ^ Math.imul(plan.number, 0x9e3779b1)),
      newId: () => ++ids,
      written: (exchange) => {
        exchanges.set(exchange.id, exchange);
        write?.({ type: 'exchange', exchange });
      },
    });
  const one = async (plan: TrialPlan): Promise<void> => {
    let trial = await tried(plan);
    for (let more = mostAgain; more > 0 && isSpoiled(trial, exchanges) && !signal?.aborted; more -= 1)
      trial = await tried(plan);
    trials.push(trial);
    write?.(trial);
    options.on?.(trials.length, plans.length, plan.situation.title);
  };

  let unreachable: string | undefined;
  try {
    // Alone and first: a client that does nothing, or cannot be started, is not started fifty times.
    const [first, ...rest] = plans;
    if (first !== undefined && !signal?.aborted) {
      await one(first);
      unreachable = silent(trials[0]);
      const [alone, herd] = [rest.filter((plan) => !isHerd(plan)), rest.filter(isHerd)];
      if (unreachable === undefined) await sideBySide(alone, options.concurrency, one, signal);
      if (unreachable === undefined) await atOnce(herd, one, signal);
    }
  } catch (error) {
    if (!(error instanceof NotStarted)) throw error;
    unreachable = error.message;
  }
  trials.sort((a, b) => a.number - b.number);
  const found =
    unreachable !== undefined ? [] : findingsOfClient({ planned: header.planned, trials, exchanges, manner }, rules);
  const findings = found.map((finding) => options.waiving?.finding(finding) ?? finding);
  for (const finding of findings) write?.({ type: 'finding', finding });
  const waivers = options.waiving?.problems(findings, header.planned) ?? [];
  const footer: RunFooter = {
    type: 'footer',
    ended: clock.date(),
    tookMs: Math.round(clock.now() - began),
    ...(signal?.aborted ? { interrupted: true } : {}),
    ...(unreachable === undefined ? {} : { unreachable }),
    counts: countsOf(findings),
    exchanges: exchanges.size,
    waits: [],
    leftBehind: [],
    remarks: [],
    ...(waivers.length === 0 ? {} : { waivers }),
  };
  write?.(footer);
  return { header, findings, exchanges, steps: [], trials, limits: [], footer };
}

/** How often to retry what a busy machine may have spoiled. */
const mostAgain = 3;

const isHerd = ({ situation: { copies } }: TrialPlan): boolean => copies !== undefined;

/** Why nothing can be judged: it never called. */
function silent(trial: Trial | undefined): string | undefined {
  if (trial === undefined || trial.exchanges.length > 0) return undefined;
  const { exit, signal, stopped, errors, output } = trial.ended;
  const how =
    stopped !== undefined
      ? 'it was stopped after waiting for a call'
      : `it ended with ${signal ?? `exit code ${exit}`}`;
  const said = tellingOf(errors || output);
  return `the client sent nothing to the address that it was given; ${how}${said === '' ? '' : `, and wrote: ${said}`}. It gets PATH, HOME and little else of your environment: add what it needs to \`client.env\` of a profile`;
}

/** Where a program fails, one line names the error; stacks and versions stand around it. */
function tellingOf(output: string): string {
  const lines = output.trim().split('\n');
  const named = lines.findLast((line) => /(?:error|exception|panic)\w*\b.*:/i.test(line));
  return (named?.trim() ?? lines.slice(-3).join(' / ')).slice(-300);
}

export const mannerOf = (client: ProfileClient): ClientManner => ({
  actor: mentions(client, 'actor'),
  input: mentions(client, 'input', 'input_file'),
  keyInArguments: client.command.some((word) => word.includes('{key}')),
});

function plannedOf({ id, clause, fix, situations }: ClientRule, plans: readonly TrialPlan[]): PlannedRule {
  const own = plans.filter(({ situation }) => situations === undefined || situations.includes(situation.name));
  return {
    rule: id,
    level: clause.level,
    clause: { id: clause.id, section: clause.section, says: clause.says },
    fix,
    contexts: own.length,
    ...(own.length > 0
      ? {}
      : { untested: { because: 'its situations are not part of this depth: use --depth standard' } }),
  };
}

const countsOf = (findings: readonly Finding[]): Record<Verdict, number> =>
  Object.fromEntries(
    verdicts.map((verdict) => [verdict, findings.filter((each) => each.verdict === verdict).length]),
  ) as Record<Verdict, number>;
