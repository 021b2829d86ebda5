/** Which licences Touchstone may be shipped with, and which it may be made with. Pure. */

export interface LockedPackage {
  readonly name: string;
  /** As SPDX writes it; undefined if nobody says. */
  readonly licence?: string;
  /** Only for building and testing. */
  readonly dev: boolean;
  readonly integrity?: string;
  readonly installs: boolean;
}

/** They require a notice, and nothing from users of the whole. */
const permissive = new Set(['MIT', 'ISC', 'BSD-2-Clause', 'BSD-3-Clause', 'Apache-2.0', '0BSD', 'Zlib']);
/** Fit for tools. MPL-2.0 concerns changes of its own files, and nothing of those is changed or handed on. */
const forTools = new Set([...permissive, 'BlueOak-1.0.0', 'Unlicense', 'MPL-2.0']);

interface Entry {
  readonly license?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly integrity?: string;
  readonly hasInstallScript?: boolean;
}

/** Of a lock file; `licenceIn` looks into a folder where the lock file says nothing. */
export function packagesOf(lock: unknown, licenceIn: (folder: string) => string | undefined): LockedPackage[] {
  const { packages } = lock as { readonly packages: Readonly<Record<string, Entry>> };
  return Object.entries(packages).flatMap(([folder, entry]) => {
    // The first is Touchstone itself.
    if (folder === '') return [];
    const licence = entry.license ?? licenceIn(folder);
    return {
      name: folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length),
      dev: entry.dev === true || entry.devOptional === true,
      installs: entry.hasInstallScript === true,
      ...(licence === undefined ? {} : { licence }),
      ...(entry.integrity === undefined ? {} : { integrity: entry.integrity }),
    };
  });
}

/** Whether an expression of OR and AND holds, where a single licence does. */
function allows(expression: string, allowed: ReadonlySet<string>): boolean {
  const plain = expression.replaceAll(/[()]/g, ' ').trim();
  return plain.split(/\s+OR\s+/).some((choice) => choice.split(/\s+AND\s+/).every((each) => allowed.has(each.trim())));
}

/** Why it may not be used; undefined: it may. */
export function judged({ name, licence, dev }: LockedPackage): string | undefined {
  if (licence === undefined || licence === '') return `${name}: nobody says what it is licensed under`;
  if (allows(licence, dev ? forTools : permissive)) return undefined;
  return `${name}: ${licence} is none of the licences that ${dev ? 'Touchstone is made' : 'it is shipped'} with`;
}
