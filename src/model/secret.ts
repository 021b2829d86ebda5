/**
 * A value that rules may send but never read. Only the recorder opens it (`reveal`), and the recorder is also what
 * writes the name instead of the value. Printing one in any way prints the name.
 */
export class Secret {
  readonly name: string;
  readonly #value: string;

  constructor(name: string, value: string) {
    this.name = name;
    this.#value = value;
  }

  /** The same secret with one thing wrong, under a name that says what: near misses of a key. */
  derive(how: string, change: (value: string) => string): Secret {
    return new Secret(`${this.name}:${how}`, change(this.#value));
  }

  /** For the recorder only; `tidy.test.ts` lists its callers. */
  static reveal(credential: Secret | string): string {
    return typeof credential === 'string' ? credential : credential.#value;
  }

  toString(): string {
    return `«${this.name}»`;
  }

  toJSON(): string {
    return this.toString();
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return this.toString();
  }
}

export type KeyKind = 'live' | 'test';

export const keyPrefixes: Readonly<Record<KeyKind, string>> = { live: 'vk_live_', test: 'vk_test_' };

export const kindOfKey = (value: string): KeyKind | undefined =>
  value.startsWith(keyPrefixes.live) ? 'live' : value.startsWith(keyPrefixes.test) ? 'test' : undefined;

/** A hash can't be turned back, and half of a key is a preview, not the key. */
export const isPlaintextForm = (form: string): boolean => !/^(?:sha256|part\b)/.test(form);

/** Whether a text shows the plaintext of a secret, bare or in another coding. */
export const showsPlaintext = (text: string, name: string): boolean => formsOf(text, name).some(isPlaintextForm);

/** The forms in which a secret occurs in a text: '' bare, `base64`, `sha256`, … */
export function formsOf(text: string, name: string): readonly string[] {
  const quoted = name.replaceAll(/[^\w]/g, '\\$&');
  const pattern = new RegExp(`«(?:([\\w-]+):)?${quoted}(?:-elsewhere)?Â?»`, 'g');
  return [...new Set([...text.matchAll(pattern)].map(([, form]) => form ?? ''))];
}

/** The names of all secrets in a text, with the forms in which they occur. */
export const namesIn = (text: string): readonly string[] => [
  ...new Set([...text.matchAll(/«([^«»\s]{1,120})»/g)].map(([, name = '']) => name)),
];
