/** The known name that somebody probably meant. */

/** Levenshtein's, where two neighbours that changed places are one slip and not two. */
const distance = (a: string, b: string): number => {
  const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
  const cell = (i: number, j: number): number => rows[i]?.[j] ?? 0;
  for (let i = 1; i <= a.length; i++) {
    rows.push([i]);
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const slips = [cell(i - 1, j - 1) + (same ? 0 : 1), cell(i - 1, j) + 1, cell(i, j - 1) + 1];
      rows[i]?.push(Math.min(...slips, swapped ? cell(i - 2, j - 2) + 1 : (slips[0] ?? 0)));
    }
  }
  return cell(a.length, b.length);
};

const simple = (text: string): string => text.toLowerCase().replaceAll(/[-_\s]/g, '');

export function nearest(word: string, known: readonly string[]): string | undefined {
  if (word.length > 60) return undefined;
  const written = simple(word);
  let best: { name: string; off: number } | undefined;
  for (const name of known) {
    if (name.length > 60) continue;
    const off = distance(written, simple(name));
    const allowed = Math.max(1, Math.floor(Math.max(written.length, name.length) / 3));
    if (off <= allowed && off < name.length && (best === undefined || off < best.off)) best = { name, off };
  }
  return best?.name;
}

/** `; did you mean …?`, or all of them where none is near. */
export function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  if (near !== undefined) return `did you mean \`${near}\`?`;
  return known.length === 0 ? 'none is known' : `known: ${known.join(', ')}`;
}
