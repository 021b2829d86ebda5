/** What this Touchstone knows when it makes or checks a certificate: the set of a version as it was frozen. */
import type { Knowledge } from '../certificate/predicate.ts';
import { type Level, levels } from '../model/clause.ts';
import { version } from '../version.ts';
import { catalogue, catalogueOf, frozenSet } from './catalogue.ts';

/** Undefined: that version is not kept. */
export function knowledgeOf(rules: string): Knowledge | undefined {
  const set = frozenSet(rules);
  if (set === undefined) return undefined;
  const { digest, since, specification } = set;
  return {
    touchstone: version,
    rules: catalogueOf(rules).rules,
    version: rules,
    specification,
    digest,
    since,
    clauses: Object.entries(set.clauses).map(([id, entry]) => ({
      id,
      level: levelIn(entry),
      ...(entry.endsWith(' untestable') ? { untestable: 'from outside' } : {}),
    })),
  };
}

const levelIn = (entry: string): Level => levels.find((level) => entry.startsWith(level)) ?? 'observed';

/** Of the rules of today. */
export const knowledge = (): Knowledge => knowledgeOf(catalogue.version)!;
