/** What the requests of the admin interface must hold, so that a run removes what it made and nothing else. */
import { isObject, type Json } from '../model/json.ts';
import { members } from './checks.ts';
import type { Path, Problems } from './problems.ts';

export function checkAdmin(profile: Json, problems: Problems): void {
  const { admin } = members(profile);
  if (!isObject(admin)) return;
  const operations = ['create', 'list', 'read', 'revoke', 'change'].filter((name) => isObject(admin[name]));
  if (operations.length > 0 && admin.token === undefined)
    problems.add(['admin', 'token'], '`token` is missing: no operation works without it', 'key');
  for (const name of operations) {
    const operation = members(admin[name]);
    const path: Path = ['admin', name];
    const held = placeholders(operation, path, problems);
    if (name === 'create' || name === 'list') {
      if (held.has('id')) problems.add(path, `\`${name}\` names no record: {id} has no meaning here`, 'key');
    } else if (!held.has('id') && operation.path !== undefined) {
      problems.add(path, `\`${name}\` must name the record: put {id} into its path, query or body`, 'key');
    } else if (isObject(admin.create) && admin.create.id === undefined) {
      problems.add(path, `\`${name}\` needs the identifier of a record: point to it with \`admin.create.id\``, 'key');
    }
  }
}

const known = ['id', 'tier', 'environment', 'features'];

/** Names in braces. In bodies braces may be data, so only paths and queries must not have others. */
function placeholders(operation: { readonly [key: string]: Json }, path: Path, problems: Problems): Set<string> {
  const held = new Set<string>();
  const walk = (value: Json | undefined, at: Path, strictly: boolean): void => {
    if (typeof value === 'string') {
      for (const [whole, name = ''] of value.matchAll(/\{([^{}]*)\}/g)) {
        if (known.includes(name)) held.add(name);
        else if (strictly) problems.add(at, `${whole} is not a placeholder; known: {${known.join('}, {')}}`);
      }
    } else if (typeof value === 'object' && value !== null) {
      for (const [name, each] of Object.entries(value)) walk(each, [...at, name], strictly);
    }
  };
  walk(operation.path, [...path, 'path'], true);
  walk(operation.query, [...path, 'query'], true);
  walk(operation.body, [...path, 'body'], false);
  return held;
}
