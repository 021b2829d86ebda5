/**
 * A script with all that it imports, as files of one folder: a ConfigMap has no folders below it. Nothing is compiled, so what
 * runs in the cluster is what lies here, and a stack trace of k6 names lines that can be found.
 */
import { posix } from 'node:path';

/** Text by file name. */
export type Files = ReadonlyMap<string, string>;

/** An API server refuses larger ones. */
export const mostBytes = 2 ** 20;

/** `import … from './x.ts'`, `export … from './x.ts'`, `import './x.ts'`. */
const relativeImport = /^(import\s*|(?:import|export)\b[^'";]*?\bfrom\s*)(['"])(\.{1,2}\/[^'"]+)\2/gm;

/** `entry` and what `read` is asked for are paths with forward slashes. */
export function flatten(entry: string, read: (path: string) => string): Files {
  const root = posix.dirname(entry);
  const files = new Map<string, string>();
  const from = new Map<string, string>();
  const waiting = [posix.normalize(entry)];
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    const name = nameOf(root, path);
    const taken = from.get(name);
    if (taken === path) continue;
    if (taken !== undefined) throw new Error(`${taken} and ${path} would both be called ${name}`);
    from.set(name, path);
    const folder = posix.dirname(path);
    files.set(
      name,
      read(path).replaceAll(relativeImport, (_, before: string, quote: string, specifier: string) => {
        const imported = posix.join(folder, specifier);
        waiting.push(imported);
        return `${before}${quote}./${nameOf(root, imported)}${quote}`;
      }),
    );
  }
  return files;
}

/** `shared/answers.ts` becomes `shared-answers.ts`. */
const nameOf = (root: string, path: string): string =>
  posix.relative(root, path).replaceAll('../', 'up-').replaceAll('/', '-');

/** The script with its settings: k6 runs `main` without arguments. Settings hold no secrets; keys come in a file. */
export function bundle(
  entry: string,
  settings: Readonly<Record<string, string>>,
  read: (path: string) => string,
): Bundle {
  const extension = posix.extname(entry);
  const [main, given] = [`main${extension}`, `given${extension}`];
  const files = new Map(flatten(entry, read));
  for (const name of [main, given]) if (files.has(name)) throw new Error(`a script must not be called ${name}`);
  files.set(
    given,
    `// The settings of this run. The environment overrides them.\nfor (const [name, value] of Object.entries(${JSON.stringify(settings, null, 2)})) __ENV[name] ??= value;\n`,
  );
  // Evaluated in this order, so that settings are there when the script asks for them.
  files.set(main, `import './${given}';\n\nexport { default, options } from './${posix.basename(entry)}';\n`);
  const bytes = [...files].reduce((sum, [name, text]) => sum + name.length + Buffer.byteLength(text), 0);
  if (bytes > mostBytes) throw new Error(`the script has ${bytes} bytes, and a ConfigMap holds ${mostBytes}`);
  return { main, files };
}

export interface Bundle {
  readonly main: string;
  readonly files: Files;
}
