/** Which keys the run may make to ask who may run what: each with enough of what an actor needs, or or lacking one part. */
import {
  type Actor,
  type AdminSubject,
  type Case,
  type Chosen,
  type Key,
  mayRun,
  type Needs,
  type Subject,
  type Twin,
  type Wanted,
} from '../../src/vocabulary.ts';
import { everything } from './asking.ts';
import { environmentsOf } from './issued-keys.ts';
import { last, nearlyEnough, otherFeatures, richButLow, richEnough } from './odd-cells.ts';

/** What a key is to have, in words, and whether it may then run the actor. */
export interface Cell {
  readonly what: string;
  readonly wanted: Wanted;
  readonly may: boolean;
  /** The service may know no such feature, and then it may refuse to make the key. */
  readonly refusable?: true;
  /** The profile does not say what this tier grants: a run is worth a warning. */
  readonly doubtful?: true;
}

export interface OneCell extends Case {
  readonly actor: Actor;
  readonly entitled: Key;
  readonly cell: Cell;
}

export type NeedsOf = Actor & { readonly needs: Needs; readonly entitledKey: Key };

export const restrictedOf = ({ actors }: Subject): readonly NeedsOf[] => {
  const known = actors.restricted.filter(
    (actor): actor is NeedsOf => actor.needs !== undefined && actor.entitledKey !== undefined,
  );
  return [...new Map(known.toReversed().map((actor) => [actor.name, actor])).values()].toReversed();
};

/** Of each part of what an actor needs: enough of it and too little, as far as requests of this kind can ask for it. */
export function cellsOf(
  { tiers, features }: Needs,
  subject: Subject,
  admin: AdminSubject,
  chosen: readonly Chosen[],
): Cell[] {
  const choosesTier = chosen.includes('tier');
  const choosesFeatures = chosen.includes('features');
  const enough: Wanted = {
    ...(choosesTier && tiers !== undefined ? { tier: tiers.enough[0]! } : {}),
    ...(choosesFeatures ? { features } : {}),
  };
  const others = otherFeatures(subject, features);
  const tooLow = choosesTier ? (tiers?.tooLow ?? []) : [];
  const lacking = choosesFeatures && features.length > 0;
  const wanted: [string, Wanted][] = [
    [`a key of the tier ${enough.tier ?? 'of all'}`, enough],
    ...(choosesTier ? last(tiers?.enough.slice(1) ?? []) : []).map((tier): [string, Wanted] => [
      `a key of the tier ${tier}`,
      { ...enough, tier },
    ]),
    // The one just below, and the lowest.
    ...[...new Set([...last(tooLow), ...tooLow.slice(0, 1)])].map((tier): [string, Wanted] => [
      `a key of the tier ${tier}`,
      { ...enough, tier },
    ]),
    ...(lacking ? [['a key without features', { ...enough, features: [] }] as [string, Wanted]] : []),
    ...(lacking && others.length > 0
      ? [[`a key with ${others.join(', ')} alone`, { ...enough, features: others }] as [string, Wanted]]
      : []),
    ...(lacking && features.length > 1
      ? [[`a key without ${features[0]}`, { ...enough, features: features.slice(1) }] as [string, Wanted]]
      : []),
  ];
  if (choosesTier) wanted.push(...byGrant(features, tiers, admin, choosesFeatures, wanted));
  if (choosesTier && choosesFeatures) wanted.push(...byGrantAndOwn(features, tiers, admin, others));
  return wanted.flatMap(([what, each]) => {
    const tier = each.tier ?? admin.tier;
    const granted = tier === undefined ? [] : (admin.grants[tier] ?? []);
    const asked = each.features ?? (admin.featuresUnknown ? undefined : admin.features);
    const isGranted = features.every((feature) => granted.includes(feature));
    const may = mayRun(
      { features, ...(tiers === undefined ? {} : { tiers }) },
      {
        ...(tier === undefined ? {} : { tier }),
        ...(asked === undefined && !isGranted ? {} : { features: [...(asked ?? []), ...granted] }),
      },
    );
    return may === undefined ? [] : [{ what, wanted: each, may }];
  });
}

/** The first and the last tier that grants all features by itself, where no other cell has it without features of its own. */
function byGrant(
  features: Needs['features'],
  tiers: Needs['tiers'] | undefined,
  { grants, tier: usual, tiers: order, features: asked }: AdminSubject,
  choosesFeatures: boolean,
  others: readonly (readonly [string, Wanted])[],
): [string, Wanted][] {
  if (features.length === 0) return [];
  const granting = [...new Set([...order, ...Object.keys(grants)])].filter(
    (tier) =>
      (tiers?.enough.includes(tier) ?? true) && features.every((feature) => grants[tier]?.includes(feature) ?? false),
  );
  return [...new Set([...granting.slice(0, 1), ...last(granting)])].flatMap((tier): [string, Wanted][] =>
    others.some(([, each]) => (each.tier ?? usual) === tier && (each.features ?? asked).length === 0)
      ? []
      : [
          [
            `a key of the tier ${tier}, which grants ${features.join(', ')}`,
            { tier, ...(choosesFeatures ? { features: [] } : {}) },
          ],
        ],
  );
}

/** What a tier grants and what a key has of its own are both its features: a part of each, or others of its own. */
function byGrantAndOwn(
  features: Needs['features'],
  tiers: Needs['tiers'] | undefined,
  { grants, tiers: order }: AdminSubject,
  others: readonly string[],
): [string, Wanted][] {
  const known = [...new Set([...order, ...Object.keys(grants)])].filter((tier) => tiers?.enough.includes(tier) ?? true);
  const kinds = known.flatMap((tier): [string, string, readonly string[]][] => {
    const granted = features.filter((feature) => grants[tier]?.includes(feature));
    const own = granted.length === features.length ? others : features.filter((feature) => !granted.includes(feature));
    if (granted.length === 0 || own.length === 0) return [];
    return [[granted.length === features.length ? 'all' : 'a part', tier, own]];
  });
  return ['all', 'a part'].flatMap((kind) =>
    last(kinds.filter(([each]) => each === kind)).map(([, tier, own]): [string, Wanted] => [
      `a key of the tier ${tier}, which grants ${kind} of ${features.join(', ')}, and with ${own.join(', ')} of its own`,
      { tier, features: own },
    ]),
  );
}

const inEnvironments = (admin: AdminSubject): readonly (readonly [string, Wanted])[] => {
  const known = environmentsOf(admin);
  if (known.length === 0) return [['', {}]];
  return known.map((environment) => [environment === 'test' ? ', a test key' : '', { environment }]);
};

/** The statuses of a run, if it is about access. */
export const hasAccess = (may: boolean) => (may ? '2xx' : 403);

export const factless =
  'the profile states no facts about who may run what, so no new key can be made that lacks something';

export function casesOf(subject: Subject, may: boolean): readonly OneCell[] | string {
  const { admin } = subject;
  if (admin === undefined) return factless;
  const cases = restrictedOf(subject).flatMap((actor) =>
    [
      ...cellsOf(actor.needs, subject, admin, admin.chooses.create),
      ...nearlyEnough(actor.needs, admin),
      ...richButLow(actor.needs, subject, admin),
      ...richEnough(actor.needs, subject, admin),
    ]
      .filter((cell) => cell.may === may)
      .flatMap((cell) =>
        inEnvironments(admin).map(([suffix, environment]) => ({
          name: `${actor.name} with ${cell.what}${suffix}`,
          actor,
          entitled: actor.entitledKey,
          cell: { ...cell, wanted: { ...cell.wanted, ...environment } },
        })),
      ),
  );
  return cases.length === 0 ? factless : cases;
}

/** For rules that make their keys themselves. */
const entitledRun: Twin = { name: 'entitled-run', ask: ({ run, actor }) => run({ key: actor.entitledKey ?? null }) };

export const ofIssuedKeys = {
  needs: ['restricted', 'admin.create'],
  without: everything,
  twin: entitledRun,
} as const;
