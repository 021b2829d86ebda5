/** A value from a TypeScript or YAML profile as plain JSON: copied, so that nothing changes it later. */
import type { Json } from '../model/json.ts';
import { numberAsWritten, numberOf, rawNumberIn } from '../model/json-text.ts';
import type { Path, Problems } from './problems.ts';

const deepest = 64;

/** What becomes the body of a request. */
const isSent = ([section, ...rest]: Path): boolean =>
  (section === 'actors' && memberOfActor(rest) === 'input') || (section === 'admin' && rest[1] === 'body');

const isSchema = ([section, ...rest]: Path): boolean => section === 'actors' && memberOfActor(rest) === 'schema';

/** An actor is a mapping below its role, or one of a list there. */
const memberOfActor = ([, first, second]: Path): unknown => (typeof first === 'number' ? second : first);

/** Undefined members are omitted, like members that a TypeScript profile spells conditionally. */
export function plain(value: unknown, problems: Problems): Json | undefined {
  const above = new Set<object>();
  const walk = (here: unknown, path: Path): Json | undefined => {
    if (here === null || typeof here === 'string' || typeof here === 'boolean') return here;
    if (typeof here === 'number') {
      if (!Number.isFinite(here)) problems.settle(path, 'expected a finite number');
      return here;
    }
    if (here === undefined) return undefined;
    const digits = typeof here === 'bigint' ? String(here) : rawNumberIn(here);
    // What is sent is sent as it is written; what is a setting is a number.
    if (digits !== undefined)
      return isSent(path) ? numberAsWritten(digits) : isSchema(path) ? numberOf(digits) : Number(digits);
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
