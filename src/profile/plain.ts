/** A value from a TypeScript or YAML profile as plain JSON: copied, so that nothing changes it later. */
import type { Json } from '../model/json.ts';
import type { Path, Problems } from './problems.ts';

const deepest = 64;

/** Undefined members are left out, like members that a TypeScript profile spells conditionally. */
export function plain(value: unknown, problems: Problems): Json | undefined {
  const above = new Set<object>();
  const walk = (here: unknown, path: Path): Json | undefined => {
    if (here === null || typeof here === 'string' || typeof here === 'boolean') return here;
    if (typeof here === 'number') {
      if (!Number.isFinite(here)) problems.settle(path, 'expected a finite number');
      return here;
    }
    if (here === undefined) return undefined;
    const kind = typeof here === 'object' ? Object.prototype.toString.call(here) : typeof here;
    if (typeof here !== 'object' || (kind !== '[object Object]' && !Array.isArray(here))) {
      problems.settle(path, `expected a JSON value, got a ${kind.replace(/^\[object (\w+)\]$/, '$1')}`);
      return null;
    }
    if (above.has(here) || path.length > deepest) {
      problems.settle(path, above.has(here) ? 'contains itself' : 'nested too deeply');
      return null;
    }
    above.add(here);
    const copy: Json = Array.isArray(here)
      ? here.map((each, index) => walk(each, [...path, index]) ?? null)
      : Object.fromEntries(
          Object.entries(here).flatMap(([name, each]) => {
            const member = walk(each, [...path, name]);
            return member === undefined ? [] : [[name, member]];
          }),
        );
    above.delete(here);
    return copy;
  };
  return walk(value, []);
}
