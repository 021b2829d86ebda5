/** Pure: what a client is started with. Of our own environment it gets what programs need to start, and nothing else. */
import type { ProfileClient } from '../profile/profile-client.ts';

export interface Values {
  readonly base: string;
  readonly key: string;
  readonly actor: string;
  readonly input: string;
  readonly input_file: string;
  /** Holds the key, for clients that read it from a file. */
  readonly key_file: string;
}

export const filled = (text: string, values: Values): string =>
  text.replaceAll(/\{(base|key|actor|input|input_file|key_file)\}/g, (_, name: keyof Values) => values[name]);

export const mentions = (client: ProfileClient, ...names: readonly (keyof Values)[]): boolean =>
  [...client.command, ...Object.values(client.env), client.stdin ?? ''].some((text) =>
    names.some((name) => text.includes(`{${name}}`)),
  );

const names = new Set(
  'PATH HOME USER LOGNAME SHELL TZ SystemRoot windir ComSpec PATHEXT USERPROFILE APPDATA LOCALAPPDATA NODE_PATH PYTHONPATH VIRTUAL_ENV LD_LIBRARY_PATH GEM_HOME GEM_PATH NVM_DIR DENO_DIR XDG_CACHE_HOME'.split(
    ' ',
  ),
);
/** Where a toolchain is, and where it keeps what it has built. */
const toolchains = /^(?:JAVA|JDK|GO|CARGO|RUSTUP|PYENV|RBENV|DOTNET|MAVEN|M2|GRADLE)(?:_?[A-Z]+)*$/;

type Env = Readonly<Record<string, string | undefined>>;

export function environmentOf(env: Env, client: ProfileClient, values: Values, folder: string): Record<string, string> {
  const passed = Object.entries(env).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && (names.has(entry[0]) || toolchains.test(entry[0])),
  );
  return {
    ...Object.fromEntries(passed),
    // Runtimes read variables and arguments by it: without it, letters beyond ASCII get lost before the client begins.
    LANG: 'C.UTF-8',
    LC_ALL: 'C.UTF-8',
    TMPDIR: folder,
    ...Object.fromEntries(Object.entries(client.env).map(([name, text]) => [name, filled(text, values)])),
  };
}
