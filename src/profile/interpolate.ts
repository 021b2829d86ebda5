/** `${env:NAME}`, `${env:NAME:-default}` and `${file:PATH}` in strings, after parsing: what comes in can add no structure. */
import { isObject, type Json } from '../model/json.ts';
import { nearest } from './nearest.ts';
import { type Path, type Problems, pathKey } from './problems.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

export interface Outside {
  readonly env: Environment;
  /** By the path as the profile writes it; throws when it cannot be read. */
  readonly readFile: (path: string) => string;
}

export interface Interpolated {
  readonly value: Json;
  /** What stood there, for every string that something was put into. */
  readonly raw: ReadonlyMap<string, string>;
}

const reference = /\$(\$?)\{(env|file):([^}]*)\}/g;

/** Fields that are no text: a value that comes from outside as a whole becomes what it says. */
export const typedFields = new Set([
  'strict',
  'complete',
  'concurrency',
  'sources.port',
  'target.port',
  'target.cpus',
  'tls.insecure',
]);

export function interpolate(value: Json, outside: Outside, problems: Problems): Interpolated {
  const raw = new Map<string, string>();
  const walk = (here: Json, path: Path): Json => {
    if (typeof here === 'string') return put(here, path);
    if (Array.isArray(here)) return here.map((each: Json, index) => walk(each, [...path, index]));
    if (!isObject(here)) return here;
    return Object.fromEntries(Object.entries(here).map(([name, each]) => [name, walk(each, [...path, name])]));
  };
  const put = (text: string, path: Path): Json => {
    let taken = false;
    const result = text.replaceAll(reference, (whole, escaped: string, from: string, what: string) => {
      if (escaped !== '') return whole.slice(1);
      taken = true;
      const got = from === 'env' ? fromEnvironment(what, outside.env) : fromFile(what, outside.readFile);
      if ('value' in got) return got.value;
      problems.settle(path, got.wrong);
      return whole;
    });
    if (taken) raw.set(pathKey(path), text);
    return taken && typedFields.has(path.join('.')) && /^\$\{[^}]*\}$/.test(text) ? typedValue(result) : result;
  };
  return { value: walk(value, []), raw };
}

type Got = { readonly value: string } | { readonly wrong: string };

function fromEnvironment(what: string, env: Environment): Got {
  const [, name = '', fallback] = /^(.*?)(?::-(.*))?$/s.exec(what) ?? [];
  if (!/^[A-Za-z_]\w*$/.test(name)) return { wrong: `\${env:${what}} does not name a variable` };
  const value = Object.hasOwn(env, name) ? env[name] : undefined;
  if (fallback !== undefined) return { value: value === undefined || value === '' ? fallback : value };
  if (value !== undefined) return { value };
  const near = nearest(name, Object.keys(env));
  const meant = near === undefined ? '' : `; did you mean \`${near}\`?`;
  return { wrong: `the environment variable ${name} is not set${meant || `: set it before the run`}` };
}

function fromFile(path: string, readFile: (path: string) => string): Got {
  if (path.trim() === '') return { wrong: `\${file:…} names no file` };
  try {
    return { value: readFile(path).replace(/\r?\n$/, '') };
  } catch (error) {
    return { wrong: `the file ${path} cannot be read: ${whyNot(error)}` };
  }
}

/** In words; a system's error repeats the path, which has been named already. */
export function whyNot(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const words: Readonly<Record<string, string>> = {
    ENOENT: 'there is no such file',
    EACCES: 'permission denied',
    EISDIR: 'it is a folder',
  };
  return words[code] ?? (error instanceof Error ? error.message : String(error));
}

const typedValue = (text: string): Json => {
  if (text === 'true' || text === 'false') return text === 'true';
  return /^-?\d+$/.test(text) ? Number(text) : text;
};
