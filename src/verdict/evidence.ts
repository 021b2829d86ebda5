/** Pure: evidence as it is written down, and back. Exchanges are written once, and named by their numbers elsewhere. */

import type { Evidence } from '../model/evidence.ts';
import { type Exchange, isExchange } from '../model/exchange.ts';
import type { Data } from '../model/json.ts';

const mark = '$exchange';

/** A member that happens to be called like the mark (an answer may hold anything) gets one more `$`, and loses it again. */
const escaped = (name: string): string => (/^\$+exchange$/.test(name) ? `$${name}` : name);
const unescaped = (name: string): string => (/^\$\$+exchange$/.test(name) ? name.slice(1) : name);

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

/** Evidence, and what is known of a question; tests try what else a value may be. */
type Packable = Evidence | Data | { readonly [name: string]: Packable } | readonly Packable[];

/**
 * What a file cannot hold (undefined in a list, numbers that are not finite) becomes what reading it back would give, so that
 * a live judge and a later one see the same.
 */
export function packEvidence(evidence: Packable): Data {
  if (evidence === undefined || evidence === null) return null;
  if (typeof evidence === 'number') return Number.isFinite(evidence) ? evidence + 0 : null;
  if (typeof evidence !== 'object') return evidence;
  if (isExchange(evidence)) return { [mark]: evidence.id };
  if (isList(evidence)) return evidence.map((each) => packEvidence(each as Packable));
  return Object.fromEntries(
    Object.entries(evidence)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [escaped(name), packEvidence(value as Packable)]),
  );
}

/** From a file, anything may come: what a rule's judge makes of it is the judge's matter. */
type Unpacked = Evidence | Data;

/** Throws where an exchange is named that is not there. */
export function unpackEvidence(data: Data, exchanges: ReadonlyMap<number, Exchange>): Unpacked {
  if (typeof data !== 'object' || data === null) return data;
  if (isList(data)) return data.map((each) => unpackEvidence(each as Data, exchanges)) as Unpacked;
  const id = exchangeNamed(data);
  if (id !== undefined) {
    const exchange = exchanges.get(id);
    if (exchange === undefined) throw new Error(`the evidence names exchange ${id}, which is not in the run`);
    return exchange;
  }
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => [unescaped(name), unpackEvidence(value as Data, exchanges)]),
  ) as Unpacked;
}

const exchangeNamed = (data: Data): number | undefined => {
  if (typeof data !== 'object' || data === null || isList(data)) return undefined;
  const names = Object.keys(data);
  const id = (data as { readonly [name: string]: Data })[mark];
  return names.length === 1 && names[0] === mark && typeof id === 'number' ? id : undefined;
};

/** Every exchange that packed evidence names. */
export function exchangesNamed(data: Data): number[] {
  if (typeof data !== 'object' || data === null) return [];
  const id = exchangeNamed(data);
  if (id !== undefined) return [id];
  return Object.values(data).flatMap((each) => exchangesNamed(each as Data));
}
