/** One step of the plan: prelude, twin, question. Never throws; what went wrong is written into the step. */
import { Inapplicable, Inconclusive } from '../model/ask.ts';
import type { Exchange } from '../model/exchange.ts';
import { type Evidence, isProbing } from '../model/rule.ts';
import type { Step } from '../model/run.ts';
import { type Asker, askerFor, type StepInPlan } from './asker.ts';
import { packEvidence } from './evidence.ts';
import { exchangesIn } from './judge.ts';
import type { Session } from './session.ts';

/** How often a rule asks where the history is `repeated`: some defects show at the third call only. */
const repetitions = 3;

/** No answer at all is asked for once more before it is believed. */
const attempts = 2;

/** Nor does it count that nobody was there to hear it. */
const stillsForgiven = 3;

interface Asked {
  readonly evidence: readonly Evidence[];
  readonly twin?: Exchange;
}

type Told = Pick<Step, 'inconclusive' | 'inapplicable' | 'error'>;

export async function execute(session: Session, step: StepInPlan): Promise<Step> {
  const from = session.clock.now();
  let asked: Asked = { evidence: [] };
  let told: Told = {};
  let stills = 0;
  for (let attempt = 1; attempt <= attempts; attempt += 1) {
    const stood = standstills(session);
    ({ asked, told } = await once(session, step));
    if (standstills(session) > stood) {
      // Whatever timed out meanwhile did so here; others must not be judged by it either.
      session.twins.clear();
      session.questions.clear();
      told = { inconclusive: 'this program stood still while it was asked' };
      if (isProbing(step.rule) || stills === stillsForgiven) break;
      stills += 1;
      attempt -= 1;
    } else if (!worthAnother(session, asked, told)) break;
  }
  return {
    type: 'step',
    rule: step.rule.id,
    context: step.context,
    purpose: step.purpose,
    evidence: asked.evidence.map(packEvidence),
    exchanges: [...new Set(asked.evidence.flatMap(exchangesIn).map((exchange) => exchange.id))],
    ...(asked.twin === undefined ? {} : { twin: asked.twin.id }),
    ...told,
    tookMs: Math.round(session.clock.now() - from),
  };
}

const standstills = ({ clock }: Session): number => clock.standstills?.() ?? 0;

/** A step that is not asked, and why: nothing is left out in silence. */
export const notAsked = (step: StepInPlan, why: Pick<Step, 'leftOut' | 'inconclusive'>): Step => ({
  type: 'step',
  rule: step.rule.id,
  context: step.context,
  purpose: step.purpose,
  evidence: [],
  exchanges: [],
  ...why,
  tookMs: 0,
});

const unanswered = (exchange: Exchange | undefined): boolean =>
  exchange?.failure !== undefined && !['not-sent', 'interrupted', 'too-slow'].includes(exchange.failure.kind);

function worthAnother(session: Session, asked: Asked, told: Told): boolean {
  if (told.error !== undefined || session.recorder.silent || session.signal?.aborted) return false;
  return unanswered(asked.twin) || asked.evidence.flatMap(exchangesIn).some(unanswered);
}

async function once(session: Session, step: StepInPlan): Promise<{ asked: Asked; told: Told }> {
  const asker = askerFor(session, step);
  const evidence: Evidence[] = [];
  let twin: Exchange | undefined;
  const asked = (): Asked => ({ evidence, ...(twin === undefined ? {} : { twin }) });
  const work = async (): Promise<void> => {
    if (!isAsked(session, step)) await asker.prelude();
    twin = await twinOf(session, step, asker);
    const times = step.context.history === 'repeated' ? repetitions : 1;
    for (let time = 0; time < times; time += 1) evidence.push(await questionOf(session, step, asker, time));
    // No answer is a violation for some rules; but not if the service has stopped answering anything.
    if (step.rule.answering && twin !== undefined && evidence.flatMap(exchangesIn).some((each) => each.failure)) {
      twin = (await step.rule.twin?.ask(asker.twin)) ?? twin;
    }
  };
  try {
    await withinDeadline(session, step, work());
    return { asked: asked(), told: {} };
  } catch (error) {
    return { asked: asked(), told: tell(session, error) };
  } finally {
    await asker.close().catch(() => {});
  }
}

function tell(session: Session, error: unknown): Told {
  if (error instanceof Inapplicable) return { inapplicable: error.message };
  if (error instanceof Inconclusive) return { inconclusive: error.message };
  if (session.signal?.aborted) return { inconclusive: 'the run was interrupted before this was asked to the end' };
  return { error: `asking failed: ${error instanceof Error ? error.message : String(error)}` };
}

/** Twins of the same name are asked once in the same context, whichever rule comes first. */
async function twinOf(session: Session, step: StepInPlan, asker: Asker): Promise<Exchange | undefined> {
  const { twin } = step.rule;
  if (twin === undefined) return undefined;
  const { case: _, ...context } = step.context;
  const name = `${twin.name} ${JSON.stringify(context)} ${step.key?.name} ${step.purpose}`;
  let exchange = session.twins.get(name);
  if (exchange === undefined) {
    exchange = twin.ask(asker.twin);
    session.twins.set(name, exchange);
  }
  return exchange;
}

const questionName = ({ rule, context, purpose }: StepInPlan, time: number): string | undefined =>
  rule.question === undefined || purpose !== 'plan' ? undefined : `${rule.question} ${JSON.stringify(context)} ${time}`;

const isAsked = (session: Session, step: StepInPlan): boolean => session.questions.has(questionName(step, 0) ?? '');

/** The same question of several rules is asked once in the same context. */
function questionOf(session: Session, step: StepInPlan, asker: Asker, time: number): Promise<Evidence> {
  const name = questionName(step, time);
  if (name === undefined) return step.rule.ask(asker.ask);
  let evidence = session.questions.get(name);
  if (evidence === undefined) {
    evidence = step.rule.ask(asker.ask);
    session.questions.set(name, evidence);
  }
  return evidence;
}

/** A deadline for asking; the time that the service told us to wait does not count. */
async function withinDeadline(session: Session, step: StepInPlan, work: Promise<void>): Promise<void> {
  const { clock, profile, recorder } = session;
  const ms = Math.max(profile.bounds.deadlineMs, step.rule.deadlineMs?.(session.subject) ?? 0);
  let cancel = (): void => {};
  const late = new Promise<never>((_, reject) => {
    const watch = (left: number): void => {
      const waitedBefore = recorder.waitingMs;
      cancel = clock.later(left, () => {
        const waited = recorder.waitingMs - waitedBefore;
        if (waited > 0) watch(waited);
        else reject(new Inconclusive(`it was not asked to the end within ${Math.round(ms / 1000)} s`));
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
