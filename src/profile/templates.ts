/** The templates that an actor's input may hold, and what stands for them until a request fills them in. */
import { workingSlots } from '../model/ask.ts';
import { isObject, type Json } from '../model/json.ts';

export const templateNames = ['nonce', 'source.ok', 'source.ok2', 'source.slow', 'source.broken'] as const;

const stand: Readonly<Record<string, string>> = {
  nonce: 'n0c3a1b2c3d4e5f60718',
  // Behind the first two the run itself puts the others, where a list has room for more.
  ...Object.fromEntries(workingSlots.map((slot) => [`source.${slot}`, `http://127.0.0.1:9/s/${slot}`])),
  'source.slow': 'http://127.0.0.1:9/s/slow',
  'source.broken': 'http://127.0.0.1:9/s/broken',
};

/** Plausible values for the templates: what a validator looks at. */
export const fillPlausibly = (value: Json): Json =>
  mapStrings(value, (text) =>
    text.replaceAll(
      /\{\{(\{\{[^{}]*\}\})\}\}|\{\{\s*([\w.]+)\s*\}\}/g,
      (whole, data: string | undefined, name: string) => data ?? stand[name] ?? whole,
    ),
  );

/** Everything between double braces, with the place of the string that it stands in. Doubled braces are data. */
export function templatesIn(value: unknown): { readonly name: string; readonly path: (string | number)[] }[] {
  const found: { name: string; path: (string | number)[] }[] = [];
  const walk = (here: unknown, path: (string | number)[]): void => {
    if (typeof here === 'string') {
      for (const [, name] of here.matchAll(/\{\{\{\{[^{}]*\}\}\}\}|\{\{([^{}]*)\}\}/g))
        if (name !== undefined) found.push({ name: name.trim(), path });
    } else if (Array.isArray(here)) for (const [index, each] of here.entries()) walk(each, [...path, index]);
    else if (isObject(here)) for (const [name, each] of Object.entries(here)) walk(each, [...path, name]);
  };
  walk(value, []);
  return found;
}

export function mapStrings(value: Json, change: (text: string) => string): Json {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((each: Json) => mapStrings(each, change));
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([k, v]) => [k, mapStrings(v, change)]));
  return value;
}

export const holdsTemplate = (value: Json | undefined): boolean => JSON.stringify(value ?? null).includes('{{');

/** A text that names no source, with what stands for its nonce: for questions to which it does not matter whose run it is. */
export function plainText(value: Json | undefined): string | undefined {
  if (typeof value !== 'string' || templatesIn(value).some(({ name }) => name !== 'nonce')) return undefined;
  const text = String(fillPlausibly(value));
  return text.includes('{{') ? undefined : text;
}
