/** Who may run what, from facts of the profile alone: what a key has, and what an actor needs. Pure. */

/** What a key has. A member that is omitted is not known. */
export interface Holding {
  readonly tier?: string;
  readonly features?: readonly string[];
}

/** What a key must have to run an actor. */
export interface Needs {
  /** Tiers that are known to be enough, and tiers that are known to be too low, each from the lowest to the highest. */
  readonly tiers?: { readonly enough: readonly string[]; readonly tooLow: readonly string[] };
  readonly features: readonly string[];
}

/** What each tier grants by itself. */
export type Grants = Readonly<Record<string, readonly string[]>>;

/** With what its tier grants, where its features are known at all. */
export function holdingOf({ tier, features }: Holding, grants: Grants): Holding {
  const granted = tier === undefined ? [] : (grants[tier] ?? []);
  return {
    ...(tier === undefined ? {} : { tier }),
    ...(features === undefined ? {} : { features: [...new Set([...features, ...granted])] }),
  };
}

/** Undefined if the facts do not decide it. */
export function mayRun({ tiers, features }: Needs, { tier, features: held }: Holding): boolean | undefined {
  const byTier = tiers === undefined ? true : tier === undefined ? undefined : tierReaches(tiers, tier);
  const byFeature = features.length === 0 ? true : held && features.every((feature) => held.includes(feature));
  if (byTier === false || byFeature === false) return false;
  return byTier === true && byFeature === true ? true : undefined;
}

function tierReaches({ enough, tooLow }: NonNullable<Needs['tiers']>, tier: string): boolean | undefined {
  if (enough.includes(tier)) return true;
  return tooLow.includes(tier) ? false : undefined;
}

/** A tier or a higher one: the order says which those are. Without an order only the tier itself is known to be enough. */
export function tiersFrom(needed: string, order: readonly string[]): NonNullable<Needs['tiers']> {
  const rank = order.indexOf(needed);
  return rank === -1 ? { enough: [needed], tooLow: [] } : { enough: order.slice(rank), tooLow: order.slice(0, rank) };
}
