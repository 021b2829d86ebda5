/** Keys that have nearly what an actor needs, or everything but that. */
import type { AdminSubject, Needs, Subject, Wanted } from '../../src/vocabulary.ts';
import type { Cell } from './access-cells.ts';

export const last = <T>(list: readonly T[]): readonly T[] => list.slice(-1);

/** Features that the profile knows of, and the actor does not ask for. */
export const otherFeatures = ({ actors, keys }: Subject, needed: readonly string[]): readonly string[] => [
  ...new Set(
    [
      ...actors.restricted.flatMap(({ needs }) => needs?.features ?? []),
      ...keys.flatMap((key) => key.features ?? []),
    ].filter((feature) => !needed.includes(feature)),
  ),
];

const nearly = (feature: string): string => `${feature}s`;

/** Features with names that are nearly the right ones, and the highest tier without the features. */
export function nearlyEnough({ tiers, features }: Needs, admin: AdminSubject): Cell[] {
  const { create } = admin.chooses;
  if (features.length === 0 || !create.includes('features')) return [];
  const tier = create.includes('tier') ? tiers?.enough[0] : undefined;
  const near = features.flatMap((feature) => [nearly(feature), `non${feature}`]);
  const [highest] = last(admin.tiers);
  const at = tier ?? admin.tier;
  return [
    {
      what: `a key with ${near.join(' and ')}`,
      wanted: { ...(tier === undefined ? {} : { tier }), features: near },
      may: at !== undefined && features.every((feature) => (admin.grants[at] ?? []).includes(feature)),
      refusable: true,
    } satisfies Cell,
    ...(create.includes('tier') && highest !== undefined && highest !== at
      ? [
          {
            what: `a key of the tier ${highest} without features`,
            wanted: { tier: highest, features: [] },
            may: features.every((feature) => (admin.grants[highest] ?? []).includes(feature)),
            ...(admin.grants[highest] === undefined ? { doubtful: true as const } : {}),
          } satisfies Cell,
        ]
      : []),
  ];
}

/** Of a tier that is too low, and with every feature that there is: one is no substitute for the other. */
export function richButLow(
  { tiers, features }: Needs,
  subject: Subject,
  { chooses: { create } }: AdminSubject,
): Cell[] {
  const [tier] = last(tiers?.tooLow ?? []);
  const others = otherFeatures(subject, features);
  if (tier === undefined || others.length === 0 || !create.includes('tier') || !create.includes('features')) return [];
  const all = [...features, ...others];
  const what = `a key of the tier ${tier} with ${all.join(', ')}`;
  return [{ what, wanted: { tier, features: all }, may: false, refusable: true }];
}

/**
 * Enough of the tier, and a feature of another actor before it, or one that nobody asks for: neither is it a reason to refuse, nor is the
 * first one all that counts.
 */
export function richEnough(
  { tiers, features }: Needs,
  subject: Subject,
  { chooses: { create } }: AdminSubject,
): Cell[] {
  const tier = tiers?.enough[0];
  const [other] = [...otherFeatures(subject, features), ...features.slice(0, 1).map(nearly)];
  const isAsked =
    create.includes('features') && (tiers === undefined || (tier !== undefined && create.includes('tier')));
  if (other === undefined || !isAsked) return [];
  const what = `a key${tier === undefined ? '' : ` of the tier ${tier}`} with ${[other, ...features].join(', ')}`;
  const wanted = { ...(tier === undefined ? {} : { tier }), features: [other, ...features] };
  return [{ what, wanted, may: true, refusable: true }];
}

/** A test key with every feature, what is needed last: a list may come back shorter than it was stored. */
export function richTestKey({ tiers, features }: Needs, subject: Subject): Wanted | undefined {
  const { admin } = subject;
  const create = admin?.chooses.create ?? [];
  const others = otherFeatures(subject, features);
  const isUsual = tiers === undefined || tiers.enough.includes(admin?.tier ?? '');
  if (!create.includes('environment') || !create.includes('features') || !isUsual) return undefined;
  return features.length === 0 || others.length === 0
    ? undefined
    : { environment: 'test', features: [...others, ...features] };
}
