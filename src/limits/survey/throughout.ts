/**
 * All that was asked, for whatever reason, of a key or an address whose limit is stated: one that is kept now and then only, or that is
 * forgotten for a while, shows in no experiment of its own.
 */
import type { Exchange } from '../../model/exchange.ts';
import type { LimitsAsk, Probed, Stretch } from '../../model/limits-ask.ts';
import type { Call } from './call.ts';
import type { Crews } from './crews.ts';
import { addressStated, type Known, type SurveyOptions } from './ground.ts';
import type { Prober } from './prober.ts';

/** Whoever is disguised may be taken for somebody else. */
const isPlain = ({ disguise }: Call): boolean => disguise === undefined;

function asked(prober: Prober, route: string, isOf: (call: Call) => boolean): readonly Exchange[] {
  return prober.calls
    .filter(({ call }) => call.route === route && isPlain(call) && isOf(call))
    .map(({ exchange }) => exchange)
    .toSorted((one, next) => one.at.sent - next.at.sent);
}

/** Those of crews are as good as those of the profile. */
const ofKeys = (prober: Prober, options: SurveyOptions, crews: Crews | undefined, route: string): readonly Stretch[] =>
  [...options.keys, ...[...(crews?.values() ?? [])].flatMap(({ on }) => on.options.keys)]
    .filter((key, at, all) => key.kind !== 'test' && options.statedFor(key) !== undefined && all.indexOf(key) === at)
    .map((key) => ({
      sort: `${key.kind === 'live' ? 'a live' : 'an issued'} key`,
      caller: key.name,
      tier: key.tier ?? null,
      route,
      calls: asked(prober, route, (call) => call.key === key),
    }));

/** Who looks at addresses calls from one of their own. */
const placesOf = (options: SurveyOptions, crews: Crews | undefined): SurveyOptions['places'] =>
  crews?.get('address')?.on.options.places ?? options.places;

/** Without a key, and without any header that might say another address. */
function ofAddress(prober: Prober, options: SurveyOptions, crews: Crews | undefined, route: string): Stretch | null {
  const { from, headers } = placesOf(options, crews)[0];
  if (addressStated(options) === undefined || headers !== undefined) return null;
  const isThere = (call: Call): boolean => call.key === null && call.from === from && call.headers === undefined;
  const calls = asked(prober, route, isThere);
  return { sort: 'a caller without a key', caller: 'no key', tier: null, route, calls };
}

/** Nothing where no limit was looked for. */
export const allOver = (
  prober: Prober,
  options: SurveyOptions,
  known: Known,
): Pick<LimitsAsk, 'throughout' | 'throughoutAt'> => ({
  throughout: async () => {
    const met = await known<Probed>('met');
    return met === undefined ? [] : ofKeys(prober, options, await known<Crews | undefined>('crews'), met.route);
  },
  throughoutAt: async () => {
    const met = await known<Probed>('met');
    return met === undefined ? null : ofAddress(prober, options, await known<Crews | undefined>('crews'), met.route);
  },
});
