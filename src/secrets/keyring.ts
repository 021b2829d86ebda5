/**
 * Every secret of a run, and the one place where they are replaced by their names. Texts are looked at as latin1, so
 * that a secret is found byte by byte everywhere: in a head, in a body, as a hash, as base64.
 */
import { Secret } from '../model/secret.ts';
import { Detector } from './detector.ts';
import { type Form, formsOf, latin1, shortestPlain } from './forms.ts';
import { hiddenIn } from './hidden.ts';
import { withNames } from './in-json.ts';
import { type Reading, readingsOf } from './unescaping.ts';

/** Of what was looked at before: two megabytes at most. */
const longestKnown = 2048;
const mostKnown = 1024;
/** Four bytes are spread over a table of 128 kilobytes. */
const spread = 0x9e3779b1;
const unused = 15;
const slotOf = (four: number): number => Math.imul(four, spread) >>> unused;
/** A near miss has a detector of its own, which is small. */
const bitsOfOne = 14;
const mostNearly = 128;

function disguised(text: string, detector: Detector): string {
  const hidden = hiddenIn(text, detector);
  return hidden.length === 0 ? text : withNames(text, hidden);
}

export class Keyring {
  /** Real secrets by value: two names for one value are one secret. */
  readonly #real = new Map<string, string>();
  /** Too short to be looked for in running text; replaced only where one is a whole header value or JSON string. */
  readonly #short: Form[] = [];
  /** Forms by their first four bytes, and a table that says at four bytes whether a look is worth it. */
  readonly #forms = new Map<number, Form[]>();
  /** What was made of short texts since the last secret was registered: half of what services say, they say again. */
  readonly #known = new Map<string, string>();
  readonly #nearly = new Map<string, Detector>();
  #scratch = Buffer.alloc(4096);
  readonly #worth = new Uint8Array(2 ** (32 - unused));
  readonly #detector = new Detector();

  register(secret: Secret): void {
    const value = Secret.reveal(secret);
    if (value === '' || this.#real.has(value)) return;
    this.#real.set(value, secret.name);
    this.#known.clear();
    if (value.length < shortestPlain) this.#short.push({ needle: latin1(value), name: latin1(`«${secret.name}»`) });
    for (const form of formsOf(secret.name, value)) this.#add(form);
    this.#detector.add(secret.name, value);
  }

  /** The same secret by the name by which it is known already. */
  known(secret: Secret): Secret {
    const name = this.#real.get(Secret.reveal(secret));
    return name === undefined || name === secret.name ? secret : new Secret(name, Secret.reveal(secret));
  }

  /** Whether a value is one of the real secrets: a near miss that is, misses nothing. */
  holds(secret: Secret): boolean {
    return this.#real.has(Secret.reveal(secret));
  }

  /**
   * Replaces every secret in a latin1 text. `passing` are near misses of this exchange alone; they are longer or closer
   * to the real thing than its parts, so they go first.
   */
  redact(text: string, passing: readonly Secret[] = []): string {
    if (passing.length > 0 || text.length > longestKnown) return this.#redacted(text, passing);
    let result = this.#known.get(text);
    if (result === undefined) {
      result = this.#redacted(text, passing);
      if (this.#known.size >= mostKnown) this.#known.clear();
      this.#known.set(text, result);
    }
    return result;
  }

  #redacted(text: string, passing: readonly Secret[]): string {
    let result = text;
    for (const secret of passing) {
      const value = latin1(Secret.reveal(secret));
      const prefix = /^vk_(?:live|test)_/.exec(value)?.[0] ?? '';
      if (value.length >= shortestPlain) result = result.replaceAll(value, `${prefix}${latin1(`«${secret.name}»`)}`);
    }
    for (const { needle, name } of this.#short) {
      result = result.replaceAll(`: ${needle}\r\n`, `: ${name}\r\n`).replaceAll(`"${needle}"`, `"${name}"`);
    }
    // In disguise too: an echo of a near miss reveals most of the secret.
    for (const secret of passing) result = disguised(result, this.#detectorOf(secret));
    const spans = this.#spansIn(result);
    let shown = '';
    let copied = 0;
    for (const { begin, end, name } of spans) {
      shown += result.slice(copied, begin) + name;
      copied = end;
    }
    const plainly = spans.length === 0 ? result : shown + result.slice(copied);
    return disguised(plainly, this.#detector);
  }

  /** Near misses are sent again and again, each to every route. */
  #detectorOf(secret: Secret): Detector {
    const value = Secret.reveal(secret);
    const id = `${secret.name} ${value}`;
    let detector = this.#nearly.get(id);
    if (detector === undefined) {
      detector = new Detector(bitsOfOne);
      // Whatever prefix it was given: a preview shows the first letters of a key behind it.
      detector.add(secret.name, value.replace(/^vk_[a-z]+_/i, ''));
      if (this.#nearly.size >= mostNearly) this.#nearly.clear();
      this.#nearly.set(id, detector);
    }
    return detector;
  }

  /** What is to be replaced, in order. Escapes can spell any character, so a secret can be there without any of its bytes. */
  #spansIn(text: string): Span[] {
    const found = this.#find(text).map((each) => spanOf(text, undefined, each));
    for (const reading of readingsOf(text))
      found.push(...this.#find(reading.text).map((each) => spanOf(text, reading, each)));
    if (found.length === 0) return found;
    // A part of one may be all of it that can be seen in one reading: the whole goes first.
    const taken = new Uint8Array(text.length);
    const chosen: Span[] = [];
    for (const wanted of [false, true])
      for (const span of found) {
        if (span.part !== wanted || taken[span.begin] === 1 || taken[span.end - 1] === 1) continue;
        taken.fill(1, span.begin, span.end);
        chosen.push(span);
      }
    return chosen.sort((a, b) => a.begin - b.begin);
  }

  #add(form: Form): void {
    const start = fourAt(latin1Bytes(form.needle), 0);
    const same = this.#forms.get(start);
    if (same === undefined) this.#forms.set(start, [form]);
    else {
      same.push(form);
      same.sort((a, b) => b.needle.length - a.needle.length);
    }
    this.#worth[slotOf(start)] = 1;
  }

  /** Bytes are looked at much faster than the characters of a string that was put together. */
  #bytesOf(text: string): Buffer {
    if (this.#scratch.length < text.length) this.#scratch = Buffer.alloc(text.length * 2);
    this.#scratch.write(text, 'latin1');
    return this.#scratch;
  }

  /** Everything of a text that is a form of a secret, from its beginning to its end, none over another. */
  #find(text: string): readonly Found[] {
    const worth = this.#worth;
    const length = text.length;
    const bytes = this.#bytesOf(text);
    let all: Found[] | undefined;
    let past = 0;
    let last = 0;
    for (let at = 0; at < length; at += 1) {
      last = (last << 8) | bytes[at]!;
      if (worth[Math.imul(last, spread) >>> unused] !== 1 || at < 3) continue;
      const start = at - 3;
      if (start < past) continue;
      const form = this.#forms.get(last)?.find((each) => text.startsWith(each.needle, start));
      if (form === undefined) continue;
      all ??= [];
      past = start + form.needle.length + further(text, start + form.needle.length, form.more);
      all.push({ at: start, end: past, form });
    }
    return all ?? none;
  }
}

/** Four bytes as one number: nothing is made for a look that finds nothing, of which there are many. */
const fourAt = (bytes: Uint8Array, at: number): number =>
  (bytes[at]! << 24) | (bytes[at + 1]! << 16) | (bytes[at + 2]! << 8) | bytes[at + 3]!;

const latin1Bytes = (text: string): Uint8Array => Buffer.from(text, 'latin1');

function further(text: string, at: number, more = ''): number {
  let count = 0;
  while (count < more.length && text[at + count] === more[count]) count += 1;
  return count;
}

interface Found {
  readonly at: number;
  readonly end: number;
  readonly form: Form;
}

interface Span {
  readonly begin: number;
  readonly end: number;
  readonly name: string;
  readonly part: boolean;
}

const none: readonly Found[] = [];

const keyPrefix = /vk_(?:live|test)_$/;
const opening = latin1('«');

/** The place in the original of a hit in a decoded reading: an escape is replaced as a whole. */
function spanOf(original: string, reading: Reading | undefined, { at, end: past, form }: Found): Span {
  const { needle, name } = form;
  const part = name.includes(`${opening}part:`);
  if (reading === undefined) return { begin: at, end: past, name, part };
  const { text, from } = reading;
  const prefix = keyPrefix.exec(text.slice(Math.max(0, at - 8), at))?.[0] ?? '';
  const begin = from[at - prefix.length]!;
  const end = from[past]!;
  const bare = !name.includes(':') && original.slice(begin, end).includes('%') && !needle.includes('%');
  return { begin, end, name: prefix + (bare ? name.replace(opening, `${opening}url:`) : name), part };
}
