/** `--only` and `--skip`: globs on rule identifiers. A pattern that matches nothing is an error, never silence. */

export type Selection = { readonly ids: ReadonlySet<string> } | { readonly unmatched: readonly string[] };

const toRegExp = (glob: string): RegExp =>
  new RegExp(
    `^${glob
      .replaceAll(/[.+^${}()|[\]\\]/g, String.raw`\$&`)
      .replaceAll('*', '.*')
      .replaceAll('?', '.')}$`,
  );

/** An area's name alone means the whole area: `auth` is `auth.*`. */
const matcher = (glob: string): ((id: string) => boolean) => {
  const pattern = toRegExp(glob);
  return (id) => pattern.test(id) || id.startsWith(`${glob}.`);
};

export function select(ids: readonly string[], only: readonly string[], skip: readonly string[]): Selection {
  const unmatched = [...only, ...skip].filter((glob) => !ids.some(matcher(glob)));
  if (unmatched.length > 0) return { unmatched };
  const wanted = only.length === 0 ? ids : ids.filter((id) => only.some((glob) => matcher(glob)(id)));
  const left = wanted.filter((id) => !skip.some((glob) => matcher(glob)(id)));
  return left.length === 0 ? { unmatched: [...only, ...skip] } : { ids: new Set(left) };
}
