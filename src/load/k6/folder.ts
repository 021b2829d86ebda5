/** A fresh folder for one measurement: keys for its owner alone, and nothing of the user's own k6 settings. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../../mistakes.ts';
import { Secret } from '../../model/secret.ts';
import { whyUnwritten } from '../../runfile/write.ts';
import type { LoadPlan } from '../plan.ts';
import { scriptSettings } from './settings.ts';

export interface Folder {
  readonly path: string;
  readonly env: Readonly<Record<string, string>>;
  /** The values of secrets, to be removed from the output of k6. */
  readonly hidden: readonly string[];
  /** Keys and headers have been read; nobody needs their files any more. */
  forget(): void;
  remove(): void;
}

/** Of keys that have no place to lie. */
class NoFolder extends UserError {
  override readonly name = 'NoFolder';
}

export function makeFolder(plan: LoadPlan): Folder {
  let path: string | undefined;
  try {
    path = mkdtempSync(join(tmpdir(), 'touchstone-load-'));
    return filled(path, plan);
  } catch (error) {
    if (path !== undefined) rmSync(path, { recursive: true, force: true });
    throw new NoFolder(`nothing can be written to ${tmpdir()}: ${whyUnwritten(error)}`, 'no-temporary-folder');
  }
}

function filled(path: string, plan: LoadPlan): Folder {
  const keysFile = join(path, 'keys.txt');
  const values = plan.keys.map((key) => Secret.reveal(key));
  writeFileSync(keysFile, `${values.join('\n')}\n`, { mode: 0o600 });
  const headers = plan.headers.map(([name, value]) => [name, Secret.reveal(value)] as const);
  const headersFile = join(path, 'headers.json');
  writeFileSync(headersFile, JSON.stringify(Object.fromEntries(headers)), { mode: 0o600 });
  const secretHeaders = plan.headers.flatMap(([, value]) => (typeof value === 'string' ? [] : Secret.reveal(value)));
  const { ca } = plan.tls;
  const caFile = join(path, 'ca.pem');
  if (ca !== undefined) writeFileSync(caFile, ca, { mode: 0o600 });
  const remove = (): void => rmSync(path, { recursive: true, force: true });
  return {
    path,
    hidden: [...values, ...secretHeaders].filter((value) => value.length >= 6),
    env: {
      // Else it reports to its makers, and asks them for extensions.
      K6_NO_USAGE_REPORT: 'true',
      K6_AUTO_EXTENSION_RESOLUTION: 'false',
      NO_COLOR: '1',
      HOME: path,
      TMPDIR: path,
      ...(ca === undefined ? {} : { SSL_CERT_FILE: caFile }),
      ...scriptSettings(plan),
      API_KEYS_FILE: keysFile,
      HEADERS_FILE: headersFile,
      INSECURE: plan.tls.insecure ? '1' : '0',
    },
    forget: () => {
      for (const file of [keysFile, headersFile]) rmSync(file, { force: true });
    },
    remove,
  };
}
