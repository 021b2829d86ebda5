/**
 * Fills `{{nonce}}` and `{{source.…}}` into an input: every exchange gets a nonce and addresses of its own. Doubled braces
 * are data: `{{{{ who }}}}` is sent as `{{ who }}`.
 */
import type { SourceBehaviour, SourceSlot } from '../model/ask.ts';
import type { Planted } from '../model/exchange.ts';
import { isObject, type Json } from '../model/json.ts';
import type { Sources } from './sources.ts';

const template = /\{\{(\{\{[^{}]*\}\})\}\}|\{\{\s*(nonce|source\.(ok(?:[2-9]|[123][0-9]|40)?|slow|broken))\s*\}\}/g;

const usual = (slot: SourceSlot): SourceBehaviour => (slot === 'slow' ? 'slow' : slot === 'broken' ? 'refused' : 'ok');

export interface Filled {
  readonly input: Json;
  readonly planted?: Planted;
}

export function fill(
  input: Json,
  sources: Sources,
  newNonce: () => string,
  behaviours: Partial<Record<SourceSlot, SourceBehaviour>> = {},
): Filled {
  let nonce: string | undefined;
  const planted = new Map<string, { slot: string; token: string; behaviour: string; url: string }>();
  const replaced = (text: string): string =>
    text.replaceAll(template, (_, data: string | undefined, name: string, slot: SourceSlot | undefined) => {
      if (data !== undefined) return data;
      if (slot === undefined) {
        nonce ??= newNonce();
        return nonce;
      }
      let source = planted.get(name);
      if (source === undefined) {
        source = sources.plant(slot, behaviours[slot] ?? usual(slot));
        planted.set(name, source);
      }
      return source.url;
    });
  const walk = (value: Json): Json => {
    if (typeof value === 'string') return value.includes('{{') ? replaced(value) : value;
    if (Array.isArray(value)) return value.map(walk);
    if (!isObject(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, walk(each)]));
  };
  const filled = walk(input);
  if (nonce === undefined && planted.size === 0) return { input: filled };
  return {
    input: filled,
    planted: {
      ...(nonce === undefined ? {} : { nonce }),
      sources: [...planted.values()].map(({ slot, token, behaviour }) => ({ slot, token, behaviour })),
    },
  };
}

/** What an input's templates say about the actor it is for. */
export function templatesIn(input: Json | undefined): { readonly echoes: boolean; readonly sources: 0 | 1 | 2 } {
  const text = JSON.stringify(input ?? null);
  const found = [...text.matchAll(template)];
  const slots = new Set(found.flatMap((match) => match[3] ?? []));
  return {
    echoes: found.some((match) => match[2] === 'nonce'),
    sources: slots.size >= 2 ? 2 : slots.size === 1 ? 1 : 0,
  };
}
