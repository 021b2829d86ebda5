/** What options take, checked where they are read. */
import { InvalidArgumentError } from 'commander';
import { duration } from '../profile/scalars.ts';

export const milliseconds = (text: string): number => {
  const ms = duration(text);
  if (ms === undefined || ms === 0)
    throw new InvalidArgumentError('Expected a duration such as 250ms, 10s, 2m or 1h, at most 24h.');
  return ms;
};

/** Zero is allowed: not to wait at all is a choice. */
export const patience = (text: string): number => (/^0+(?:ms|s|m|h)?$/.test(text.trim()) ? 0 : milliseconds(text));

export const whole =
  (from: number, to: number) =>
  (text: string): number => {
    const value = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
    if (!(value >= from && value <= to))
      throw new InvalidArgumentError(`Expected a whole number from ${from} to ${to}.`);
    return value;
  };

/** Requests a second: fractions are rates too. */
export const rate = (text: string): number => {
  const value = /^\d{1,6}(\.\d{1,3})?$/.test(text) ? Number(text) : Number.NaN;
  if (!(value > 0 && value <= 100_000))
    throw new InvalidArgumentError('Expected requests a second: more than 0, at most 100000.');
  return value;
};

/** `--only a,b --only c`. */
export const words = (text: string, before: readonly string[] = []): string[] => {
  const more = text
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
  if (more.length === 0) throw new InvalidArgumentError('It names nothing.');
  return [...before, ...more];
};

/** `--format junit,json=-`. A comma of a path is written `\\,`. */
export const reports = (text: string, before: readonly string[] = []): string[] =>
  words(text.replaceAll(String.raw`\,`, '\0'), before).map((each) => each.replaceAll('\0', ','));

export const variableName = (text: string): string => {
  if (!/^[A-Za-z_]\w*$/.test(text))
    throw new InvalidArgumentError('Expected the name of an environment variable, not its value.');
  return text;
};

export const percent = (text: string): number => {
  const value = /^\d{1,3}(\.\d{1,3})?\s*%?$/.test(text.trim()) ? Number.parseFloat(text) : Number.NaN;
  if (!(value > 0 && value <= 100))
    throw new InvalidArgumentError('Expected a percentage above 0, at most 100, such as 5.');
  return value;
};

/** As Kubernetes has them. */
export const name = (text: string): string => {
  if (!/^[a-z0-9]([a-z0-9.-]{0,61}[a-z0-9])?$/.test(text))
    throw new InvalidArgumentError('Expected a name of small letters, digits and dashes.');
  return text;
};
