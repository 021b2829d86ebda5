/** What several plain runs together say about the items that a client reads. Pure. */
import { countsTold, type Reason, type Seen, type SeenTrial } from '../../src/vocabulary.ts';
import { resultOf, violation } from './looking.ts';

/** A program that says how many items it read, and is wrong about it in every plain run. */
export function wrongNumbers(trials: readonly SeenTrial[], { telling }: Seen): Reason[] {
  const plain = trials.filter(
    ({ situation, ended }) => situation.startsWith('complete') && ended.outcome === 'complete',
  );
  if (telling.items !== undefined || plain.length < 2) return [];
  const short = oneMissing(plain);
  if (short.length > 0) return short;
  const counts = plain.map((trial) => new Map(countsTold(trial.ended.told)));
  const name = [...(counts[0]?.keys() ?? [])].find((each) =>
    plain.every((trial, at) => {
      const count = counts[at]?.get(each);
      return count !== undefined && count !== trial.planted.items.length;
    }),
  );
  if (name === undefined) return [];
  const [first] = plain;
  return [
    violation(
      `${first!.planted.items.length} items read`,
      `\`${name.replaceAll('\n', '.')}\` is ${counts[0]?.get(name)}`,
      resultOf(first!),
    ),
  ];
}

/** Words of all items but one, whatever their number is: no sample is like that. */
function oneMissing(plain: readonly SeenTrial[]): Reason[] {
  const shownOf = ({ planted, ended }: SeenTrial): number =>
    planted.items.filter((word) => ended.shown.includes(word)).length;
  const isShort = plain.every((trial) => shownOf(trial) === trial.planted.items.length - 1);
  const longest = plain.toSorted((a, b) => b.planted.items.length - a.planted.items.length)[0]!;
  const { items } = longest.planted;
  if (!isShort || items.length === plain[0]!.planted.items.length) return [];
  return [violation(`${items.length} items in its output`, `${items.length - 1} of them`, resultOf(longest))];
}
