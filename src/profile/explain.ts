/** Zod's issues in plain words: what was expected, what was found, and the nearest known name. */
import type * as z from 'zod';
import type { Json } from '../model/json.ts';
import { suggest } from './nearest.ts';
import { type Path, type Problems, pathKey } from './problems.ts';
import { isSecretPath } from './secrets.ts';

type Issue = z.core.$ZodIssue;

export interface Given {
  readonly value: Json;
  /** What stood where something was put in from outside: shown instead of it. */
  readonly raw: ReadonlyMap<string, string>;
}

export function explain(issues: readonly Issue[], given: Given, problems: Problems, above: Path = []): void {
  for (const issue of issues) {
    const path: Path = [...above, ...issue.path.map((step) => (typeof step === 'number' ? step : String(step)))];
    const came = valueAt(given.value, path);
    if (issue.code === 'unrecognized_keys') {
      const known = issue.message.split(' ');
      for (const name of issue.keys) problems.add([...path, name], `unknown field; ${suggest(name, known)}`, 'key');
    } else if (issue.code === 'invalid_key') {
      problems.add(path, 'a name here is letters, digits, `_`, `.` and `-`, at most 64, and not one of ours', 'key');
    } else if (issue.code === 'invalid_union' && came !== undefined) {
      explainUnion(issue, given, problems, path);
    } else if (came === undefined) {
      const name = path.at(-1);
      problems.add(path, `\`${name}\` is missing: expected ${expected(issue)}`, 'key');
    } else {
      const near =
        issue.code === 'invalid_value' && typeof came === 'string'
          ? `; ${suggest(came, issue.values.map(String))}`
          : '';
      problems.add(path, `expected ${expected(issue)}, got ${describe(came, path, given)}${near}`);
    }
  }
}

/** The one branch of a union that fits the type of the value, if there is exactly one. */
function explainUnion(issue: z.core.$ZodIssueInvalidUnion, given: Given, problems: Problems, path: Path): void {
  const fitting = issue.errors.filter((branch) => !branch.some((each) => each.path.length === 0 && isKind(each)));
  if (fitting.length === 1 && fitting[0] !== undefined) explain(fitting[0], given, problems, path);
  else problems.add(path, `expected ${issue.message}, got ${describe(valueAt(given.value, path), path, given)}`);
}

const isKind = (issue: Issue): boolean => issue.code === 'invalid_type' || issue.code === 'invalid_union';

const expected = (issue: Issue): string =>
  issue.code === 'invalid_value' ? issue.values.map((each) => `\`${String(each)}\``).join(' or ') : issue.message;

/** The value in a few characters. What is secret, or came from outside, is never shown. */
function describe(value: Json | undefined, path: Path, given: Given): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a mapping';
  if (isSecretPath(path)) return `${typeof value === 'string' ? 'text' : `a ${typeof value}`} (not shown)`;
  const shown = given.raw.get(pathKey(path)) ?? value;
  const text = typeof shown === 'string' ? JSON.stringify(shown) : String(shown);
  return text.length > 60 ? `${text.slice(0, 57)}…` : text;
}

export function valueAt(value: Json, path: Path): Json | undefined {
  let here: unknown = value;
  for (const step of path) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return undefined;
    here = (here as Record<string | number, unknown>)[step];
  }
  return here as Json | undefined;
}
