/** What a rule must be sure of before its answer proves anything. Where it is not, it could not find out. */
import {
  type Ask,
  type DimensionName,
  type Exchange,
  Inconclusive,
  type RunOptions,
  type SourceBehaviour,
  type Subject,
  statusFits,
  succeeded,
  whatCame,
} from '../../src/vocabulary.ts';

/** For rules that would see the same whatever the context. */
export const everything: readonly DimensionName[] = ['key', 'connection', 'history', 'company', 'actor'];

/** For rules that wait for a source that is too slow: once for each actor is enough. */
export const allButActor: readonly DimensionName[] = ['key', 'connection', 'history', 'company'];

/** For an answer that has to wait for its sources: what the profile allows it, and never less than any other answer. */
export const patience = ({ bounds }: Subject): number => 3 * Math.max(bounds.upstreamMs, bounds.timeoutMs);

export function mustSucceed(exchange: Exchange, what: string): Exchange {
  if (!succeeded(exchange)) {
    throw new Inconclusive(`${what}, which must succeed, was answered ${whatCame(exchange)} (exchange ${exchange.id})`);
  }
  return exchange;
}

/** A clean run that tells whether a key is let in: what fails otherwise is not about the key. */
export const mustTellOfKey = (exchange: Exchange): Exchange =>
  statusFits(exchange, [401, 403]) ? exchange : mustSucceed(exchange, 'a clean run');

type Reaching = Pick<Ask<unknown>, 'run' | 'reached'>;

/** A clean run of the same actor, to be sure that it would have reached so many sources. */
export async function mustReach({ run, reached }: Reaching, wanted: number): Promise<Exchange> {
  const clean = mustSucceed(await run(), 'a clean run');
  const came = await reached(clean);
  if (came === 0) {
    throw new Inconclusive(
      'no source was reached by a run that should: the implementation cannot reach the source server',
    );
  }
  if (came < wanted) throw new Inconclusive(`a clean run reached ${came} of the ${wanted} sources in its input`);
  return clean;
}

/** What a refused run reached, after a clean run of the same actor has shown that it would have. */
export async function workOf(ask: Reaching, refused: RunOptions): Promise<{ refused: Exchange; reached: number }> {
  await mustReach(ask, 1);
  const exchange = await ask.run(refused);
  if (succeeded(exchange)) {
    throw new Inconclusive(`the run was not refused but answered ${whatCame(exchange)}: another rule says so`);
  }
  return { refused: exchange, reached: await ask.reached(exchange) };
}

/** Every source that an input may name, behaving alike. */
export const everySource = (behaviour: SourceBehaviour): NonNullable<RunOptions['sources']> => ({
  ok: behaviour,
  ok2: behaviour,
  slow: behaviour,
  broken: behaviour,
});

/** A name that nothing has: short, plain, and another one in every context. */
export const nameless = (random: () => number): string =>
  Math.floor(random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0');
