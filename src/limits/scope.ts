/**
 * Whose limit it is. One key at one address is exhausted; then the same key elsewhere, another key here, and another key
 * elsewhere are asked. A cell counts only while the exhausted one is refused before and after it.
 */
import type { Decision, Probe } from './probe.ts';
import { list } from './words.ts';

export type Scope = 'key' | 'address' | 'pair' | 'shared' | 'global' | 'undetermined';

/** `together`: refused although it had not called itself. `apart`: admitted as if nobody else had called. */
export type Cell = 'together' | 'apart' | 'unclear' | 'not asked';

export interface ScopeFound {
  readonly scope: Scope;
  /** Which scopes remain where it is undetermined. */
  readonly between: readonly Scope[];
  readonly cells: Cells;
  readonly reasons: readonly string[];
  readonly trace: readonly ScopeDecision[];
}

export interface Cells {
  readonly sameKeyElsewhere: Cell;
  readonly otherKeyHere: Cell;
  readonly otherKeyElsewhere: Cell;
  /** A call without any key, from another address: only who limits everybody refuses it too. */
  readonly noKeyElsewhere: Cell;
}

export interface ScopeDecision extends Decision {
  readonly key: string | undefined;
  readonly address: string;
}

export interface ScopeOptions {
  /** A key of undefined sends none; only where the service answers such calls with anything but a limit. */
  readonly probe: (key: string | undefined, address: string) => Probe;
  readonly keys: readonly [string, string] | readonly [string];
  readonly addresses: readonly [string, string] | readonly [string];
  /** Whether a call without a key says something: its answer is a decision of the limit, not of the key check. */
  readonly withoutKey?: boolean;
  /** What a rested key may do at once, where that is known. */
  readonly burst?: number;
  readonly maxCalls?: number;
  /** Silence after which every key is rested again. */
  readonly restMs: number;
}

const rounds = 3;

export async function findScope(options: ScopeOptions): Promise<ScopeFound> {
  const trace: ScopeDecision[] = [];
  const [key, otherKey] = options.keys;
  const [here, elsewhere] = options.addresses;
  const cell = (ofKey: string | undefined, address: string | undefined): Promise<Cell> | Cell =>
    address === undefined ? 'not asked' : tryCell(options, trace, { key: key!, here: here! }, { key: ofKey, address });
  const cells: Cells = {
    sameKeyElsewhere: await cell(key, elsewhere),
    otherKeyHere: otherKey === undefined ? 'not asked' : await cell(otherKey, here),
    otherKeyElsewhere: otherKey === undefined ? 'not asked' : await cell(otherKey, elsewhere),
    noKeyElsewhere: options.withoutKey === true ? await cell(undefined, elsewhere) : 'not asked',
  };
  return { ...judgeCells(cells), cells, trace };
}

async function tryCell(
  { probe, burst, maxCalls = 2000, restMs }: ScopeOptions,
  trace: ScopeDecision[],
  tired: { readonly key: string; readonly here: string },
  other: { readonly key: string | undefined; readonly address: string },
): Promise<Cell> {
  const exhausting = probe(tired.key, tired.here);
  const asking = probe(other.key, other.address);
  const write = (answers: readonly Decision[], key: string | undefined, address: string): readonly Decision[] => {
    trace.push(...answers.map((each) => ({ ...each, key, address })));
    return answers;
  };
  const seen: Cell[] = [];
  for (let round = 0; round < rounds; round += 1) {
    await exhausting.sleep(restMs);
    const admitted = await exhaust(exhausting, burst, maxCalls - trace.length, (answers) =>
      write(answers, tired.key, tired.here),
    );
    if (admitted === undefined) return 'unclear';
    // As many as a rested key has at once: a token that has come in meanwhile lets one in, not all.
    const size = Math.max(1, Math.min(5, admitted));
    const before = await refuses(exhausting, (answers) => write(answers, tired.key, tired.here));
    const answers = write(await ask(asking, size), other.key, other.address);
    const after = await refuses(exhausting, (answers) => write(answers, tired.key, tired.here));
    const decided = answers.filter(({ status }) => status !== 0 && status < 500);
    if (!before || !after || decided.length < size) seen.push('unclear');
    else {
      const ins = decided.filter((each) => each.admitted).length;
      seen.push(ins === size ? 'apart' : ins <= size / 2 ? 'together' : 'unclear');
    }
  }
  const clear = new Set(seen.filter((each) => each !== 'unclear'));
  const counted = seen.filter((each) => each !== 'unclear').length;
  return clear.size === 1 && counted * 2 > rounds ? [...clear][0]! : 'unclear';
}

const ask = async (probe: Probe, size: number): Promise<readonly Decision[]> =>
  size === 1 ? [await probe.ask()] : probe.askMany(size);

async function refuses(probe: Probe, write: (answers: readonly Decision[]) => readonly Decision[]): Promise<boolean> {
  // Two at once: a single token that has come in meanwhile is taken by the first.
  const answers = write(await probe.askMany(2));
  return answers.some(({ admitted, status }) => !admitted && status !== 0);
}

async function exhaust(
  probe: Probe,
  burst: number | undefined,
  most: number,
  write: (answers: readonly Decision[]) => readonly Decision[],
): Promise<number | undefined> {
  let admitted = 0;
  let size = burst === undefined ? 4 : burst + 1;
  for (let asked = 0; asked < most; ) {
    const answers = write(await ask(probe, Math.min(size, most - asked)));
    asked += answers.length;
    const ins = answers.filter((each) => each.admitted).length;
    admitted += ins;
    if (ins < answers.length) return admitted;
    size = Math.min(256, size * 2);
  }
  return undefined;
}

/** Pure: from the cells to the scope. */
export function judgeCells(cells: Cells): Pick<ScopeFound, 'scope' | 'between' | 'reasons'> {
  const patterns: Readonly<Record<Exclude<Scope, 'undetermined'>, readonly (Cell | undefined)[]>> = {
    key: ['together', 'apart', 'apart', 'apart'],
    address: ['apart', 'together', 'apart', 'apart'],
    pair: ['apart', 'apart', 'apart', 'apart'],
    shared: ['together', 'together', 'together', 'apart'],
    global: ['together', 'together', 'together', 'together'],
  };
  const seen = [cells.sameKeyElsewhere, cells.otherKeyHere, cells.otherKeyElsewhere, cells.noKeyElsewhere];
  const open = (cell: Cell): boolean => cell === 'not asked' || cell === 'unclear';
  const fits = (Object.keys(patterns) as Exclude<Scope, 'undetermined'>[]).filter((scope) =>
    patterns[scope].every((wanted, at) => open(seen[at]!) || seen[at] === wanted),
  );
  const reasons = [
    says(cells.sameKeyElsewhere, 'the same key at another address'),
    says(cells.otherKeyHere, 'another key at the same address'),
    says(cells.otherKeyElsewhere, 'another key at another address'),
    says(cells.noKeyElsewhere, 'a call without a key at another address'),
  ].filter((each) => each !== undefined);
  const [only] = fits;
  if (only !== undefined && fits.length === 1) return { scope: only, between: [only], reasons };
  const why =
    fits.length === 0 ? 'no single limit behaves like this: several were met at once' : `it could be ${list(fits)}`;
  return { scope: 'undetermined', between: fits, reasons: [...reasons, why] };
}

function says(cell: Cell, who: string): string | undefined {
  switch (cell) {
    case 'together':
      return `${who} was refused too`;
    case 'apart':
      return `${who} was admitted`;
    case 'unclear':
      return `${who} could not be judged: the exhausted key did not stay refused, or answers were lost`;
    case 'not asked':
      return undefined;
  }
}
