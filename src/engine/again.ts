/** How often a step is asked: no answer is asked for once more, and so is what a busy machine may have made of a lawful one. */

import { comesToNoEnd } from '../model/ask.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Exchange } from '../model/exchange.ts';
import { type About, isProbing } from '../model/rule.ts';
import type { Step } from '../model/run.ts';
import type { Reason } from '../model/verdict.ts';
import { exchangesIn, judgeStep } from '../verdict/judge.ts';
import type { StepInPlan } from './asker.ts';
import { asClient, runRequest } from './requests.ts';
import type { Session } from './session.ts';

/** What a step came to. */
export interface Asked {
  readonly about: About;
  readonly evidence: readonly Evidence[];
  readonly twin?: Exchange;
  /** All that was exchanged for it, also what is no evidence. */
  readonly exchanged: readonly Exchange[];
}

export type Told = Pick<Step, 'inconclusive' | 'inapplicable' | 'error'>;

export interface Worth {
  readonly attempts: number;
  /** What is said about the step if this process was kept from the processor each time. */
  readonly because?: string;
}

/**
 * A missing answer is retried once before it counts; what a busy machine may have caused is retried more often, and most often
 * where we were kept from the processor ourselves: there the next time is as likely to be spoilt.
 */
const attempts = { unanswered: 2, doubtful: 4, busy: 10 };

/**
 * A run that took at least so long may have given a source up, or come late, because the service or we were kept from
 * the processor: with bounds this short that happens to lawful services. Where we were kept from it ourselves meanwhile,
 * shorter ones are doubted too: few services are less patient than that. What is slower yet is asked less often.
 */
const busyMs = { least: 100, leastStalled: 40, most: 3000, together: 12_000 };

/** Of the time after which the service gives up a slow source, which may be asked more than once within it. */
const givenUpShare = 1 / 3;

const tooBusy = (times: number): string =>
  `this machine was too busy in each of ${times} attempts: late answers prove nothing about the service`;

/** Longer than a busy machine keeps anybody waiting: this process was suspended, and whatever timed out did so here. */
const standstillMs = 700;

const stoodStillWhy = 'Touchstone itself stalled while it was asked';

export async function worthAttempts(
  session: Session,
  step: StepInPlan,
  { about, evidence, twin, exchanged }: Asked,
  told: Told,
  stalledMs: number,
): Promise<Worth> {
  if (told.error !== undefined || session.recorder.silent || session.signal?.aborted) return { attempts: 1 };
  const { rule } = step;
  const counted = [...(twin === undefined ? [] : [twin]), ...evidence.flatMap(exchangesIn)];
  const longestMs = Math.max(...[...exchanged.filter(mayAnswer), ...counted].filter(waitedForSources).map(durationOf));
  const stoodStill = stalledMs >= standstillMs;
  const stalled = stalledMs > 0;
  // Questions that narrow down a failure follow a failure.
  const most = stalled && step.purpose === 'plan' ? attempts.busy : attempts.doubtful;
  const doubtful = longestMs >= (stalled ? busyMs.leastStalled : busyMs.least);
  if (stoodStill || doubtful) {
    const outcome = judgeStep(rule, { about, evidence, ...(twin && { twin }), ...told });
    // Refused as a whole is lawful, and then nothing is to be judged; unless it was the machine that made it so.
    const kept = outcome.kind === 'inapplicable' && stalled;
    const bad = kept || outcome.kind === 'inconclusive' || (outcome.kind === 'judged' && outcome.reasons.some(isBad));
    // Rules about limits have spent the quota: a retry would find other limits.
    if (bad && stoodStill) return { attempts: isProbing(rule) ? 1 : most, because: stoodStillWhy };
    // Otherwise an intermittent fault would be retried until it disappears, if runs are slow by nature.
    if (bad && (stalled || longestMs >= givenUpShare * (await patienceOf(session, step)))) {
      if (longestMs > busyMs.most) return { attempts: attempts.unanswered };
      const times = Math.min(most, Math.floor(busyMs.together / longestMs));
      return { attempts: times, because: tooBusy(times) };
    }
  }
  return { attempts: counted.some(unanswered) ? attempts.unanswered : 1 };
}

/** How long a run takes of which one source is too slow; 0 where it cannot be found. Asked once for each actor. */
function patienceOf(session: Session, step: StepInPlan): Promise<number> {
  const { actors, keys } = session.subject;
  const actor = (step.actor?.sources ?? 0) > 0 ? step.actor : actors.sources[0];
  const key = actor?.entitledKey ?? keys.find(({ role }) => role === 'entitled');
  if (actor === undefined || key === undefined) return Promise.resolve(0);
  const { patience } = session;
  const known = patience.get(actor.name);
  if (known !== undefined) return known;
  const line = session.newName('line');
  const request = runRequest(
    session,
    { actor, sources: { ok: 'slow' } },
    { purpose: 'setup', instance: 'main', key, line, ...asClient(session, 'setup') },
    session.nonce,
  );
  const measure = async (): Promise<number> => {
    const began = session.clock.now();
    const { exchange } = await session.recorder.send(request);
    // On a busy machine a service looks more patient than it is: the next doubt measures again.
    if ((session.stalls?.longestSince(began) ?? 0) === 0)
      return exchange.response === undefined ? 0 : durationOf(exchange);
    patience.delete(actor.name);
    return 0;
  };
  const asked = measure()
    .catch(() => 0)
    .finally(() => session.release(line));
  patience.set(actor.name, asked);
  return asked;
}

const unanswered = (exchange: Exchange | undefined): boolean =>
  exchange?.failure !== undefined && !['not-sent', 'interrupted', 'too-slow'].includes(exchange.failure.kind);

/** Where it took long enough, a source may have been given up although it had answered. */
const waitedForSources = ({ planted, response }: Exchange): boolean =>
  response !== undefined && planted !== undefined && planted.sources.length > 0;

/** What waits for sources that never answer takes long by design; as evidence it is doubted all the same. */
const mayAnswer = ({ planted }: Exchange): boolean =>
  planted === undefined || planted.sources.some(({ behaviour }) => !comesToNoEnd(behaviour));

const durationOf = ({ at }: Exchange): number => at.end - at.sent;

const isBad = ({ weight }: Reason): boolean => weight !== 'note';
