/** Trends in plain sentences. */
import type { Measurement } from '../../model/measurement.ts';
import { type Trend, trendsOf } from './trends.ts';

const digits = (value: number): string => String(Number(value.toPrecision(3)));

const valueIn = (unit: Trend['unit'], value: number): string =>
  unit === 'share' ? `${digits(100 * value)} %` : `${digits(value)} ${unit}`;

const lasting = (seconds: number): string =>
  seconds < 90
    ? `${Math.round(seconds)} s`
    : seconds < 5400
      ? `${digits(seconds / 60)} min`
      : `${digits(seconds / 3600)} h`;

export function sayTrend({ of, verdict, usual, slope, seconds, unit }: Trend): string {
  const hourly = (value: number | undefined): string => (value === undefined ? '?' : valueIn(unit, value));
  const ends = `${hourly(slope.low)} to ${hourly(slope.high)}`;
  switch (verdict) {
    case 'rises':
    case 'falls':
      return `${of} ${verdict} by ${hourly(Math.abs(slope.value))} an hour (${ends}), around ${valueIn(unit, usual)}`;
    case 'flat':
      return `${of} is flat over ${lasting(seconds)}, around ${valueIn(unit, usual)} (slope ${ends} an hour)`;
    case 'cannot tell':
      return `whether ${of} rises is undetermined after ${lasting(seconds)}: it varies too much (slope ${ends} an hour, around ${valueIn(unit, usual)})`;
  }
}

/** For the conclusions of a soak. */
export function soakConclusions(
  measured: Pick<Measurement, 'series' | 'generator'> & Partial<Pick<Measurement, 'service' | 'calm'>>,
): string[] {
  const trends = trendsOf(measured);
  return trends.length === 0 ? ['it was too short for any trend: at least a minute is needed'] : trends.map(sayTrend);
}
