/** Ways of asking that rules share. What must then be so is in `gates.ts`. */
import {
  type Actor,
  type Ask,
  anyWord,
  type DimensionName,
  type Key,
  type RunOptions,
  type SourceBehaviour,
  type Subject,
  succeeded,
  workingSlots,
} from '../../src/vocabulary.ts';

/** For rules that would see the same whatever the context. */
export const everything: readonly DimensionName[] = ['key', 'connection', 'history', 'company', 'actor'];

/** For rules that wait for a source that is too slow: once for each actor is enough. */
export const allButActor: readonly DimensionName[] = ['key', 'connection', 'history', 'company'];

/** For an answer that has to wait for its sources: what the profile allows it, and never less than any other answer. */
export const patience = ({ bounds }: Subject): number => 3 * Math.max(bounds.upstreamMs, bounds.timeoutMs);

/** Restricted actors, each with a key that may run it: what else holds of them has nothing to do with that. */
export const runnableRestricted = ({ actors }: Subject): readonly { readonly actor: Actor; readonly key: Key }[] =>
  actors.restricted.flatMap((actor) => (actor.entitledKey === undefined ? [] : [{ actor, key: actor.entitledKey }]));

/** What everybody else waits for may take so long at most. */
const shortMs = 5000;

/** By the profile, sources that are too slow are given up soon enough for a rule that is asked alone. */
export const givesUpSoon = ({ bounds }: Subject): boolean => bounds.upstreamMs <= shortMs;

/** A source may be left alone for a moment after it failed. */
export const pausesMs = [1000, 2000, 4000];

type Reaching = Pick<Ask<unknown>, 'run' | 'reached'>;

/** A clean run of the same actor, and how many of its sources it reached: `reaches` is the gate for it. */
export async function* cleanRunOf({ run, reached }: Reaching) {
  const clean = await run();
  yield { clean };
  yield { reachedByClean: succeeded(clean) ? await reached(clean) : null };
  return clean;
}

/** The same with as many sources as the actor takes. */
export const cleanRunOfMany = ({ run, reached, actor }: Reaching & Pick<Ask<unknown>, 'actor'>) =>
  cleanRunOf({ run: () => run(actor.manySources === undefined ? {} : { input: actor.manySources }), reached });

/** What a refused run reached, after a clean run of the same actor; `refusedWork` are the gates for it. */
export async function* workOf(ask: Reaching, options: RunOptions) {
  yield* cleanRunOf(ask);
  const refused = await ask.run(options);
  yield { refused };
  yield { reached: await ask.reached(refused) };
}

/** Every source that an input may name, behaving alike. */
export const everySource = (behaviour: SourceBehaviour): NonNullable<RunOptions['sources']> => ({
  ...Object.fromEntries(workingSlots.map((slot) => [slot, behaviour])),
  slow: behaviour,
  broken: behaviour,
});

/** A name as actors and routes have them, and that nothing has. */
export const invented = (random: () => number): string => `${anyWord(random)}-${anyWord(random)}-${anyWord(random)}`;

/** What is put behind a name so that nothing has it: short, plain, and another one in every context. */
export const nameless = (random: () => number): string =>
  Math.floor(random() * 0x1_0000_0000)
    .toString(16)
    .padStart(8, '0');

/** Headers that all say the same. */
export const eachSaying = (value: string, ...names: readonly string[]): readonly (readonly [string, string])[] =>
  names.map((name) => [name, value]);

/** What a proxy on the same machine says of a caller that is there too: anybody can say so. */
export const fromThisMachine: readonly (readonly [string, string])[] = [
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Real-IP', '127.0.0.1'],
  ['Forwarded', 'for=127.0.0.1'],
];

/** What a browser says of a page of the service's own maker. Anybody can say so. */
export const fromAPage: readonly (readonly [string, string])[] = [
  ['Origin', 'http://localhost:3000'],
  ['Referer', 'http://localhost:3000/'],
  ['Sec-Fetch-Site', 'same-origin'],
  ['X-Requested-With', 'XMLHttpRequest'],
];
