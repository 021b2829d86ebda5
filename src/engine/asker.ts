/** What a rule holds while it asks, for one step: the context is applied here, and the rule never sees it. */
import { type Ask, Inapplicable, Inconclusive } from '../model/ask.ts';
import type { Context } from '../model/context.ts';
import type { NotFound } from '../model/evidence.ts';
import type { Exchange, Purpose } from '../model/exchange.ts';
import type { LimitsAsk } from '../model/limits-ask.ts';
import type { Case, Rule } from '../model/rule.ts';
import { formsOf, namesIn } from '../model/secret.ts';
import type { Actor, Key } from '../model/subject.ts';
import { hashOf, type Random, seeded } from '../random.ts';
import { gzippedIn } from '../secrets/packed.ts';
import { adminAsker } from './admin-asker.ts';
import { limitsAsker } from './limits-asker.ts';
import { queriesIn } from './queries.ts';
import { readable } from './record.ts';
import type { Sending, Sent } from './recorder.ts';
import { asClient, type Defaults, rawRequest, readRequest, runRequest, verifyRequest } from './requests.ts';
import { type Session, timesOf } from './session.ts';
import { removeMade } from './tidy-up.ts';
import { Waiting } from './waiting.ts';

export interface StepInPlan {
  readonly rule: Rule;
  readonly context: Context;
  readonly case?: Case;
  readonly key?: Key;
  readonly actor?: Actor;
  readonly purpose: 'plan' | 'again' | 'narrow';
  /** How often its rule is asked with this history before: kinds of refusals and of failed runs take turns. */
  readonly turn: number;
  /** Part of a quick run: asked before everything that only deepens. */
  readonly first: boolean;
}

/** Late work of a refused run would show within this time. */
const lateWorkMs = 100;

/** Of what is compressed in a store. */
const mostUnpacked = 16 * 1024 * 1024;

export interface Asker {
  readonly ask: Ask<never>;
  readonly twin: Ask<never>;
  /** All that was exchanged so far, also what is no evidence. */
  readonly exchanged: readonly Exchange[];
  readonly waiting: Waiting;
  /** What the context puts before the question: a refusal, a failed run, a first use of the connection. */
  prelude(): Promise<void>;
  /** Closes its connections, and removes the keys that it made. */
  close(): Promise<void>;
}

export function askerFor(session: Session, step: StepInPlan): Asker {
  const { context, rule } = step;
  const own = `${rule.id} ${JSON.stringify(context)}`;
  // What the context leaves open is chosen by the context alone: asked again, it is the same question.
  const choice = seeded(session.seed ^ hashOf(own));
  const opened: string[] = [];
  const made: string[] = [];
  const exchanged: Exchange[] = [];
  const waiting = new Waiting(session.clock);
  const newLine = (): string => {
    const line = session.newName('line');
    opened.push(line);
    return line;
  };
  const instance = rule.needs.includes('disabled') ? 'disabled' : 'main';
  const kept = context.connection === 'kept';
  // Asked once more, it has a connection of its own.
  const shared = rule.inOneGo && !kept && step.purpose === 'plan' ? session.sharedLine(rule.id) : undefined;
  const line = kept ? newLine() : shared;
  const base: Omit<Defaults, 'purpose'> = {
    instance,
    ...asClient(session, shared ?? own),
    ...(step.key === undefined ? {} : { key: step.key }),
    ...(step.actor === undefined ? {} : { actor: step.actor }),
    ...(line === undefined ? {} : { line }),
  };

  const company = context.company === 'among' ? companyOf(session, choice) : undefined;
  const send = (sending: Sending): Promise<Sent> =>
    company === undefined || sending.purpose === 'prelude'
      ? session.recorder.send({ ...sending, waiting })
      : accompanied(sending, company());
  const accompanied = async (sending: Sending, { first, other }: Companion): Promise<Sent> => {
    const before = first ? session.recorder.send(other) : undefined;
    const asked = session.recorder.send({ ...sending, waiting });
    const after = first ? undefined : session.recorder.send(other);
    const [settled] = await Promise.allSettled([asked, before ?? after]);
    if (settled.status === 'rejected') throw settled.reason;
    return settled.value;
  };

  const asking = (purpose: Purpose): Ask<never> => {
    const defaults: Defaults = { ...base, purpose };
    const exchangeOf = async (sending: Sending): Promise<Exchange> => {
      const { exchange } = await send(sending);
      exchanged.push(exchange);
      return exchange;
    };
    return {
      subject: session.subject,
      get key() {
        return given(step.key, 'key');
      },
      get actor() {
        return given(step.actor, 'actor');
      },
      case: step.case as never,
      run: async (options = {}) => exchangeOf(runRequest(session, options, defaults, session.nonce)),
      read: async (options = {}) => exchangeOf(readRequest(session, options, defaults)),
      verify: async (options = {}) => exchangeOf(verifyRequest(session, options, defaults)),
      send: async (request) => exchangeOf(rawRequest(session, request, defaults)),
      // Most rules manage no keys.
      get admin() {
        return adminAsker(session, defaults, send, made);
      },
      get limits() {
        return endingInEvidence(limitsAsker(session));
      },
      line: ({ watched = false } = {}) => ({ name: newLine(), watched }),
      usualLine: () => ({ name: session.sharedLine(own), watched: false }),
      async reached(exchange) {
        const sources = exchange.planted?.sources ?? [];
        if (timesOf(session, exchange) === 0) await session.clock.sleep(lateWorkMs, session.signal);
        const times = timesOf(session, exchange);
        if (times === 0) session.idle.push(exchange);
        const heads = sources.flatMap(({ token }) => session.sources.heard(token)).join('\n');
        const told = session.keyring.redact(heads);
        const heard = namesIn(readable(told));
        const queries = queriesIn(told);
        return {
          of: exchange,
          times,
          ...(heard.length === 0 ? {} : { heard }),
          ...(queries.length === 0 ? {} : { queries }),
        };
      },
      reachedLater: () => session.idle.map((exchange) => ({ of: exchange, times: timesOf(session, exchange) })),
      async restart() {
        if (session.control.restart === undefined) throw new Inconclusive('this target cannot be restarted');
        await session.control.restart();
      },
      async stored({ secret }) {
        if (session.control.dump === undefined) throw new Inconclusive('the store of this target cannot be read');
        const dump = await session.control.dump();
        const plain = Buffer.from(dump).toString('latin1');
        const text = session.keyring.redact(`${plain}\n${gzippedIn(dump, mostUnpacked)}`);
        return { forms: formsOf(readable(text), secret.name) };
      },
      async sleep(ms) {
        if (rule.waits !== 'apart') return session.clock.sleep(ms, session.signal);
        session.turns.leave();
        try {
          await session.clock.sleep(ms, session.signal);
        } finally {
          await session.turns.enter();
        }
      },
      now: () => session.clock.now(),
      random: session.random,
    };
  };

  return {
    ask: asking('ask'),
    exchanged,
    waiting,
    get twin() {
      return asking('twin');
    },
    prelude: () => prelude(session, context, asking('prelude'), { ...base, purpose: 'prelude' }, step.turn % 2 === 0),
    close: async () => {
      if (made.length > 0 && !session.signal?.aborted) await removeMade(session, made);
      for (const line of opened) session.release(line);
    },
  };
}

/** A search that ends without a result is evidence of its own: when a rule yields it, its gate is shut. */
function endingInEvidence(limits: LimitsAsk): LimitsAsk {
  const ended = (error: unknown): NotFound => {
    if (error instanceof Inapplicable) return { ended: error.message, inapplicable: true };
    if (error instanceof Inconclusive) return { ended: error.message, inapplicable: false };
    throw error;
  };
  const searches = Object.entries(limits).map(([name, search]: [string, () => Promise<unknown>]) => [
    name,
    () => search().catch(ended),
  ]);
  return Object.fromEntries(searches) as LimitsAsk;
}

function given<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new Inconclusive(`there is no ${what} for this rule`);
  return value;
}

/** What depends on the number of calls that a connection served shows after a few. */
const longUse = 7;

/** One refusal or one failed run of the two kinds there are: they take turns, so that each stands before each rule. */
async function prelude(
  session: Session,
  context: Context,
  ask: Ask<never>,
  defaults: Defaults,
  even: boolean,
): Promise<void> {
  const { actors } = session.subject;
  if (context.history === 'after-refusal') {
    const actor = defaults.actor ?? actors.clean[0];
    if (actor !== undefined && even) await ask.run({ actor, body: '{"cut": ' });
    else await ask.verify({ key: 'vk_live_' });
  } else if (context.history === 'after-failed-run') {
    const [crashing, reading] = [actors.crashing[0], actors.sources[0]];
    if (crashing !== undefined && (reading === undefined || even)) await ask.run({ actor: crashing });
    else if (reading !== undefined) await ask.run({ actor: reading, sources: { ok: 'refused', ok2: 'refused' } });
  } else if (context.connection === 'kept') {
    // The connection must have served something before the question: once, or for a while if no limit makes the run wait.
    const earlier = context.history === 'repeated' ? longUse : 1;
    for (let served = 0; served === 0 || (served < earlier && session.recorder.waitingMs === 0); served += 1)
      await session.recorder.send(verifyRequest(session, {}, defaults));
  }
}

interface Companion {
  /** Whether it is under way before the question, or begins while that is under way. */
  readonly first: boolean;
  readonly other: Sending;
}

/** Another request at the same time: a run with a nonce of its own, or a call with another key. */
function companyOf(session: Session, choice: Random): () => Companion {
  const { keys, actors } = session.subject;
  const one = <T>(of: readonly T[]): T | undefined => of[Math.floor(choice() * of.length)];
  const actor = actors.echo[0] ?? actors.clean.find((each) => each.sources === 0);
  return () => {
    const line = session.sharedLine('company');
    const defaults: Defaults = { purpose: 'company', instance: 'main', line, ...asClient(session, line) };
    const key = one(keys.filter(({ role }) => role === 'entitled'));
    const running = actor !== undefined && key !== undefined && choice() < 0.6;
    return {
      first: choice() < 0.5,
      other: running
        ? runRequest(session, { actor, key }, defaults, session.nonce)
        : verifyRequest(session, { key: one(keys) ?? null }, defaults),
    };
  };
}
