/** Pure: how two sets differ, one line for each rule, clause and situation. */
import type { ClientSet } from '../../suites/sets/client-entry.ts';
import type { RuleSet } from '../../suites/sets/entry.ts';

export function difference(before: RuleSet | ClientSet, now: RuleSet | ClientSet): string[] {
  const parts = [
    ['rule', before.rules, now.rules],
    ['clause', before.clauses, now.clauses],
    ['situation', situationsOf(before), situationsOf(now)],
  ] as const;
  return parts.flatMap(([what, then, today]) => [
    ...Object.keys(then).flatMap((id) =>
      today[id] === undefined
        ? [`- ${what} ${id}`]
        : today[id] === then[id]
          ? []
          : [`~ ${what} ${id}: ${then[id]} → ${today[id]}`],
    ),
    ...Object.keys(today).flatMap((id) => (then[id] === undefined ? [`+ ${what} ${id}`] : [])),
  ]);
}

/** Only what clients are judged by has situations. */
const situationsOf = (set: RuleSet | ClientSet): Readonly<Record<string, string>> =>
  'situations' in set ? set.situations : {};
