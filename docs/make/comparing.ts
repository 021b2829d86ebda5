/** Which rules compare, and by which functions: read from their source, where nobody can forget to write it down. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const suites = join(import.meta.dirname, '../../suites');

const filesBelow = (folder: string): string[] =>
  readdirSync(join(suites, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /(?<!\.test|testing)\.ts$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort();

type Parts = ReadonlyMap<string, string>;

/** What stands at the outermost level of a file, by its name. */
function partsOf(file: string): Parts {
  const code = readFileSync(file, 'utf8')
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/^\s*\/\/.*$/gm, '');
  const parts = new Map<string, string>();
  for (const part of code.split(/\n(?=(?:export )?(?:const|function\*?|async function\*?) )/)) {
    const name = /^(?:export )?(?:const|(?:async )?function\*?) (\w+)/.exec(part)?.[1];
    if (name !== undefined) parts.set(name, part);
  }
  return parts;
}

const wordsIn = (text: string): ReadonlySet<string> => new Set(text.match(/[A-Za-z_]\w*/g));

/** By rule the functions of the table that it compares by, itself or through others of its file and of the language. */
export function comparing(known: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const language = new Map(filesBelow('language').flatMap((file) => [...partsOf(file)]));
  language.delete('comparisons');
  const found = new Map<string, readonly string[]>();
  for (const file of filesBelow('rules')) {
    const own = partsOf(file);
    for (const [name, part] of own) {
      const id = /\bid: [`']([^`']+)[`']/.exec(part)?.[1]?.replaceAll(/\$\{\w+\}/g, '…');
      if (id !== undefined) found.set(id, usedBy(name, own, language, known));
    }
  }
  return found;
}

function usedBy(name: string, own: Parts, language: Parts, known: readonly string[]): readonly string[] {
  const seen = new Set([name]);
  const waiting = [name];
  for (let here = waiting.pop(); here !== undefined; here = waiting.pop()) {
    // What is said in a table is not followed further: `expectVerifiedWithTier` compares by `expectTier`.
    if (here !== name && known.includes(here)) continue;
    for (const word of wordsIn(own.get(here) ?? language.get(here) ?? '')) {
      if (seen.has(word) || !(own.has(word) || language.has(word) || known.includes(word))) continue;
      seen.add(word);
      waiting.push(word);
    }
  }
  return known.filter((each) => seen.has(each));
}

/** Comparisons with what an answer says that are made in passing, not by a function that the table knows. */
export const comparedInPassing = (): readonly string[] =>
  filesBelow('rules').flatMap((file) =>
    [...readFileSync(file, 'utf8').matchAll(/[^\n]*(?:\bmember\([^()]*\)\s*[!=]==|[!=]==\s*member\()[^\n]*/g)].map(
      ([line]) => line.trim(),
    ),
  );
