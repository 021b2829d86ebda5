/**
 * A JSON text read without any loss: the order of members, members of one name, the digits of numbers, and where each stands.
 * `readJson` is quicker, and enough if only values are needed.
 */
import type { Json } from './json.ts';
import { numberOf } from './json-text.ts';

interface Stretch {
  /** Of the text: the first character, and the one behind the last. */
  readonly begin: number;
  readonly end: number;
}

export interface JsonMember extends Stretch {
  readonly name: string;
  readonly value: JsonNode;
}

export type JsonNode = Stretch &
  (
    | { readonly kind: 'object'; readonly members: readonly JsonMember[] }
    | { readonly kind: 'array'; readonly items: readonly JsonNode[] }
    | { readonly kind: 'string'; readonly value: string }
    | { readonly kind: 'number'; readonly digits: string }
    | { readonly kind: 'literal'; readonly value: boolean | null }
  );

const blank = /[ \t\n\r]*/y;
const number = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
// biome-ignore lint/suspicious/noControlCharactersInRegex: these must not be in a text
const string = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;

const literals = { true: true, false: false, null: null } as const;

/** Deeper than anything that is looked at: the recorder keeps no more of it. */
const deepest = 2500;

/** Throws where the text is no JSON, as `JSON.parse` does. */
export function readTree(text: string): JsonNode {
  const reader = new TreeReader(text);
  const root = reader.value(0);
  reader.end();
  return root;
}

class TreeReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
    this.#skip();
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) this.#fail();
  }

  value(depth: number): JsonNode {
    if (depth > deepest) throw new SyntaxError('nested too deeply');
    const begin = this.#at;
    const first = this.#text[begin];
    if (first === '{') return this.#object(begin, depth);
    if (first === '[') return this.#array(begin, depth);
    if (first === '"') return { kind: 'string', value: this.#string(), begin, end: this.#at };
    for (const [word, value] of Object.entries(literals)) {
      if (!this.#text.startsWith(word, begin)) continue;
      this.#at += word.length;
      return { kind: 'literal', value, begin, end: this.#at };
    }
    const digits = this.#match(number);
    if (digits === undefined) this.#fail();
    return { kind: 'number', digits, begin, end: this.#at };
  }

  #object(begin: number, depth: number): JsonNode {
    const members: JsonMember[] = [];
    this.#at += 1;
    this.#skip();
    while (this.#text[this.#at] !== '}') {
      if (members.length > 0) this.#take(',');
      const from = this.#at;
      const name = this.#string();
      this.#skip();
      this.#take(':');
      const value = this.value(depth + 1);
      members.push({ name, value, begin: from, end: this.#at });
      this.#skip();
    }
    this.#at += 1;
    return { kind: 'object', members, begin, end: this.#at };
  }

  #array(begin: number, depth: number): JsonNode {
    const items: JsonNode[] = [];
    this.#at += 1;
    this.#skip();
    while (this.#text[this.#at] !== ']') {
      if (items.length > 0) this.#take(',');
      items.push(this.value(depth + 1));
      this.#skip();
    }
    this.#at += 1;
    return { kind: 'array', items, begin, end: this.#at };
  }

  #string(): string {
    const written = this.#match(string);
    if (written === undefined) this.#fail();
    return written.includes('\\') ? (JSON.parse(written) as string) : written.slice(1, -1);
  }

  #take(character: string): void {
    if (this.#text[this.#at] !== character) this.#fail();
    this.#at += 1;
    this.#skip();
  }

  #skip(): void {
    this.#match(blank);
  }

  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0];
    if (found !== undefined) this.#at += found.length;
    return found;
  }

  #fail(): never {
    const what = this.#at < this.#text.length ? `unexpected character at ${this.#at}` : 'the text ends too early';
    throw new SyntaxError(what);
  }
}

/** The same text but for its blanks, and but for escapes that nobody needs. */
export function writeTree(node: JsonNode): string {
  switch (node.kind) {
    case 'object':
      return `{${node.members.map(({ name, value }) => `${JSON.stringify(name)}:${writeTree(value)}`).join()}}`;
    case 'array':
      return `[${node.items.map(writeTree).join()}]`;
    case 'number':
      return node.digits;
    default:
      return JSON.stringify(node.value);
  }
}

/** What `readJson` makes of the same text: the last of several members of one name counts. */
export function jsonOfTree(node: JsonNode): Json {
  switch (node.kind) {
    case 'object':
      return Object.fromEntries(node.members.map(({ name, value }) => [name, jsonOfTree(value)]));
    case 'array':
      return node.items.map(jsonOfTree);
    case 'number':
      return numberOf(node.digits);
    default:
      return node.value;
  }
}

/** Members of one name next to each other that differ: readers do not agree on which of them counts. */
export function ambiguousMembers(node: JsonNode, path = ''): readonly string[] {
  if (node.kind === 'array') return node.items.flatMap((item, at) => ambiguousMembers(item, `${path}/${at}`));
  if (node.kind !== 'object') return [];
  const seen = new Map<string, string>();
  const found: string[] = [];
  for (const { name, value } of node.members) {
    const here = `${path}/${name}`;
    const text = writeTree(value);
    if (seen.has(name) && seen.get(name) !== text) found.push(here);
    seen.set(name, text);
    found.push(...ambiguousMembers(value, here));
  }
  return found;
}
