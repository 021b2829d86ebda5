/** Learns from the traffic of some runs and of ordinary callers, and classifies fresh ones: how well, and by which features. */
import { seeded } from '../../src/random.ts';
import { inThreads } from '../threads.ts';
import { areaUnder, type Sample, trained } from './classifier.ts';
import { featuresOf, type Seen, wordsOf } from './features.ts';
import type { Kinds, Traffic } from './traffic.ts';

export interface ToldApart {
  readonly requests: number;
  readonly area: number;
  readonly signs: readonly string[];
}

/** Runs to learn from, and fresh ones. */
export interface Runs {
  readonly learnt: number;
  readonly fresh: number;
}

/** Which of ours, and whether what they say counts too. */
export interface By {
  readonly kind?: 'ours' | 'undressed';
  readonly words?: boolean;
}

export const trafficFor = ({ learnt, fresh }: Runs): Promise<Traffic[]> =>
  inThreads<number, Traffic>(
    new URL('./traffic.ts', import.meta.url),
    Array.from({ length: learnt + fresh }, (_, at) => at + 1),
  );

const samplesOf = (part: readonly Kinds[], { kind = 'ours', words = false }: By): Sample[] => {
  const of = (seen: readonly Seen[], isOurs: boolean): Sample[] =>
    seen.map((each) => ({ features: words ? [...featuresOf(each), ...wordsOf(each)] : featuresOf(each), isOurs }));
  return part.flatMap((each) => [...of(each[kind], true), ...of(each.others, false)]);
};

export function toldApart(traffic: readonly Traffic[], { learnt }: Runs, set: keyof Traffic, by: By = {}): ToldApart {
  const kinds = traffic.map((each) => each[set]);
  const classifier = trained(samplesOf(kinds.slice(0, learnt), by), seeded(1));
  const fresh = samplesOf(kinds.slice(learnt), by);
  const percent = (share: number): string => `${(share * 100).toFixed(1)} %`;
  return {
    requests: kinds.reduce((sum, each) => sum + each.ours.length, 0),
    area: areaUnder(fresh, classifier),
    signs: classifier
      .signs(fresh, 12)
      .map(
        ({ feature, weight, ours, others }) =>
          `${weight.toFixed(2)} ${feature.slice(0, 110)}: ${percent(ours)} of a check's, ${percent(others)} of others'`,
      ),
  };
}
