/** A key is a secret from its first byte: what an answer shows of a new one is registered before anything is written down. */

import { isTooMuch } from '../http/appetite.ts';
import { atPointer, type Json } from '../model/json.ts';
import { ExactNumber, readAsWritten } from '../model/json-text.ts';
import { Secret } from '../model/secret.ts';
import type { Keyring } from './keyring.ts';

export interface Reveals {
  /** JSON Pointers into the answer. */
  readonly key: string;
  readonly id?: string;
  /** What the key will be called. */
  readonly name: string;
}

export function reveal(at: Reveals, bytes: Uint8Array, keyring: Keyring): { key?: Secret; id?: Secret } {
  const text = Buffer.from(bytes)
    .toString('utf8')
    .replace(/^\ufeff/, '');
  // Parsed, what is nested or divided without end would fill many times the memory of its text.
  const body = isTooMuch(bytes) ? null : parsed(text);
  const value = atPointer(body, at.key);
  const id = at.id === undefined ? undefined : atPointer(body, at.id);
  const found: { key?: Secret; id?: Secret } = {};
  // Half a character (a lone surrogate) has no bytes: sent back, it is what a writer of UTF-8 puts in its place.
  // One that was given out before keeps the name that is in everything that is written down.
  if (typeof value === 'string' && value !== '') found.key = keyring.known(new Secret(at.name, value.toWellFormed()));
  if (found.key !== undefined) keyring.register(found.key);
  // An answer that shows a key anywhere else is still an answer with a key in it.
  for (const [other] of text.matchAll(/vk_(?:live|test)_[\w-]{8,}/g)) {
    // A part of the new key itself, such as its public half, is no other key.
    if ((typeof value !== 'string' || !value.includes(other)) && !isExample(other))
      keyring.register(new Secret(`${at.name}-elsewhere`, other));
  }
  if (typeof id === 'string' || typeof id === 'number' || id instanceof ExactNumber)
    found.id = new Secret(`${at.name}:id`, String(id).toWellFormed());
  return found;
}

const inOrder = '0123456789abcdefghijklmnopqrstuvwxyz0123456789'.repeat(4);
const hexInOrder = '0123456789abcdef'.repeat(8);

/** What a hint shows of the form of a key, and nobody was given: one letter again and again, all in their order, or words that say so. */
export function isExample(key: string): boolean {
  const body = key.slice('vk_live_'.length).toLowerCase();
  return (
    new Set(body).size === 1 ||
    inOrder.includes(body) ||
    hexInOrder.includes(body) ||
    /example|sample|placeholder|your[_-]?key|x{8}|\.\.\./.test(body)
  );
}

function parsed(text: string): Json {
  try {
    return readAsWritten(text);
  } catch {
    return null;
  }
}
