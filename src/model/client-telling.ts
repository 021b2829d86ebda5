/** Pure: how a client reports the outcome of its runs, learned from unambiguous runs. */
import type { SeenTrial, Telling } from './client.ts';
import type { Data } from './json.ts';

const plain = new Set(['complete', 'complete-many']);

export function tellingOf(trials: readonly SeenTrial[]): Telling {
  const usual = trials.filter(({ deviations }) => deviations === undefined);
  const complete = usual.filter(({ situation }) => plain.has(situation));
  const failed = usual.filter(({ situation }) => /^refused-/.test(situation));
  return {
    completes: complete.length > 0 && complete.every(({ ended }) => ended.outcome === 'complete'),
    failedExits: exitsOf(failed).filter((exit) => !exitsOf(complete).includes(exit)),
    exitsWhenFailed: failed.length > 0 && failed.every(({ ended }) => ended.exit !== 0),
    jsonWhenFailed: failed.length > 0 && failed.every(({ ended }) => ended.told !== undefined),
    items: itemsBy(complete),
  };
}

const exitsOf = (trials: readonly SeenTrial[]): readonly number[] => [
  ...new Set(trials.flatMap(({ ended: { exit } }) => exit ?? [])),
];

function itemsBy(complete: readonly SeenTrial[]): Telling['items'] {
  // One run alone may show its number by chance; two of different numbers do not.
  if (complete.length < 2) return undefined;
  const byWords = complete.every((trial) => trial.planted.items.every((word) => trial.ended.shown.includes(word)));
  const [first, ...others] = complete.map((trial) => membersOf(trial.ended.told));
  const numbers = complete.map(({ planted }) => planted.items.length);
  // The numbers of items go up: that of the last one is how many there are, and means something else.
  const isItem = complete.some(endsWithAnItem);
  const path = [...(first ?? [])].find(
    ([name, value]) =>
      value === numbers[0] &&
      others.every((members, at) => members.get(name) === numbers[at + 1]) &&
      (!isItem || counting.test(lastOf(name))),
  )?.[0];
  if (path === undefined) return byWords ? { by: 'words' } : undefined;
  return { by: byWords ? 'words' : 'member', path: path.split('\n') };
}

/** Its last line is one of several items, and not a word about them all. */
function endsWithAnItem({ planted: { items }, ended: { told } }: SeenTrial): boolean {
  const text = JSON.stringify(told ?? null);
  return items.length > 1 && items.filter((word) => text.includes(word)).length === 1;
}

const lastOf = (path: string): string => path.split('\n').at(-1) ?? '';

/** Every number, and the length of every list, by the path to it. */
function membersOf(value: Data | undefined, path: readonly string[] = [], found = new Map<string, number>()) {
  if (path.length > 4) return found;
  if (typeof value === 'number') found.set(path.join('\n'), value);
  else if (typeof value === 'string' && /^\d{1,9}$/.test(value)) found.set(path.join('\n'), Number(value));
  else if (Array.isArray(value)) found.set(path.join('\n'), value.length);
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value)) membersOf(each as Data, [...path, name], found);
  return found;
}

/** How many items a client says that it read; undefined if it does not say. */
export function toldNumber(told: Data | undefined, path: readonly string[]): number | undefined {
  return membersOf(told).get(path.join('\n'));
}

const counting = /^(?:items?|(?:n|num|number|total|count)_?(?:of_?)?items?|items?_?(?:count|number|read|seen|total))$/i;

/** Members that by their names say how many items there were. A list may be a sample, but for an empty one. */
export const countsTold = (told: Data | undefined): readonly (readonly [name: string, value: number])[] =>
  [...membersOf(told)].filter(
    ([path, value]) => counting.test(lastOf(path)) && (value === 0 || !isList(told, path.split('\n'))),
  );

const isList = (told: Data | undefined, path: readonly string[]): boolean => {
  const found = path.reduce<Data | undefined>(
    (value, name) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? (value as { readonly [key: string]: Data })[name]
        : undefined,
    told,
  );
  return Array.isArray(found);
};
