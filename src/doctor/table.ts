/** Which rules a profile lets run, area by area, and the lines that would unlock the others. Pure. */
import { type Area, areaOf, areas } from '../model/rule.ts';
import type { PlannedRule } from '../model/run.ts';

export interface Lock {
  readonly because: string;
  /** The piece of profile that would change it; omitted where no line does. */
  readonly add?: string;
  readonly rules: readonly string[];
}

export interface AreaRow {
  readonly area: Area;
  readonly can: readonly string[];
  readonly cannot: readonly Lock[];
}

/** Rules that found nothing to ask by say why, but not what to add: in these areas one line helps them all. */
const usual: Readonly<Partial<Record<Area, string>>> = {
  actor: 'actors: { clean: { name: …, input: {…}, schema_at: /… } }',
  input: 'actors: { clean: { name: …, input: {…}, schema: {…} } }',
  error: 'actors: { clean: [{ name: …, input: {…}, schema: {…} }, { name: …, input: {…}, schema: {…} }] }',
  disabled: 'disabled: { address: http://…, key: "${env:SECOND_KEY}" }',
};

export function tableOf(planned: readonly PlannedRule[]): AreaRow[] {
  return areas.flatMap((area) => {
    const own = planned.filter(({ rule }) => areaOf(rule) === area);
    if (own.length === 0) return [];
    const locks = new Map<string, Lock & { readonly rules: string[] }>();
    for (const { rule, untested } of own) {
      if (untested === undefined) continue;
      const add = untested.add ?? usual[area];
      const name = JSON.stringify([untested.because, add]);
      const lock = locks.get(name) ?? { because: untested.because, ...(add === undefined ? {} : { add }), rules: [] };
      lock.rules.push(rule);
      locks.set(name, lock);
    }
    const can = own.flatMap(({ rule, untested }) => (untested === undefined ? [rule] : []));
    return [{ area, can, cannot: [...locks.values()] }];
  });
}

/** One line to add to a profile, and all that it unlocks. */
export interface Unlock {
  /** Undefined: no line helps. */
  readonly add?: string;
  readonly because: readonly string[];
  readonly rules: readonly string[];
}

/** Across areas: the line that unlocks most comes first, and what no line unlocks comes last. */
export function unlocksOf(table: readonly AreaRow[]): Unlock[] {
  const found = new Map<string, { add?: string; because: Set<string>; rules: string[] }>();
  for (const { add, because, rules } of table.flatMap(({ cannot }) => cannot)) {
    const name = add ?? '';
    const unlock = found.get(name) ?? { ...(add === undefined ? {} : { add }), because: new Set<string>(), rules: [] };
    unlock.because.add(because);
    unlock.rules.push(...rules);
    found.set(name, unlock);
  }
  const weight = ({ add, rules }: { add?: string; rules: string[] }): number => (add === undefined ? 0 : rules.length);
  return [...found.values()]
    .sort((a, b) => weight(b) - weight(a))
    .map((unlock) => ({ ...unlock, because: [...unlock.because] }));
}

export const lockedIn = ({ cannot }: AreaRow): number => cannot.reduce((sum, { rules }) => sum + rules.length, 0);
