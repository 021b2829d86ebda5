/** For profiles in TypeScript. Returns what it is given; the types are the point. */
import type { ProfileInput } from './shape.ts';

export type { ProfileInput };

export const defineProfile = (input: ProfileInput): ProfileInput => input;
