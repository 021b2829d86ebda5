/** Looks for secrets in what is about to be handed to others: in its bytes, and in what its JSON says when it is read. */
import { isUtf8 } from 'node:buffer';
import { isObject } from '../model/json.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { BundleFiles } from './bundle.ts';

export interface Hit {
  readonly file: string;
  /** What the secret is called, and in which form it stands there. */
  readonly secret: string;
  readonly line?: number;
}

/** Every secret that the keyring knows, in every form that it knows. */
export function secretsIn(files: BundleFiles, keyring: Keyring): Hit[] {
  return [...files].flatMap(([file, content]) => {
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.length);
    const whole = found(bytes.toString('latin1'), keyring);
    if (whole !== undefined) return [{ file, secret: whole }];
    // JSON escapes what it holds, and bodies that are no text stand there as base64: both are read as a reader would.
    if (!file.endsWith('.jsonl') || !isUtf8(bytes)) return [];
    for (const [index, line] of bytes.toString('utf8').split('\n').entries()) {
      const secret = line === '' ? undefined : inJson(parsed(line), keyring);
      if (secret !== undefined) return [{ file, secret, line: index + 1 }];
    }
    return [];
  });
}

/** Something shaped like a key that no profile names: a person should look at it. */
export function keyShapesIn(files: BundleFiles): string[] {
  return [...files].flatMap(([file, bytes]) =>
    /vk_(?:live|test)_[A-Za-z0-9_-]{12,}/.test(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1'),
    )
      ? [file]
      : [],
  );
}

function found(latin1: string, keyring: Keyring): string | undefined {
  const redacted = keyring.redact(latin1);
  if (redacted === latin1) return undefined;
  let at = 0;
  while (latin1[at] === redacted[at]) at += 1;
  const name = /\u00c2\u00ab(.*?)\u00c2\u00bb/s.exec(redacted.slice(Math.max(0, at - 2)))?.[1] ?? 'a secret';
  return Buffer.from(name, 'latin1').toString('utf8');
}

const parsed = (line: string): unknown => {
  try {
    return JSON.parse(line);
  } catch {
    return line;
  }
};

function inJson(value: unknown, keyring: Keyring): string | undefined {
  if (typeof value === 'string') return found(Buffer.from(value, 'utf8').toString('latin1'), keyring);
  if (Array.isArray(value)) return first(value, (each) => inJson(each, keyring));
  if (!isObject(value)) return undefined;
  return first(Object.entries(value), ([name, each]) =>
    name === 'base64' && typeof each === 'string'
      ? found(Buffer.from(each, 'base64').toString('latin1'), keyring)
      : (inJson(name, keyring) ?? inJson(each, keyring)),
  );
}

function first<T, R>(items: readonly T[], test: (item: T) => R | undefined): R | undefined {
  for (const item of items) {
    const result = test(item);
    if (result !== undefined) return result;
  }
  return undefined;
}
