/** The text of a profile as a plain value, with the place of everything in it. YAML; JSON is a part of it. */
import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  parseDocument,
  type Scalar,
  visit,
  type YAMLError,
} from 'yaml';
import { ExactNumber, isJsonNumber } from '../model/json-text.ts';
import { type Locate, type Path, type Position, Problems } from './problems.ts';

export interface ProfileDocument {
  readonly value: unknown;
  readonly locate: Locate;
}

const longestText = 1_000_000;
const deepest = 60;

/** Throws a ProfileError with every fault of the syntax. `what` is what messages call it: waivers are read here too. */
export function readDocument(text: string, source: string, what = 'the profile', asWritten = false): ProfileDocument {
  const lines = new LineCounter();
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(offset);
    return { line, column: col };
  };
  const problems = new Problems(() => undefined);
  problems.stage = 'profile-syntax';
  if (text.length > longestText) {
    problems.at(undefined, `${what} is longer than ${longestText} characters`);
    problems.throwIfAny(source);
  }
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, logLevel: 'error' });
  for (const { message, pos } of tellingFaults([...document.errors, ...document.warnings], position)) {
    const at = position(pos[0]);
    problems.at(at, `${plainer(message, what)}${hint(message, text.split(/\r?\n/)[at.line - 1] ?? '')}`);
  }
  visit(document, {
    Pair: (_, pair) => {
      if (pair.key === null || isScalar(pair.key)) return;
      const range = (pair.key as Node).range;
      problems.at(range ? position(range[0]) : undefined, `a name must be text${isMap(pair.key) ? quoting : ''}`);
    },
    Node: (_, node, ancestors) => {
      if (ancestors.length < deepest * 2) return undefined;
      problems.at(node.range ? position(node.range[0]) : undefined, 'nested too deeply');
      return visit.BREAK;
    },
  });
  problems.throwIfAny(source);
  if (asWritten) visit(document, { Scalar: (_, scalar) => keepDigits(scalar) });
  let value: unknown;
  try {
    value = document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    problems.at(undefined, error instanceof Error ? error.message : 'the aliases do not resolve');
    problems.throwIfAny(source);
  }
  return { value, locate: (path, part) => find(document.contents, path, part, position) };
}

/** A number goes on as it is written: 2.50 has two places, and not every one fits a double. */
function keepDigits(scalar: Scalar): void {
  const { source, value } = scalar;
  if (typeof value === 'number' && source !== undefined && isJsonNumber(source) && String(value) !== source)
    scalar.value = new ExactNumber(source);
}

const quoting = `; put {{…}} and \${…} in quotes`;

const hint = (message: string, line: string): string => {
  if (/(^|[^"'])(\$\{|\{\{)/.test(line)) return quoting;
  if (message.includes('reserved character')) return '; put text that begins like this in quotes';
  return message.includes('flow-map-start at node end') ? '; put text that contains { in quotes' : '';
};

/** Without those that only follow from an earlier one: the first of a line, and no stream of unexpected tokens. */
function tellingFaults(faults: readonly YAMLError[], position: (offset: number) => Position): YAMLError[] {
  const lines = new Set<number>();
  return [...faults]
    .sort((a, b) => a.pos[0] - b.pos[0])
    .filter(({ message, pos }, index) => {
      const { line } = position(pos[0]);
      if (lines.has(line) || (index > 0 && message.includes('token in YAML stream'))) return false;
      lines.add(line);
      return true;
    });
}

const plainer = (message: string, what: string): string => {
  if (message === 'Map keys must be unique') return 'this name is here twice';
  if (message.startsWith('Source contains multiple documents'))
    return `more than one document; ${what} is a single one`;
  return message.replace(/^([A-Z])(?=[a-z])/, (letter) => letter.toLowerCase());
};

/** The place of a path; of the nearest thing around it, where it is missing. */
function find(
  root: Node | null,
  path: Path,
  part: 'key' | 'value',
  position: (offset: number) => Position,
): Position | undefined {
  let here: unknown = root;
  let offset = root?.range?.[0];
  for (const [depth, step] of path.entries()) {
    // What an alias stands for may be anywhere: the alias is what the reader wrote here.
    if (isAlias(here)) break;
    let next: unknown;
    if (isMap(here)) {
      const pair = here.items.find(({ key }) => isScalar(key) && String(key.value) === String(step));
      if (pair === undefined) break;
      const key = isScalar(pair.key) ? pair.key.range?.[0] : undefined;
      next = pair.value;
      const value = (next as Node | null)?.range?.[0];
      const last = depth === path.length - 1;
      // A mapping begins at its first member, which is no help: its name is.
      offset = (last && part === 'value' && !isMap(next) && !isSeq(next) ? value : undefined) ?? key ?? offset;
    } else if (isSeq(here) && typeof step === 'number') {
      next = here.items[step];
      offset = (next as Node | undefined)?.range?.[0] ?? offset;
    } else break;
    here = next;
  }
  return offset === undefined ? undefined : position(offset);
}
