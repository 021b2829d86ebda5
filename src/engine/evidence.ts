/** Evidence as it is written down: an exchange inside it becomes a reference to its record. */
import { type Exchange, isExchange } from '../model/exchange.ts';
import type { Data } from '../model/json.ts';
import type { Evidence } from '../model/rule.ts';

const reference = '$exchange';

export function packEvidence(evidence: Evidence): Data {
  if (isExchange(evidence)) return { [reference]: evidence.id };
  if (Array.isArray(evidence)) return evidence.map(packEvidence);
  if (typeof evidence !== 'object' || evidence === null) return evidence as Data;
  return Object.fromEntries(Object.entries(evidence).map(([name, value]) => [name, packEvidence(value)]));
}

export function unpackEvidence(data: Data, exchanges: ReadonlyMap<number, Exchange>): Evidence {
  if (Array.isArray(data)) return data.map((each) => unpackEvidence(each, exchanges));
  if (typeof data !== 'object' || data === null) return data as Evidence;
  const id = (data as { readonly [name: string]: Data })[reference];
  if (typeof id === 'number') {
    const exchange = exchanges.get(id);
    if (exchange === undefined) throw new Error(`the evidence names exchange ${id}, which is not there`);
    return exchange;
  }
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, unpackEvidence(value, exchanges)]));
}
