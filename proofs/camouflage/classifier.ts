/** A logistic regression over named features, how well its scores separate two kinds, and by which features. Pure. */
import { type Random, shuffled } from '../../src/random.ts';

export interface Sample {
  readonly features: readonly string[];
  readonly isOurs: boolean;
}

export interface Classifier {
  score(features: readonly string[]): number;
  /** The most telling features over all samples: their weight, and how much more often one kind has them. */
  signs(samples: readonly Sample[], count: number): readonly Sign[];
}

interface Sign {
  readonly feature: string;
  readonly weight: number;
  readonly ours: number;
  readonly others: number;
}

/** A feature of fewer samples would be memorised, and says nothing about fresh ones. */
const leastSeen = 5;

export function trained(samples: readonly Sample[], random: Random, rounds = 6): Classifier {
  const places = placesOf(samples);
  const weights = new Float64Array(places.size);
  let bias = 0;
  const known = (features: readonly string[]): number[] => features.flatMap((name) => places.get(name) ?? []);
  const scored = (at: readonly number[]): number => {
    let sum = bias;
    for (const each of at) sum += weights[each]!;
    return 1 / (1 + Math.exp(-sum));
  };
  const learnt = samples.map(({ features, isOurs }) => ({ at: known(features), goal: isOurs ? 1 : 0 }));
  for (let round = 0; round < rounds; round += 1) {
    const rate = 0.2 / (1 + round);
    for (const { at, goal } of shuffled(learnt, random)) {
      const error = goal - scored(at);
      bias += rate * error;
      for (const each of at) weights[each]! += rate * (error - 1e-4 * weights[each]!);
    }
  }
  return {
    score: (features) => scored(known(features)),
    signs: (of, count) =>
      [...places]
        .map(([feature, at]): Sign => ({ feature, weight: weights[at]!, ...sharesOf(feature, of) }))
        .filter(({ ours, others }) => Math.max(ours, others) > 0.002)
        .sort((one, other) => tells(other) - tells(one))
        .slice(0, count),
  };
}

const tells = ({ weight, ours, others }: Sign): number => Math.abs(weight * (ours - others));

function placesOf(samples: readonly Sample[]): Map<string, number> {
  const seen = new Map<string, number>();
  for (const { features } of samples) for (const name of features) seen.set(name, (seen.get(name) ?? 0) + 1);
  const names = [...seen].filter(([, times]) => times >= leastSeen).map(([name]) => name);
  return new Map(names.map((name, at) => [name, at]));
}

function sharesOf(feature: string, samples: readonly Sample[]): Pick<Sign, 'ours' | 'others'> {
  const share = (isOurs: boolean): number => {
    const kind = samples.filter((each) => each.isOurs === isOurs);
    return kind.filter(({ features }) => features.includes(feature)).length / Math.max(1, kind.length);
  };
  return { ours: share(true), others: share(false) };
}

/** The chance that one of ours scores higher than one of the others; ties count half. */
export function areaUnder(samples: readonly Sample[], { score }: Classifier): number {
  const scored = samples.map(({ features, isOurs }) => ({ value: score(features), isOurs }));
  scored.sort((one, other) => one.value - other.value);
  const ours = scored.filter(({ isOurs }) => isOurs).length;
  let ranks = 0;
  for (let from = 0; from < scored.length; ) {
    let to = from;
    while (to < scored.length && scored[to]!.value === scored[from]!.value) to += 1;
    const rank = (from + 1 + to) / 2;
    for (let at = from; at < to; at += 1) if (scored[at]!.isOurs) ranks += rank;
    from = to;
  }
  return (ranks - (ours * (ours + 1)) / 2) / (ours * (scored.length - ours));
}
