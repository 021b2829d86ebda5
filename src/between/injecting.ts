/** Pure: which of the recorded calls meet an injected situation, and which one. */
import { inAnHour } from '../clock.ts';
import type { Answer, Situation } from '../model/client.ts';
import { type Random, word } from '../random.ts';

export interface Injection {
  readonly situation: Situation;
  /** Of all runs, from above 0 to 1. */
  readonly rate: number;
}

/** One call that meets one. */
export interface Injected {
  readonly name: string;
  readonly answer: Answer;
  /** The service gets the call all the same, and what it answers is passed on late, or not at all. */
  readonly passes: boolean;
}

const usualRate = 0.1;

/** What happens to one call by itself: no redirect to a host that there is not, no plain answer, nothing about what is sent. */
export const canBeInjected = ({ name, base, actor, input }: Situation): boolean =>
  base === undefined &&
  actor === undefined &&
  input === undefined &&
  !/^(?:complete|silent$|redirected-|limited-newest$)/.test(name);

/** `429` for the situation that stands for it. */
const byStatus = (word: string): string =>
  !/^\d{3}$/.test(word)
    ? word.toLowerCase()
    : word === '429'
      ? 'limited-once'
      : `${word.startsWith('5') ? 'failing-once' : 'refused'}-${word}`;

/** A sentence if it is not a valid situation. */
export function injectionOf(text: string, situations: readonly Situation[]): Injection | string {
  const [, name = '', , number, percent] = /^([^=]+)(=(\d+(?:\.\d+)?)(%?))?$/.exec(text.trim()) ?? [];
  const wanted = byStatus(name.trim());
  const known = situations.filter(canBeInjected);
  const situation = known.find((each) => each.name === wanted);
  if (situation === undefined)
    return `there is no situation ${JSON.stringify(text.slice(0, 60))} to inject; there are ${known.map((each) => each.name).join(', ')}`;
  const rate = number === undefined ? usualRate : Number(number) / (percent === '%' ? 100 : 1);
  return rate > 0 && rate <= 1
    ? { situation, rate }
    : `the rate of ${situation.name} is more than 0 and at most 1 (or 100%)`;
}

export const sumOf = (injections: readonly Injection[]): number => injections.reduce((sum, { rate }) => sum + rate, 0);

/** One draw a run, so that the same seed and the same order give the same. */
export function injector(injections: readonly Injection[], random: Random): () => Injected | undefined {
  return () => {
    if (injections.length === 0) return undefined;
    let drawn = random();
    for (const { situation, rate } of injections) {
      if (drawn < rate) return injected(situation, random);
      drawn -= rate;
    }
    return undefined;
  };
}

function injected(situation: Situation, random: Random): Injected {
  const words = (count: number): string[] => Array.from({ length: count }, () => `it${word(random, 8)}`);
  const [answer] = situation.answers({
    items: words(situation.items),
    decoys: words(6),
    elsewhere: '',
    inAnHour: inAnHour(),
  });
  const { name } = situation;
  return { name, answer: answer!, passes: name === 'slow' || answer!.breaks === 'after-request' };
}
