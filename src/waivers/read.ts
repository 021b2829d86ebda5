/** Finds and reads the file of waivers. The edge: what its text means is parse.ts's matter. */
import { statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { readBounded } from '../profile/bounded.ts';
import { whyNot } from '../profile/interpolate.ts';
import { ProfileError } from '../profile/problems.ts';
import { findProfile } from '../profile/read.ts';
import { decoded, NotUtf8 } from '../profile/utf8.ts';
import { type ParseWaiversOptions, parseWaivers } from './parse.ts';
import { type Waiver, waiversName } from './waiver.ts';

export interface WaiversPlace {
  /** From the command line: it must be there. If omitted: the file next to the profile, if there is one. */
  readonly waivers?: string | undefined;
  readonly profile?: string | undefined;
  readonly cwd: string;
}

/** Where the waivers are, or would be written. */
export function waiversPath({ waivers, profile, cwd }: WaiversPlace): string {
  if (waivers !== undefined) return resolve(cwd, waivers);
  const beside = profile === undefined ? findProfile(cwd) : resolve(cwd, profile);
  return join(beside === undefined ? cwd : dirname(beside), waiversName);
}

export const shownPath = (path: string, cwd: string): string => {
  const short = relative(cwd, path);
  return short === '' || short.startsWith('..') || isAbsolute(short) ? path : short;
};

/** Throws a ProfileError. */
export function readWaivers(place: WaiversPlace, options: Omit<ParseWaiversOptions, 'source'>): readonly Waiver[] {
  const path = waiversPath(place);
  const source = shownPath(path, place.cwd);
  const text = textOf(path, source);
  if (text === undefined && place.waivers === undefined) return [];
  if (text === undefined)
    throw new ProfileError(source, [{ path: '', message: 'the waivers cannot be read: there is no such file' }]);
  return parseWaivers(text, { ...options, source });
}

/** Undefined: there is no such file. */
export function textOf(path: string, source: string): string | undefined {
  try {
    if (statSync(path, { throwIfNoEntry: false }) === undefined) return undefined;
    return decoded(readBounded(path, 4_000_000));
  } catch (error) {
    const place = error instanceof NotUtf8 ? error.place : {};
    throw new ProfileError(source, [{ path: '', ...place, message: `the waivers cannot be read: ${whyNot(error)}` }]);
  }
}
