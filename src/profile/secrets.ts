/** Which lines of a profile hold secrets, and whether they may stand there in plain text. */
import { isObject, type Json } from '../model/json.ts';
import { type Path, type Problems, pathKey, showPath } from './problems.ts';

export interface SecretLine {
  readonly path: Path;
  /** The name under which the value goes through the run. */
  readonly name: string;
  readonly value: string;
  readonly allowed: boolean;
}

/** Every secret of a profile that may still have other faults. */
export function secretLines(profile: Json): readonly SecretLine[] {
  const lines: SecretLine[] = [];
  const add = (path: Path, name: string, value: Json | undefined, test: Json | undefined): void => {
    if (typeof value === 'string') lines.push({ path, name, value, allowed: test === true });
  };
  if (!isObject(profile)) return lines;
  for (const [name, key] of Object.entries(isObject(profile.keys) ? profile.keys : {})) {
    if (isObject(key)) add(['keys', name, 'value'], name, key.value, key.test);
    else add(['keys', name], name, key, undefined);
  }
  if (isObject(profile.admin)) add(['admin', 'token'], 'admin-token', profile.admin.token, profile.admin.test);
  if (isObject(profile.disabled)) add(['disabled', 'key'], 'disabled-key', profile.disabled.key, profile.disabled.test);
  return lines;
}

export const isSecretPath = (path: Path): boolean =>
  (path[0] === 'keys' && (path.length === 2 || path[2] === 'value')) ||
  (path[0] === 'admin' && path[1] === 'token') ||
  (path[0] === 'disabled' && path[1] === 'key') ||
  path[0] === 'headers' ||
  (path[0] === 'target' && path.includes('env'));

/** A secret in plain text ends up in a repository; so does the default of a reference. */
export function checkSecrets(profile: Json, raw: ReadonlyMap<string, string>, problems: Problems): void {
  const lines = secretLines(profile);
  const isShell = ({ value }: SecretLine): boolean => /^\$\{?([A-Za-z_]\w*)\}?$/.test(value);
  const literal = lines.filter((each) => !each.allowed && raw.get(pathKey(each.path)) === undefined && !isShell(each));
  sayOfLiterals(literal, problems);
  for (const { path, value, allowed } of lines) {
    const written = raw.get(pathKey(path));
    const from = /^\$\{?([A-Za-z_]\w*)\}?$/.exec(value)?.[1];
    if (written === undefined && from !== undefined)
      problems.settle(path, `write "\${env:${from}}" for the environment variable ${from}`);
    else if (!allowed && written === undefined) continue;
    else if (!allowed && /\$\{env:[^}]*?:-[^}]+\}/.test(written ?? ''))
      problems.settle(path, 'the default of a secret is here in plain text: remove it, or put `test: true` next to it');
    else if (value === '') problems.settle(path, 'is empty');
    else if (value.trim() !== value) problems.settle(path, 'has white space at its beginning or end');
    else if (!/^[\x21-\x7e]+$/.test(value)) problems.settle(path, 'contains characters that a header cannot carry');
  }
}

/** One mistake is usually made for all keys: it is said once. */
function sayOfLiterals([first, ...others]: readonly SecretLine[], problems: Problems): void {
  if (first === undefined) return;
  const too = others.length === 0 ? '' : `; the same holds for ${others.map(({ path }) => showPath(path)).join(', ')}`;
  problems.settle(
    first.path,
    `a secret must not be here in plain text: write "\${env:NAME}" or "\${file:PATH}"; if it protects nothing, put \`test: true\` next to it${too}`,
  );
  for (const { path } of others) problems.settleSilently(path);
}
