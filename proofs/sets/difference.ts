/** Pure: how two sets differ, one line for each rule and clause. */
import type { RuleSet } from '../../suites/sets/entry.ts';

export function difference(before: RuleSet, now: RuleSet): string[] {
  const parts = [
    ['rule', before.rules, now.rules],
    ['clause', before.clauses, now.clauses],
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
