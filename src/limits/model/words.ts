/** Numbers as people say them. */
import type { Measured } from '../../model/limit-model.ts';

export function duration(ms: number): string {
  if (ms < 1000) return `${round(ms, ms < 10 ? 1 : 0)} ms`;
  if (ms < 180_000) return `${round(ms / 1000, ms < 10_000 ? 2 : 1)} s`;
  if (ms < 7_200_000) return `${round(ms / 60_000, 1)} min`;
  return `${round(ms / 3_600_000, 1)} h`;
}

export const round = (value: number, digits: number): string => String(Number(value.toFixed(digits)));

export function rate(perSecond: number): string {
  if (perSecond >= 1) return `${round(perSecond, perSecond < 10 ? 2 : 1)} a second`;
  if (perSecond * 60 >= 1) return `${round(perSecond * 60, 2)} a minute`;
  return `${round(perSecond * 3600, 2)} an hour`;
}

export const calls = (count: number): string => (count === 1 ? '1 call' : `${count} calls`);

/** The number, and between which two it lies where that can be seen. */
export function measured(value: Measured, say: (value: number) => string): string {
  const [low, middle, high] = [say(value.low), say(value.value), say(value.high)];
  return low === middle && high === middle ? middle : `${middle} (between ${low} and ${high})`;
}

export const list = (names: readonly string[], last = 'or'): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
