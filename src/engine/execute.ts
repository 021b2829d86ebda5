/** One step of the plan: prelude, twin, question. Never throws; what went wrong is written into the step. */
import { Inapplicable, Inconclusive } from '../model/ask.ts';
import type { Evidence, EvidenceMap } from '../model/evidence.ts';
import type { Exchange } from '../model/exchange.ts';
import type { About, Question } from '../model/rule.ts';
import type { Step } from '../model/run.ts';
import { packEvidence } from '../verdict/evidence.ts';
import { gateOf } from '../verdict/given.ts';
import { exchangesIn } from '../verdict/judge.ts';
import { type Asked, type Told, worthAttempts } from './again.ts';
import { type Asker, askerFor, type StepInPlan } from './asker.ts';
import type { Session, Shared } from './session.ts';
import { whyEnded } from './time-limit.ts';
import type { Waiting } from './waiting.ts';

/** How often a rule asks where the history is `repeated`: some defects show at the third call only. */
const repetitions = 3;

/** A machine that is busy needs a while; each pause is longer than the one before, up to the longest. */
const pauseMs = { first: 150, longest: 600 };

export async function execute(session: Session, step: StepInPlan): Promise<Step> {
  const from = session.clock.now();
  let asked: Asked = { about: {}, evidence: [], exchanged: [] };
  let told: Told = {};
  /** Kept from the processor each time. */
  let disturbed = true;
  for (let attempt = 1; ; attempt += 1) {
    let since: number;
    ({ asked, told, since } = await once(session, step));
    const stalledMs = session.stalls?.longestSince(since) ?? 0;
    disturbed &&= stalledMs > 0;
    const worth = await worthAttempts(session, step, asked, told, stalledMs);
    if (attempt >= worth.attempts) {
      if (worth.because !== undefined && disturbed) told = { inconclusive: worth.because };
      break;
    }
    forget(session, step);
    await session.clock.sleep(Math.min(pauseMs.first * attempt, pauseMs.longest), session.signal).catch(() => {});
  }
  return {
    type: 'step',
    rule: step.rule.id,
    context: step.context,
    purpose: step.purpose,
    ...(Object.keys(asked.about).length === 0 ? {} : { about: packEvidence(asked.about) as About }),
    evidence: asked.evidence.map(packEvidence),
    exchanges: [...new Set(asked.evidence.flatMap(exchangesIn).map((exchange) => exchange.id))],
    sent: asked.exchanged.map(({ id }) => id),
    ...(asked.twin === undefined ? {} : { twin: asked.twin.id }),
    ...told,
    tookMs: Math.round(session.clock.now() - from),
  };
}

/** A step that is not asked, and why: nothing is omitted in silence. */
export const notAsked = (step: StepInPlan, why: Pick<Step, 'leftOut' | 'inconclusive'>): Step => ({
  type: 'step',
  rule: step.rule.id,
  context: step.context,
  purpose: step.purpose,
  evidence: [],
  exchanges: [],
  sent: [],
  ...why,
  tookMs: 0,
});

/** What is shared with other rules was asked by them too; the next rule finds the newer answer. */
function forget(session: Session, step: StepInPlan): void {
  session.twins.delete(twinName(step));
  for (let time = 0; time < repetitions; time += 1) session.questions.delete(questionName(step, time) ?? '');
}

/** `since`: when the oldest of what it rests on was begun, by this step or by another that asked the same. */
async function once(session: Session, step: StepInPlan): Promise<{ asked: Asked; told: Told; since: number }> {
  let since = session.clock.now();
  const shared = <T>({ since: began, answer }: Shared<T>): Promise<T> => {
    since = Math.min(since, began);
    return answer;
  };
  const asker = askerFor(session, step);
  const evidence: Evidence[] = [];
  let about: About = {};
  let twin: Exchange | undefined;
  const asked = (): Asked => ({
    about,
    evidence,
    exchanged: asker.exchanged,
    ...(twin === undefined ? {} : { twin }),
  });
  const work = async (): Promise<void> => {
    about = step.rule.about?.(asker.ask as Question<never>) ?? {};
    if (!isAsked(session, step)) await asker.prelude();
    const { twin: right } = step.rule;
    // Twins of the same name are asked once in the same context, whichever rule comes first.
    if (right !== undefined)
      twin = await shared(together(session, session.twins, twinName(step), () => right.ask(asker.twin)));
    const times = step.context.history === 'repeated' ? repetitions : 1;
    for (let time = 0; time < times; time += 1) {
      const brought = (piece: Evidence): boolean => {
        evidence[time] = piece;
        return gateOf(step.rule, piece, about) === undefined;
      };
      if (!brought(await shared(questionOf(session, step, asker, time, brought)))) break;
    }
    // No answer is a violation for some rules; but not if the service has stopped answering anything.
    if (
      'answering' in step.rule &&
      step.rule.answering &&
      twin !== undefined &&
      evidence.flatMap(exchangesIn).some((each) => each.failure)
    ) {
      twin = (await right?.ask(asker.twin)) ?? twin;
    }
  };
  try {
    await withinDeadline(session, step, asker.waiting, work());
    return { asked: asked(), told: {}, since };
  } catch (error) {
    return { asked: asked(), told: tell(session, error), since };
  } finally {
    await asker.close().catch(() => {});
  }
}

function tell(session: Session, error: unknown): Told {
  if (error instanceof Inapplicable) return { inapplicable: error.message };
  if (error instanceof Inconclusive) return { inconclusive: error.message };
  if (session.signal?.aborted) return { inconclusive: whyEnded(session.signal, 'this was finished') };
  return { error: `asking failed: ${error instanceof Error ? error.message : String(error)}` };
}

function twinName({ rule, context: { case: _, ...context }, key, purpose }: StepInPlan): string {
  return `${rule.twin?.name} ${JSON.stringify(context)} ${key?.name} ${purpose}`;
}

/** What several steps ask together is asked by the first of them. */
function together<T>(session: Session, known: Map<string, Shared<T>>, name: string, ask: () => Promise<T>): Shared<T> {
  let shared = known.get(name);
  if (shared === undefined) {
    shared = { since: session.clock.now(), answer: ask() };
    known.set(name, shared);
  }
  return shared;
}

const questionName = ({ rule, context, purpose }: StepInPlan, time: number): string | undefined =>
  rule.question === undefined || purpose !== 'plan' ? undefined : `${rule.question} ${JSON.stringify(context)} ${time}`;

const isAsked = (session: Session, step: StepInPlan): boolean => session.questions.has(questionName(step, 0) ?? '');

/** The same question of several rules is asked once in the same context. */
function questionOf(
  session: Session,
  step: StepInPlan,
  asker: Asker,
  time: number,
  brought: (evidence: Evidence) => boolean,
): Shared<Evidence> {
  const name = questionName(step, time);
  const ask = (): Promise<Evidence> => bring(step.rule.ask(asker.ask), brought);
  if (name === undefined) return { since: session.clock.now(), answer: ask() };
  return together(session, session.questions, name, ask);
}

/** What a rule brings in pieces is one map in the end, or as far as its gates let it go. */
async function bring(asking: unknown, brought: (evidence: Evidence) => boolean): Promise<Evidence> {
  if (!isGenerator(asking)) return asking as Promise<Evidence>;
  let all: EvidenceMap = {};
  for await (const piece of asking) {
    all = { ...all, ...piece };
    if (!brought(all)) break;
  }
  return all;
}

const isGenerator = (value: unknown): value is AsyncGenerator<EvidenceMap> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value;

/** A deadline for asking; time spent on Retry-After or queued behind the same limit does not count. */
async function withinDeadline(
  session: Session,
  step: StepInPlan,
  waiting: Waiting,
  work: Promise<void>,
): Promise<void> {
  const { clock, profile, recorder } = session;
  const ms = Math.max(profile.bounds.deadlineMs, step.rule.deadlineMs?.(session.subject) ?? 0);
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const watch = (left: number): void => {
      const [toldBefore, waitedBefore] = [recorder.waitingMs, waiting.ms];
      cancel = clock.later(left, () => {
        const waited = Math.max(recorder.waitingMs - toldBefore, waiting.ms - waitedBefore);
        if (waited > 0) watch(waited);
        else reject(new Inconclusive(`it did not finish within ${Math.round(ms / 1000)} s`));
      });
    };
    watch(ms);
  });
  try {
    await Promise.race([work, late]);
  } finally {
    cancel();
    work.catch(() => {});
  }
}
