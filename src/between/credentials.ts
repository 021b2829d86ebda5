/** The keys and tokens that are seen in passing: whatever is written down after that has their names instead. */
import { kindOfKey, Secret } from '../model/secret.ts';
import type { Keyring } from '../secrets/keyring.ts';

const keyLike = /vk_(?:live|test)_[\w.~+/=-]{6,}/g;
const secretHeaders: Readonly<Record<string, string>> = {
  authorization: 'authorization',
  'proxy-authorization': 'authorization',
  cookie: 'cookie',
  'set-cookie': 'cookie',
  'x-admin-token': 'admin-token',
};
/** Each costs a little for every text that is written: a caller that invents keys must not make us slow. */
const mostKnown = 300;
const shortest = 4;

export class Credentials {
  readonly #keyring: Keyring;
  readonly #known = new Set<string>();
  #keys = 0;
  #others = 0;

  constructor(keyring: Keyring) {
    this.#keyring = keyring;
  }

  /** What a request carries, by its head. Returned: what was too much to be remembered, for this exchange alone. */
  sent(rawHeaders: readonly string[], target: string): Secret[] {
    const passing: Secret[] = [];
    for (let at = 0; at < rawHeaders.length; at += 2) {
      const name = rawHeaders[at]!.toLowerCase();
      const value = rawHeaders[at + 1] ?? '';
      if (name === 'x-api-key') for (const each of value.split(',')) this.#key(each.trim(), passing);
      else if (name in secretHeaders) this.#header(secretHeaders[name]!, value, passing);
      else this.#keysIn(value, passing);
    }
    this.#keysIn(target, passing);
    return passing;
  }

  /** What a request says in its body. */
  said(text: string): Secret[] {
    const passing: Secret[] = [];
    this.#keysIn(text, passing);
    return passing;
  }

  /** What an answer shows: a key that nobody has sent so far is no less a secret, and nobody's fault. */
  shown(text: string, rawHeaders: readonly string[]): Secret[] {
    const passing: Secret[] = [];
    for (let at = 0; at < rawHeaders.length; at += 2)
      if (rawHeaders[at]!.toLowerCase() === 'set-cookie') this.#header('cookie', rawHeaders[at + 1] ?? '', passing);
    for (const [key] of text.matchAll(keyLike)) this.#add(key, () => this.#next('shown:'), 'shown:more', passing);
    return passing;
  }

  #key(value: string, passing: Secret[]): void {
    const inside = value.match(keyLike);
    // A word before it, or behind it, is no part of the key.
    if (inside !== null && kindOfKey(value) === undefined) this.#keysIn(value, passing);
    else if (value.length >= shortest) this.#add(value, this.#keyName, 'key-more', passing);
  }

  readonly #keyName = (): string => {
    this.#keys += 1;
    return this.#keys === 1 ? 'key' : `key-${this.#keys}`;
  };

  #keysIn(text: string, passing: Secret[]): void {
    if (!text.includes('vk_')) return;
    for (const [key] of text.matchAll(keyLike)) this.#add(key, this.#keyName, 'key-more', passing);
  }

  #header(what: string, value: string, passing: Secret[]): void {
    const words = value.split(/[\s;,]+/).map((word) => (what === 'cookie' ? word.slice(word.indexOf('=') + 1) : word));
    for (const word of words) {
      const plain = /^[A-Za-z0-9+/_-]{8,}={0,2}$/.test(word) ? Buffer.from(word, 'base64').toString('latin1') : '';
      if (word.includes('vk_')) this.#keysIn(word, passing);
      else if (plain.includes('vk_')) this.#keysIn(plain, passing);
      else if (word.length >= 8) this.#add(word, () => this.#next(`${what}-`), `${what}-more`, passing);
    }
  }

  #next(what: string): string {
    this.#others += 1;
    return `${what}${this.#others}`;
  }

  #add(value: string, name: () => string, more: string, passing: Secret[]): void {
    if (this.#known.has(value)) return;
    if (this.#known.size >= mostKnown) {
      passing.push(new Secret(more, value));
      return;
    }
    this.#known.add(value);
    this.#keyring.register(new Secret(name(), value));
  }
}
