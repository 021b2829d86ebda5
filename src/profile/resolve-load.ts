/** The section about load, as the engine takes it. */
import type { ProfileLoad } from './profile.ts';
import { duration, share } from './scalars.ts';
import type { WrittenLoad } from './shape-load.ts';

export function resolveLoad(load: WrittenLoad): ProfileLoad {
  const ms = (name: string, value: string | number | undefined) =>
    value === undefined ? {} : { [name]: duration(value) ?? 0 };
  const some = (name: string, value: unknown) => (value === undefined ? {} : { [name]: value });
  return {
    allow: load.allow ?? [],
    ...some('maxPerSecond', load.max_rate),
    ...ms('maxMs', load.max_duration),
    ...some('perSecond', load.rate),
    ...ms('durationMs', load.duration),
    ...ms('warmUpMs', load.warm_up),
    ...ms('slowestMs', load.slowest),
    ...some('actor', load.actor),
    ...some('keys', load.keys),
    ...some('addresses', load.addresses),
    mix: Object.entries(load.mix ?? {}).map(([what, weight]) => ({ what, weight })),
    thresholds: [
      ...Object.entries(load.latency ?? {}).map(([percentile, value]) => ({
        name: `latency.${percentile}`,
        demanded: String(value),
        bound: (duration(value) ?? 0) * 1000,
      })),
      ...shareOf('errors', load.errors),
      ...shareOf('admitted', load.admitted),
    ],
  };
}

const shareOf = (name: string, value: string | number | undefined) =>
  value === undefined ? [] : [{ name, demanded: String(value), bound: share(value) ?? 0 }];
