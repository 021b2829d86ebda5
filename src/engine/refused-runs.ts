/** Runs that are refused because of a limit: whether their sources are read all the same. */
import { isRefused } from '../limits/model/decision.ts';
import type { Exhausting } from '../limits/survey/ground.ts';
import { Inapplicable, Inconclusive } from '../model/ask.ts';
import type { LimitsAsk, RefusedRun } from '../model/limits-ask.ts';
import type { Actor, Key } from '../model/subject.ts';
import { asClient, type Defaults, runRequest } from './requests.ts';
import { type Session, timesOf } from './session.ts';

const wanted = 10;

/** Late work of a refused run would show within this time. */
const lateWorkMs = 100;

/** A run, and how often its sources were read. */
function runner(session: Session, actor: Actor, key: Key, spend: () => void, from?: string): () => Promise<RefusedRun> {
  const { recorder, clock, signal } = session;
  const line = `probe runs${from === undefined ? '' : ` from ${from}`}`;
  const defaults: Defaults = { purpose: 'probe', instance: 'main', line, ...asClient(session, line) };
  return async () => {
    const sending = runRequest(session, { actor, key }, defaults, session.nonce);
    spend();
    const exchange = await recorder.probe(from === undefined ? sending : { ...sending, from });
    if (timesOf(session, exchange) === 0 && isRefused(exchange)) await clock.sleep(lateWorkMs, signal);
    return { of: exchange, times: timesOf(session, exchange) };
  };
}

/** What was put into a queue instead of being refused has been done by then. */
const latestWorkMs = 1600;

const recounted = (session: Session, refused: readonly RefusedRun[]): readonly RefusedRun[] =>
  refused.map(({ of }) => ({ of, times: timesOf(session, of) }));

/** Runs with sources, until some are refused with 429; before them one that is admitted shows that its sources are reached. */
export async function refusedRuns(
  session: Session,
  { key, burst, from, spend, rest, exhaust }: Exhausting,
): ReturnType<LimitsAsk['refusedRuns']> {
  const [actor] = session.subject.actors.sources;
  if (actor === undefined) throw new Inapplicable('no actor has a source address in its input');
  const run = runner(session, actor, key, spend, from);
  await rest();
  const twin = await run();
  if (isRefused(twin.of)) throw new Inconclusive('a run with a rested key was refused');
  const refused: RefusedRun[] = [];
  for (let asked = 0; refused.length < wanted && asked < 2 * burst + 20; asked += 1) {
    if (asked % 5 === 0) await exhaust();
    const one = await run();
    if (isRefused(one.of)) refused.push(one);
  }
  if (refused.length === 0) throw new Inapplicable('no run got 429: the limit does not cover runs');
  await session.clock.sleep(latestWorkMs, session.signal);
  return { twin, refused: recounted(session, refused) };
}

/** So few show whether a refused one goes on all the same: many more calls exhaust an address than a key. */
const wantedAt = 2;

/** Runs with a rested key at an address that callers without one have exhausted. */
export async function refusedRunsAt(
  session: Session,
  { key, from, exhaust, rest, spend }: Exhausting,
): ReturnType<LimitsAsk['refusedRunsAt']> {
  const [actor] = session.subject.actors.sources;
  if (actor === undefined) throw new Inapplicable('no actor has a source address in its input');
  const run = runner(session, actor, key, spend, from);
  await rest();
  const refused: RefusedRun[] = [];
  for (let asked = 0; asked < wantedAt; asked += 1) {
    await exhaust();
    const one = await run();
    // Who is served there has no limit of the address.
    if (!isRefused(one.of)) break;
    refused.push(one);
  }
  await rest();
  return recounted(session, refused);
}
