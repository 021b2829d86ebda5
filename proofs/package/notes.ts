/** The notes of a tarball: what it is, what it was made from, and how to check that. Pure. */

export interface Provenance {
  readonly name: string;
  readonly version: string;
  readonly file: string;
  readonly bytes: number;
  readonly sha256: string;
  /** As npm writes it into lock files. */
  readonly integrity: string;
  readonly commit: string;
  /** Of the commit, not of the building: the same source gives the same notes. */
  readonly date: string;
  readonly clean: boolean;
  readonly node: string;
  readonly npm: string;
  readonly rules: { readonly version: string; readonly specification: string };
  readonly files: readonly string[];
}

export const notesText = (made: Provenance): string => `# ${made.name} ${made.version}

| | |
| --- | --- |
| file | ${made.file} (${made.bytes} bytes, ${made.files.length} files) |
| sha256 | ${made.sha256} |
| integrity | ${made.integrity} |
| commit | ${made.commit}${made.clean ? '' : ', with changes that are in no commit'} |
| of | ${made.date} |
| built with | Node ${made.node}, npm ${made.npm} |
| rule set | ${made.rules.version}, reading the specification with SHA-256 ${made.rules.specification} |

Anybody can make it again: check the commit out, \`npm ci\`, \`npm run release\`; with the same Node and npm the file has the same
digest. \`sha256sum --check ${made.file}.sha256\` compares. A release that CI publishes by trusted publishing carries npm's own provenance
besides (\`npm audit signatures\`).
`;

/** The part of the change log about a version; undefined if there is none. */
export function changesOf(changelog: string, version: string): string | undefined {
  const parts = changelog.split(/^## /m).slice(1);
  return parts
    .find((part) => part.split(/\s/, 1)[0] === version)
    ?.replace(/^.*\n/, '')
    .trim();
}

/** Everything that must say the same version, and does not. */
export function disagreeing(version: string, says: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(says).flatMap(([where, other]) =>
    other === version ? [] : [`${where} says ${other ?? 'nothing'}, package.json ${version}`],
  );
}
