/**
 * `npm run prove -- licences`: what everything that is installed is licensed under, from the lock file, or from the package where the lock file
 * does not say. Ends with 1 on one that is unknown, or that Touchstone may not be shipped or made with.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { judged, type LockedPackage, packagesOf } from './licence-rules.ts';

const root = join(import.meta.dirname, '../..');
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), 'utf8'));

/** Older packages write a list of objects. */
function licenceIn(folder: string): string | undefined {
  try {
    const { license, licenses } = read(join(folder, 'package.json')) as {
      license?: string;
      licenses?: readonly { readonly type: string }[];
    };
    return license ?? licenses?.map(({ type }) => type).join(' OR ');
  } catch {
    // Of another platform, so that it is not installed.
    return undefined;
  }
}

const packages = packagesOf(read('package-lock.json'), licenceIn);
const problems = packages.flatMap((each) => judged(each) ?? []);

function table(title: string, some: readonly LockedPackage[]): string {
  const licences = [...new Set(some.map(({ licence }) => licence ?? 'unknown'))].sort();
  const rows = licences.map((licence) => {
    const names = [...new Set(some.filter((each) => (each.licence ?? 'unknown') === licence).map(({ name }) => name))];
    const shown = names.length > 8 ? `${names.slice(0, 8).join(', ')} and ${names.length - 8} more` : names.join(', ');
    return `  ${licence.padEnd(20)} ${String(names.length).padStart(4)}  ${shown}`;
  });
  return `${title}\n${rows.join('\n')}\n`;
}

process.stdout.write(
  `${table(
    'Installed with Touchstone:',
    packages.filter(({ dev }) => !dev),
  )}\n${table(
    'Used to build and test it, and by nobody who installs it:',
    packages.filter(({ dev }) => dev),
  )}
k6 (AGPL-3.0) is not one of them: it is a separate program, which is never bundled, linked or shipped. Users install it, or have
\`touchstone tools install k6\` build it from its own source on their machine; Touchstone writes a script, starts the program and reads
the file that it leaves. Its scripts in load/ are Touchstone's own, under Apache-2.0.
`,
);
for (const each of problems) process.stderr.write(`✗ ${each}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
