/** Pure: which situations a client is started in. Made again from a written run, to see that none was dropped. */
import type { ClientRule, Situation } from '../model/client.ts';
import type { Depth } from '../model/run.ts';
import type { KeyKind } from '../model/secret.ts';

export interface TrialPlan {
  readonly number: number;
  readonly situation: Situation;
  readonly key: KeyKind;
  readonly connection: 'kept' | 'fresh';
}

const depths: readonly Depth[] = ['quick', 'standard', 'thorough'];

/** Those that the rules look at; the plain ones always, because they show how the client tells things. */
export function situationsFor(rules: readonly ClientRule[], all: readonly Situation[], depth: Depth): Situation[] {
  const wanted = new Set(rules.flatMap(({ situations }) => situations ?? []));
  const every = rules.some(({ situations }) => situations === undefined);
  return all.filter(
    (each) =>
      depths.indexOf(each.depth) <= depths.indexOf(depth) &&
      (every || wanted.has(each.name) || /^complete/.test(each.name) || each.name === 'refused-401'),
  );
}

/** Thorough: each situation with each kind of key and connection. Else by turns, so that all of them are met. */
export function planOf(situations: readonly Situation[], depth: Depth): TrialPlan[] {
  const keys = ['live', 'test'] as const;
  const connections = ['kept', 'fresh'] as const;
  const turns = depth === 'thorough' ? 4 : 1;
  const plans = Array.from({ length: turns }, (_, turn) =>
    situations.flatMap((situation, at) => {
      const plan = {
        situation,
        key: keys[(at + turn) % 2]!,
        connection: connections[((at >> 1) + (turn >> 1)) % 2]!,
      };
      const { copies } = situation;
      return copies === undefined ? [plan] : turn === 0 ? Array.from({ length: copies }, () => plan) : [];
    }),
  ).flat();
  return plans.map((plan, at) => ({ ...plan, number: at + 1 }));
}
