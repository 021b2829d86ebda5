/** What this Touchstone knows when it makes or checks a certificate: the set of a version as it was frozen. */
import { createHash } from 'node:crypto';
import { clientClauses } from '../../suites/clauses/clients.ts';
import type { Knowledge } from '../certificate/predicate.ts';
import { type Level, levels } from '../model/clause.ts';
import { canonical } from '../profile/digest.ts';
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

/** The day from which clients are certified by these rules. */
const clientsSince = '2026-11-24';

/** Of the rules of clients, which are of one version so far. */
export function clientKnowledge(): Knowledge {
  const { rules, situations, version: set, specification } = clientCatalogue;
  const said = {
    rules: rules.map(({ id, clause, situations: own = [] }) => [id, clause.level, clause.id, ...own]),
    situations: situations.map(({ name, depth, items, after = '' }) => [name, depth, items, after]),
  };
  return {
    touchstone: version,
    rules: [],
    clients: { rules, situations },
    version: set,
    specification,
    digest: createHash('sha256').update(canonical(said)).digest('hex'),
    since: clientsSince,
    clauses: Object.values(clientClauses),
  };
}
