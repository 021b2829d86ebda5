/** What is wrong with a profile: every problem at once, each where an editor can jump to. */
import { type MistakeCode, UserError } from '../mistakes.ts';

export type Path = readonly (string | number)[];

export interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Problem {
  /** `actors.echo.input`; empty for the profile as a whole. */
  readonly path: string;
  readonly line?: number;
  readonly column?: number;
  readonly message: string;
  /** Where it was said instead of in the profile. */
  readonly source?: string;
  /** If omitted: it cannot be read at all. */
  readonly mistake?: MistakeCode;
}

export class ProfileError extends UserError {
  override readonly name = 'ProfileError';
  readonly source: string;
  readonly problems: readonly Problem[];

  constructor(source: string, problems: readonly Problem[]) {
    super(inWords(source, problems), ...new Set(problems.map(({ mistake }) => mistake ?? 'profile-unreadable')));
    this.source = source;
    this.problems = problems;
  }
}

/** `actors.sources[1].input`. Members that are no plain words are in brackets and quotes. */
export const showPath = (path: Path): string =>
  path
    .map((step, index) => {
      if (typeof step === 'number') return `[${step}]`;
      if (!/^[\w.-]+$/.test(step)) return `[${JSON.stringify(step)}]`;
      return index === 0 ? step : `.${step}`;
    })
    .join('');

export const pathKey = (path: Path): string => JSON.stringify(path);

/** Where a path is in the text: its value, or the name in front of it. */
export type Locate = (path: Path, part: 'key' | 'value') => Position | undefined;

interface Noted extends Problem {
  readonly mistake: MistakeCode;
  readonly key: string;
  readonly order: number;
}

/** Collects problems in any order and gives them back in the order of the text. */
export class Problems {
  readonly #locate: Locate;
  readonly #sourceOf: (path: Path) => string | undefined;
  readonly #noted: Noted[] = [];
  readonly #settled = new Set<string>();
  /** What is being looked at, and so of what kind the problems are that are found. */
  stage: MistakeCode = 'profile-form';

  /** `sourceOf`: what stands on the command line is no mistake of the profile's. */
  constructor(locate: Locate, sourceOf: (path: Path) => string | undefined = () => undefined) {
    this.#locate = locate;
    this.#sourceOf = sourceOf;
  }

  add(path: Path, message: string, part: 'key' | 'value' = 'value'): void {
    this.#note(path, message, this.#locate(path, part));
  }

  at(position: Position | undefined, message: string): void {
    this.#note([], message, position);
  }

  /** Like `add`, and the value is known to be worthless: whatever else is said about it would be noise. */
  settle(path: Path, message: string): void {
    if (this.#settled.has(pathKey(path))) return;
    this.add(path, message);
    this.#settled.add(pathKey(path));
  }

  /** What is said of another value holds for this one as well. */
  settleSilently(path: Path): void {
    this.#settled.add(pathKey(path));
  }

  isSettled(path: Path): boolean {
    return this.#settled.has(pathKey(path));
  }

  get found(): readonly Problem[] {
    const seen = new Set<string>();
    return this.#noted
      .filter((each) => {
        const text = `${each.key} ${each.line}:${each.column} ${each.message}`;
        return !seen.has(text) && seen.add(text);
      })
      .sort((a, b) => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0) || a.order - b.order)
      .map(({ path, line, column, message, source, mistake }) => ({
        path,
        ...(line === undefined || column === undefined ? {} : { line, column }),
        message,
        ...(source === undefined ? {} : { source }),
        mistake,
      }));
  }

  throwIfAny(source: string): void {
    if (this.#noted.length > 0) throw new ProfileError(source, this.found);
  }

  #note(path: Path, message: string, position: Position | undefined): void {
    const key = pathKey(path);
    if (path.length > 0 && this.#settled.has(key)) return;
    const source = this.#sourceOf(path);
    this.#noted.push({
      path: showPath(path),
      message,
      mistake: this.stage,
      key,
      order: this.#noted.length,
      ...(source === undefined ? (position ?? {}) : { source }),
    });
  }
}

function inWords(source: string, problems: readonly Problem[]): string {
  const lines = problems.map(({ path, line, column, message, source: own = source }) => {
    const where = line === undefined ? own : `${own}:${line}:${column}`;
    return path === '' ? `${where}: ${message}` : `${where}: ${path}: ${message}`;
  });
  return problems.length > 1
    ? [
        ...lines,
        `${problems.length} problems in ${[...new Set(problems.map((each) => each.source ?? source))].join(' and ')}`,
      ].join('\n')
    : lines.join('\n');
}
