/** Pure: which situations a client is started in, and in which contexts. Made again from a written run, to see that none was dropped. */
import type { ClientRule, Situation } from '../model/client.ts';
import { type Deviation, deviations } from '../model/client-context.ts';
import type { Depth } from '../model/run.ts';
import type { KeyKind } from '../model/secret.ts';
import { seeded } from '../random.ts';
import { pairs } from './covering.ts';

export interface TrialPlan {
  readonly number: number;
  readonly situation: Situation;
  readonly key: KeyKind;
  readonly connection: 'kept' | 'fresh';
  readonly deviations?: readonly Deviation[];
}

const depths: readonly Depth[] = ['quick', 'standard', 'thorough'];

/** Those that the rules look at; the plain ones always, because they show how the client reports. */
export function situationsFor(rules: readonly ClientRule[], all: readonly Situation[], depth: Depth): Situation[] {
  const wanted = new Set(rules.flatMap(({ situations }) => situations ?? []));
  const every = rules.some(({ situations }) => situations === undefined);
  return all.filter(
    (each) =>
      depths.indexOf(each.depth) <= depths.indexOf(depth) &&
      (every || wanted.has(each.name) || /^complete/.test(each.name) || each.name === 'refused-401'),
  );
}

type Unnumbered = Omit<TrialPlan, 'number'>;

const keys = ['live', 'test'] as const;
const connections = ['kept', 'fresh'] as const;

/**
 * Each situation once, with keys and connections by turns, so that all of them are met; standard: then once in each context that it
 * varies in; thorough: every pair of a key, a connection and those contexts.
 */
export function planOf(situations: readonly Situation[], depth: Depth): TrialPlan[] {
  const plain = situations.flatMap((situation, at): Unnumbered[] => {
    const plan = { situation, key: keys[at % 2]!, connection: connections[(at >> 1) % 2]! };
    return Array.from({ length: situation.copies ?? 1 }, () => plan);
  });
  const varied = situations.filter(({ copies }) => copies === undefined);
  const more = depth === 'quick' ? [] : depth === 'standard' ? varied.flatMap(once) : varied.flatMap(paired);
  return [...plain, ...more].map((plan, at) => ({ ...plan, number: at + 1 }));
}

const once = (situation: Situation, at: number): Unnumbered[] =>
  (situation.varies ?? []).map((deviation, turn) => ({
    situation,
    key: keys[(at + turn) % 2]!,
    connection: connections[((at >> 1) + turn) % 2]!,
    deviations: [deviation],
  }));

/** The plain start of a situation has met some pairs already: it is made once more, because chance has a say in most clients. */
function paired(situation: Situation): Unnumbered[] {
  const { varies = [] } = situation;
  const own = deviations.filter((each) => varies.includes(each));
  return pairs([2, 2, ...own.map(() => 2)], seeded(1)).map(([key = 0, connection = 0, ...rest]) => {
    const taken = own.filter((_, at) => rest[at] === 1);
    return {
      situation,
      key: keys[key]!,
      connection: connections[connection]!,
      ...(taken.length === 0 ? {} : { deviations: taken }),
    };
  });
}
