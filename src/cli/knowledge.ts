/** What this Touchstone knows when it makes or checks a certificate: the set of a version as it was frozen. */
import { clientClauses } from '../../suites/clauses/clients.ts';
import { clientSet } from '../../suites/sets/kept.ts';
import type { Knowledge } from '../certificate/predicate.ts';
import { type Level, levels } from '../model/clause.ts';
import { version } from '../version.ts';
import { catalogue, catalogueOf, clientCatalogue, frozenSet } from './catalogue.ts';

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

/** Of the rules of clients, which are of one version so far. */
export function clientKnowledge(): Knowledge {
  const { rules, situations, version: set, specification } = clientCatalogue;
  return {
    touchstone: version,
    rules: [],
    clients: { rules, situations },
    version: set,
    specification,
    digest: clientSet.digest,
    since: clientSet.since,
    clauses: Object.values(clientClauses),
  };
}
