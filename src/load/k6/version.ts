/** Which k6 can be used. */

/** What is built where nothing is found, and what the scripts are tried with. */
export const wantedVersion = '2.2.0';
export const modulePath = 'go.k6.io/k6/v2';

export interface K6Version {
  readonly text: string;
  readonly major: number;
}

/** `k6 version --json` of 2.x, and what 1.x prints: `k6 v1.3.0 (go1.24, linux/amd64)`. */
export function versionIn(output: string): K6Version | undefined {
  const found = /"version":\s*"v?(\d+)\.(\d+)\.(\d+)[^"]*"|\bk6(?:\.exe)? v(\d+)\.(\d+)\.(\d+)/.exec(output);
  if (found === null) return undefined;
  const [major, minor, patch] = found.slice(1).filter((each) => each !== undefined);
  return { text: `${major}.${minor}.${patch}`, major: Number(major) };
}

export type Fitness =
  | { readonly usable: true; readonly warning?: string }
  | { readonly usable: false; readonly why: string };

export function fitnessOf(version: K6Version | undefined): Fitness {
  if (version === undefined) return { usable: false, why: 'it does not say that it is k6' };
  if (version.major === 2) return { usable: true };
  if (version.major === 1)
    return {
      usable: true,
      warning: `k6 ${version.text} is older than the version that Touchstone is tested with (${wantedVersion})`,
    };
  return { usable: false, why: `its version is ${version.text}, and 2.x is needed` };
}
