/** What changes of a key make of what it may run: more, less, or the same. */
import type { Actor, AdminSubject, Case, Chosen, Key, Subject } from '../../src/vocabulary.ts';
import { type Cell, cellsOf, factless, type NeedsOf, restrictedOf } from './access-cells.ts';

/** A key that has access and loses it, or the other way round. */
export interface Change extends Case {
  readonly actor: Actor;
  readonly entitled: Key;
  readonly from: Cell;
  readonly to: Cell;
  /** A service that caches what a key may do then has something to cache. */
  readonly runsBefore: boolean;
}

/** What a tier grants goes and comes with that tier, where the key has no feature of its own. */
function lostGrants(actor: NeedsOf, cells: readonly Cell[]): Change[] {
  const isBare = ({ wanted }: Cell): boolean => wanted.features?.length === 0;
  const granted = actor.needs.features.length === 0 ? undefined : cells.find((each) => each.may && isBare(each));
  const bare = cells.find((each) => !each.may && isBare(each));
  if (granted === undefined || bare === undefined) return [];
  const { name, entitledKey: entitled } = actor;
  const both = { actor, entitled, runsBefore: true };
  return [
    { ...both, from: granted, to: bare, name: `${name}: lowered from ${granted.what} to ${bare.what} after a run` },
    { ...both, from: bare, to: granted, name: `${name}: raised from ${bare.what} to ${granted.what} after a refusal` },
  ];
}

/** Of several features a tier grants some: a key with the others of its own lacks those with another tier. */
function lostParts(actor: NeedsOf, { grants, tiers: order }: AdminSubject, cells: readonly Cell[]): Change[] {
  const { tiers, features } = actor.needs;
  return cells.flatMap(({ may, what, wanted }): Change[] => {
    const { tier = '', features: own = [] } = wanted;
    const lent = features.filter((feature) => !own.includes(feature));
    const isPart = may && lent.length > 0 && features.some((feature) => own.includes(feature));
    const other = (tiers?.enough ?? order).find(
      (each) => each !== tier && !lent.some((feature) => grants[each]?.includes(feature)),
    );
    if (!isPart || other === undefined) return [];
    const to: Cell = {
      what: `a key of the tier ${other} with ${own.join(', ')} alone`,
      wanted: { tier: other, features: own },
      may: false,
    };
    const name = `${actor.name}: lowered from ${what} to ${to.what} after a run`;
    return [{ name, actor, entitled: actor.entitledKey, from: { what, wanted, may }, to, runsBefore: true }];
  });
}

/**
 * To a higher tier that is enough, with its features: what was asked for is given, and nothing else is lost. Where no tier is said to be
 * needed, that of new keys is the lowest that is known to do.
 */
function movedTiers(actor: NeedsOf, { tier, tiers: known }: AdminSubject, chosen: readonly Chosen[]): Change[] {
  const { tiers, features } = actor.needs;
  const first = tiers === undefined ? tier : tiers.enough[0];
  const other = (tiers?.enough ?? known).at(-1);
  const isAsked = chosen.includes('tier') && chosen.includes('features') && features.length > 0;
  if (!isAsked || first === undefined || other === undefined || first === other) return [];
  const cell = (tier: string): Cell => ({ what: `a key of the tier ${tier}`, wanted: { tier, features }, may: true });
  const name = `${actor.name}: moved from the tier ${first} to ${other} with its features after a run`;
  return [{ name, actor, entitled: actor.entitledKey, from: cell(first), to: cell(other), runsBefore: true }];
}

export function changesOf(subject: Subject): readonly Change[] | string {
  const { admin } = subject;
  const chosen = admin?.chooses.create.filter((each) => admin.chooses.change.includes(each)) ?? [];
  if (admin === undefined || chosen.length === 0)
    return 'the profile offers no way to choose the tier or the features when a key is changed (`{tier}` or `"{features}"` in `admin.change`)';
  const changes = restrictedOf(subject).flatMap((actor) => {
    const cells = cellsOf(actor.needs, subject, admin, chosen);
    const enough = cells.find(({ may }) => may);
    const entitled = actor.entitledKey;
    return [
      ...lostGrants(actor, cells),
      ...lostParts(actor, admin, cells),
      ...movedTiers(actor, admin, chosen),
      ...cells.flatMap((lacking): Change[] => {
        if (lacking.may || enough === undefined) return [];
        const [down, up] = [
          { actor, entitled, from: enough, to: lacking },
          { actor, entitled, from: lacking, to: enough },
        ];
        return [
          { ...down, name: `${actor.name}: lowered to ${lacking.what} after a run`, runsBefore: true },
          { ...down, name: `${actor.name}: lowered to ${lacking.what} before its first run`, runsBefore: false },
          { ...up, name: `${actor.name}: raised from ${lacking.what} after a refusal`, runsBefore: true },
        ];
      }),
    ];
  });
  return changes.length === 0 ? factless : changes;
}
