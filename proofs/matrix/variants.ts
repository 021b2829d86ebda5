/** All that the matrix tries: every fault, every lawful variant alone, and every one of them in combination with others. */
import { readdirSync } from 'node:fs';
import type { Fault } from '../../fixtures/service/fault.ts';
import type { Lawful } from '../../fixtures/service/lawful.ts';
import type { Depth } from '../../src/model/run.ts';
import { hashOf } from '../../src/random.ts';
import type { Variant } from './try-on.ts';

export interface Trial {
  readonly variant: Variant;
  readonly kind: 'fault' | 'lawful';
  readonly depth: Depth;
  /** The rules that must fail or warn. */
  readonly kills: readonly string[];
  /** The rules that must pass. */
  readonly passes: readonly string[];
}

/** What the files of a folder export, files and exports in the order of their names. */
async function gather<T>(folder: string): Promise<T[]> {
  const place = new URL(`../../fixtures/${folder}/`, import.meta.url);
  const files = readdirSync(place).filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts'));
  const found: T[] = [];
  for (const file of files.sort()) {
    const module = (await import(new URL(file, place).href)) as Record<string, unknown>;
    for (const name of Object.keys(module).sort())
      if (Array.isArray(module[name])) found.push(...(module[name] as T[]));
  }
  return found;
}

export const allFaults = (): Promise<Fault[]> => gather<Fault>('faults');
export const allLawful = (): Promise<Lawful[]> => gather<Lawful>('lawful');

export async function allTrials(): Promise<Trial[]> {
  const freedoms = await allLawful();
  const alone = freedoms.map((each) => lawfulTrial(each.name, [each], 'quick'));
  const mixed = combinations(freedoms.filter((each) => each.areas === undefined)).map((each, at) =>
    lawfulTrial(`combination ${at + 1}`, each, 'standard'),
  );
  return [...(await allFaults()).map(faultTrial), ...alone, ...mixed];
}

/** A real clock and real sockets have no time for variants that are about waiting. */
export const isPatient = ({ name, options }: Variant): boolean =>
  options?.keyLimits !== undefined ||
  options?.addressLimit !== undefined ||
  /limit|slow|second|minute|delay|wait|retry|back|queue|time|admits|revoked|429|beside/.test(name);

const faultTrial = (fault: Fault): Trial => ({
  variant: { ...fault, overlays: [fault.lie] },
  kind: 'fault',
  depth: fault.depth,
  kills: fault.kills,
  passes: [],
});

function lawfulTrial(name: string, freedoms: readonly Lawful[], depth: Depth): Trial {
  const where = new Set(freedoms.map((each) => each.on ?? 'main'));
  return {
    variant: {
      name: freedoms.length === 1 ? name : `${name}: ${freedoms.map((each) => each.name).join(', ')}`,
      on: where.size === 1 ? [...where][0]! : 'both',
      options: Object.assign({}, ...freedoms.map((each) => each.options ?? {})),
      overlays: freedoms.flatMap((each) => each.freedom ?? []),
      profile: Object.assign({}, ...freedoms.map((each) => each.profile ?? {})),
      ...(freedoms[0]?.areas === undefined ? {} : { areas: freedoms[0].areas }),
    },
    kind: 'lawful',
    depth,
    kills: [],
    passes: freedoms.flatMap((each) => each.passes ?? []),
  };
}

/**
 * As many combinations as the largest group has members. Each group's members are spread over them evenly, beginning
 * somewhere else for each group: so every variant is in one, next to a few that change other things.
 */
function combinations(freedoms: readonly Lawful[]): Lawful[][] {
  const groups = [...Map.groupBy(freedoms, (each) => each.group)];
  const count = Math.max(...groups.map(([, members]) => members.length));
  const mixed: Lawful[][] = Array.from({ length: count }, () => []);
  for (const [name, members] of groups) {
    const start = hashOf(name);
    members.forEach((member, at) => {
      mixed[(start + Math.floor((at * count) / members.length)) % count]!.push(member);
    });
  }
  return mixed.filter((each) => each.length > 1);
}

/** Enough to prove a rule in every run of the tests; `npm run prove -- matrix` tries all there are. */
const sometimesAtLeast = 40;

/** In every run of the tests: every eighth combination, and of what only a prober sees every third. CI tries the others. */
function isTurnOf(trial: Trial, trials: readonly Trial[]): boolean {
  const isProbed = trial.variant.areas !== undefined;
  if (!isProbed && trial.depth !== 'standard') return false;
  const alike = trials.filter(
    ({ kind, depth, variant }) =>
      kind === 'lawful' && depth === trial.depth && (variant.areas !== undefined) === isProbed,
  );
  return alike.indexOf(trial) % (isProbed ? 3 : 8) === 0;
}

/** As few more as prove every rule: always the one next that proves the most of those that are left. */
function provers(trials: readonly Trial[], already: readonly Trial[]): Trial[] {
  const left = new Set(trials.flatMap(({ kills }) => kills));
  const chosen: Trial[] = [];
  const choose = ({ kills }: Trial): void => {
    for (const rule of kills) left.delete(rule);
  };
  already.forEach(choose);
  const gainOf = ({ kills }: Trial): number => kills.filter((rule) => left.has(rule)).length;
  while (left.size > 0) {
    const next = trials.reduce((best, trial) => (gainOf(trial) > gainOf(best) ? trial : best));
    choose(next);
    chosen.push(next);
  }
  return chosen;
}

/**
 * The numbers of the trials that every run of the tests makes: of the faults, those that show only sometimes every so many, and as few
 * others as prove every rule; of the lawful variants some combinations.
 */
export function core(trials: readonly Trial[]): number[] {
  const faults = trials.filter(({ kind }) => kind === 'fault');
  const sometimes = faults.filter(({ depth }) => depth === 'standard');
  const stride = Math.max(1, Math.floor(sometimes.length / sometimesAtLeast));
  const due = sometimes.filter((_, at) => at % stride === 0);
  const chosen = new Set([...due, ...provers(faults, due)]);
  return trials.flatMap((trial, index) =>
    (trial.kind === 'lawful' ? isTurnOf(trial, trials) : chosen.has(trial)) ? [index] : [],
  );
}

/** Of what takes longest CI tries another part every day. */
const daysForFaults = 10;
const daysForLawful = 5;

export interface Share {
  /** Faults that are judged by the areas of their kills. */
  readonly inShort: readonly number[];
  readonly whole: readonly number[];
}

/**
 * What CI has time for: each fault and each combination of lawful variants; by the whole catalogue every tenth fault; of the lawful
 * variants alone every fifth. `npm test` tries limits that are lawful in the same way: those of the core are not tried twice.
 */
export function shareOf(trials: readonly Trial[], day: number): Share {
  const tried = new Set(core(trials));
  const indexes = trials.map((_, index) => index);
  const isDue = (index: number): boolean => {
    const { kind, depth, variant } = trials[index]!;
    if (kind === 'fault') return index % daysForFaults === day % daysForFaults;
    if (variant.areas !== undefined) return !tried.has(index);
    return depth === 'standard' || index % daysForLawful === day % daysForLawful;
  };
  const whole = indexes.filter(isDue);
  return {
    inShort: indexes.filter((index) => trials[index]!.kind === 'fault' && !isDue(index)),
    whole,
  };
}
