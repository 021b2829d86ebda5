/** Whether a foreign regular expression may be run here. A hostile one must not hang the harness; a common one must pass. */
import { type CharSet, everything, type Part, readPattern } from './pattern-parts.ts';

type Choices = readonly (readonly Part[])[];

const longestPattern = 1000;
const longestText = 10_000;
const mostCopies = 10_000;
const mostUnbounded = 6;
/** How often a group may repeat before what is ambiguous in it counts. */
const fewTimes = 3;

export type PatternVerdict =
  | {
      readonly fine: true /** Strings longer than this are not tried against it. */;
      readonly longest: number;
      readonly unicode: boolean;
    }
  | { readonly fine: false; readonly why: string };

export function judgePattern(source: string): PatternVerdict {
  const no = (why: string): PatternVerdict => ({ fine: false, why: `the pattern ${shorten(source)} ${why}` });
  if (source.length > longestPattern) return no(`is longer than ${longestPattern} characters`);
  const unicode = compiles(source, 'u');
  if (!unicode && !compiles(source, '')) return no('is not a regular expression of ECMAScript');
  const choices = readPattern(source);
  if (choices === undefined) return no('is written in a way that Touchstone does not run');
  if (copies(choices) > mostCopies) return no('repeats too much');
  if (choices.some((parts) => parts.some(isCatastrophic))) return no('could backtrack without end');
  const unbounded = countUnbounded(choices);
  if (unbounded > mostUnbounded) return no('could backtrack for too long');
  // Work grows as length^(unbounded + 1): the power stays below a hundred million.
  return {
    fine: true,
    unicode,
    longest: Math.min(longestText, Math.max(32, Math.floor(1e8 ** (1 / (unbounded + 1))))),
  };
}

const shorten = (source: string): string => (source.length > 60 ? `${source.slice(0, 57)}…` : source);

function compiles(source: string, flags: string): boolean {
  try {
    new RegExp(source, flags);
    return true;
  } catch {
    return false;
  }
}

const inner = (part: Part): Choices => (part.kind === 'set' ? [] : part.choices);

/** Characters that the pattern stands for when its counts are written out. */
const copies = (choices: Choices): number =>
  choices.flat().reduce((sum, part) => {
    const times = part.kind === 'look' ? 1 : Math.max(1, Number.isFinite(part.max) ? part.max : part.min);
    return sum + times * (part.kind === 'set' ? 1 : copies(part.choices));
  }, 1);

const countUnbounded = (choices: Choices): number =>
  choices.flat().reduce((sum, part) => {
    const open = part.kind !== 'look' && part.max === Number.POSITIVE_INFINITY ? 1 : 0;
    const times = part.kind !== 'group' || open === 1 ? 1 : Math.max(1, part.max);
    return sum + open + times * countUnbounded(inner(part));
  }, 0);

/** A group that repeats, and in which the same text can be divided among the turns in more than one way. */
function isCatastrophic(part: Part): boolean {
  if (part.kind === 'set') return false;
  if (part.choices.some((parts) => parts.some(isCatastrophic))) return true;
  if (part.kind === 'look' || part.max <= fewTimes) return false;
  if (isPlain(part.choices)) return false;
  return !part.choices.every((parts, index) =>
    isDelimited(
      parts,
      part.choices.filter((_, other) => other !== index),
    ),
  );
}

/** Choices that begin differently and have a fixed length: there is one way to read them. */
const isPlain = (choices: Choices): boolean => {
  const fixed = choices.every(
    (parts) => parts.length > 0 && parts.every((part) => part.kind === 'set' && part.min === part.max && part.min > 0),
  );
  const firsts = choices.map((parts) => charsOf([parts.slice(0, 1)]));
  return fixed && firsts.every((first, index) => firsts.every((other, j) => j <= index || (first & other) === 0n));
};

/** Begins or ends with one character that stands nowhere else in the group: every turn has its mark. */
function isDelimited(parts: readonly Part[], others: Choices): boolean {
  const isMark = (at: number): boolean => {
    const part = parts.at(at);
    if (part === undefined || part.kind !== 'set' || part.min !== 1 || part.max !== 1) return false;
    const rest = parts.filter((each) => each !== part);
    return (part.set & charsOf([rest, ...others])) === 0n;
  };
  return isMark(0) || isMark(-1);
}

const charsOf = (choices: Choices): CharSet =>
  choices
    .flat()
    .reduce<CharSet>(
      (all, part) => all | (part.kind === 'set' ? part.set : part.kind === 'look' ? everything : charsOf(part.choices)),
      0n,
    );
