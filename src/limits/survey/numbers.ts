/**
 * Kinds and numbers of limits, of the keys of each plan and of callers without one: they are nobody's promise, so they take what other
 * experiments leave.
 */
import { Inconclusive } from '../../model/ask.ts';
import type { Neighbours, Probed } from '../../model/limits-ask.ts';
import type { Key } from '../../model/subject.ts';
import { cellOf } from '../model/cells.ts';
import { isRefused } from '../model/decision.ts';
import { modelOfProbed } from '../model/probed.ts';
import { callsUsedUp } from '../probe/run.ts';
import type { RouteName, Who } from './call.ts';
import type { At, Crews } from './crews.ts';
import { firstKey, type Ground, type Once, type SurveyOptions } from './ground.ts';
import { lookAt } from './look.ts';
import type { Prober } from './prober.ts';

interface Waiting {
  readonly once: Once;
  readonly crews: () => Promise<Crews | undefined>;
  /** When the others have done what they do side by side. */
  readonly others: Promise<void>;
}

/** With the calls that are kept for it, while others experiment; and where these did not do, once more with all that are left. */
export interface Unhurried {
  readonly of: (name: string, find: () => Promise<Probed>) => Record<'ahead' | 'whole', () => Promise<Probed>>;
  readonly again: (first: Probed, find: () => Promise<Probed>) => Promise<Probed>;
}

export function unhurriedBy({ once, crews, others }: Waiting): Unhurried {
  const again = async (first: Probed, find: () => Promise<Probed>): Promise<Probed> => {
    if (first.stopped !== callsUsedUp || (await crews())?.has('numbers') !== true) return first;
    if (modelOfProbed(first).certainty.is === 'identified') return first;
    await others;
    return find().catch((error: unknown) => {
      if (error instanceof Inconclusive) return first;
      throw error;
    });
  };
  const of: Unhurried['of'] = (name, find) => {
    const ahead = once(`${name} at first`, find);
    const whole = once(name, async () => again(await ahead(), find));
    return { ahead, whole };
  };
  return { of, again };
}

interface Standing {
  readonly options: SurveyOptions;
  readonly prober: Prober;
  readonly once: Once;
  readonly crews: () => Promise<Crews | undefined>;
  readonly at: At;
  readonly met: () => Promise<Probed>;
  readonly near: () => Promise<Neighbours>;
  readonly anywhere: (key: Key, on?: Ground) => Promise<Who>;
  readonly whoIs: (key: Key) => Who;
  readonly unhurried: Unhurried;
}

export interface Numbers {
  readonly ahead: () => Promise<Probed>;
  readonly key: () => Promise<Probed>;
  readonly tiers: () => Promise<readonly Probed[]>;
}

export function numbersOf(standing: Standing): Numbers {
  const { options, prober, once, crews, at, met, near, anywhere, whoIs, unhurried } = standing;

  /** Keys that have limits of their own cannot disturb each other. */
  const tiersBeside = (on?: Ground): Promise<readonly Probed[]> =>
    once('tiers beside', async (): Promise<readonly Probed[]> => {
      const { rounds } = await near();
      const { route } = await met();
      const { options: own, key: first } = on ?? { options, key: firstKey(options) };
      if (cellOf(rounds, 'another key at the same address') !== 'apart') return [];
      const looked = own.tierKeys.filter((each) => each !== first);
      return Promise.all(
        looked.map(async (each) => lookAt(on?.prober ?? prober, options, await anywhere(each, on), route as RouteName)),
      );
    })();

  const look = async (on?: Ground): Promise<Probed> => {
    const { route } = await met();
    if (on !== undefined) await on.prober.sleep(on.restMs);
    // The others are looked at meanwhile.
    const beside = tiersBeside(on).catch(() => {});
    const who = await anywhere(on?.key ?? firstKey(options), on);
    const looked = await lookAt(on?.prober ?? prober, options, who, route as RouteName, { further: true });
    if (on !== undefined) await beside;
    return looked;
  };

  const { ahead, whole: key } = unhurried.of('key', async (): Promise<Probed> => {
    const first = await met();
    if (!first.calls.some(isRefused) || options.budget.quick) return first;
    const all = await crews();
    return all === undefined ? look() : at(all.has('numbers') ? 'numbers' : 'home', look);
  });

  const tiers = once('tiers', async () => {
    const first = await key();
    if (options.budget.quick) throw new Inconclusive('--quick fits no models, so the limits of plans are not compared');
    const known = [first, ...(await tiersBeside())];
    const on = (await crews())?.get('numbers')?.on;
    const probed: Probed[] = [];
    for (const each of (on?.options ?? options).tierKeys) {
      const found = known.find(({ caller }) => caller === each.name);
      const who = on === undefined ? whoIs(each) : await anywhere(each, on);
      const find = async (): Promise<Probed> => lookAt(on?.prober ?? prober, options, who, first.route as RouteName);
      probed.push(found === undefined ? await find() : found === first ? first : await unhurried.again(found, find));
    }
    return probed;
  });

  return { ahead, key, tiers };
}
