/**
 * Finds any twelve characters in a row of any secret, however they are spelt: letters and digits alone are compared, without case,
 * whatever stands between them. What is packed is unpacked first (`unpacking.ts`).
 */
import { gram, type Spelling, spellingsOf } from './spellings.ts';
import { isCommon } from './vocabulary.ts';

export interface Hit {
  /** The first character of it in the text, and the one behind its last. */
  readonly begin: number;
  readonly end: number;
  /** `base64:main`, `part:main`; for the whole secret in another spelling `spelt:main`. */
  readonly name: string;
}

export interface Look {
  readonly hits: readonly Hit[];
  /** Where something long enough stands that may be base64: begin and end in turn. */
  readonly runs: readonly number[];
  /** What else is there: `sight`. */
  readonly seen: number;
}

/** What makes another look worth its time. */
export const sight = { escapes: 1, wide: 2, indices: 4, codes: 8, pairs: 16, lines: 32 } as const;

interface Entry {
  readonly spelling: Spelling;
  readonly secret: string;
  readonly at: number;
}

const base = 0x01000193;
const spread = 0x9e3779b1;
const highest = power(gram);

function power(times: number): number {
  let result = 1;
  for (let at = 0; at < times; at += 1) result = Math.imul(result, base);
  return result;
}

/** Of a character its small letter or digit; 0 for what means nothing. */
const plain = new Uint8Array(256);
for (const each of '0123456789abcdefghijklmnopqrstuvwxyz') {
  plain[each.charCodeAt(0)] = each.charCodeAt(0);
  plain[each.toUpperCase().charCodeAt(0)] = each.charCodeAt(0);
}

const ofBase64 = new Uint8Array(256);
for (const each of '+/_-') ofBase64[each.charCodeAt(0)] = 1;

/** Shorter ones hold no twelve characters. */
const shortestRun = 16;
const shortestList = 12;

/** Characters that are searched at once; the overlap at an edge is searched twice. */
const stretch = 256 * 1024;
const overlap = 8 * 1024;

/** What a look writes down on its way. Nobody looks while another looks. */
const scratch = { letters: Buffer.alloc(4096), places: new Uint32Array(4096), bytes: Buffer.alloc(4096) };

export class Detector {
  readonly #shift: number;
  readonly #filter: Uint8Array;
  readonly #entries = new Map<number, Entry[]>();
  #runs: readonly number[] = none;
  #seen = 0;

  /** `bits`: of the table that says at a hash whether a look is worth it. For one secret, few are enough. */
  constructor(bits = 20) {
    this.#shift = 32 - bits;
    this.#filter = new Uint8Array(2 ** bits);
  }

  add(secret: string, value: string): void {
    for (const spelling of spellingsOf(value)) {
      const { needle } = spelling;
      const least = Math.min(spelling.least, needle.length);
      // A text with that many in a row has one of these among them.
      const step = least - gram + 1;
      for (let at = 0; at + gram <= needle.length; at += step) this.#addGram({ spelling, secret, at });
      if ((needle.length - gram) % step !== 0) this.#addGram({ spelling, secret, at: needle.length - gram });
    }
  }

  #addGram(entry: Entry): void {
    const text = entry.spelling.needle.slice(entry.at, entry.at + gram);
    if (isCommon(text)) return;
    let hash = 0;
    for (let at = 0; at < gram; at += 1) hash = (Math.imul(hash, base) + text.charCodeAt(at)) | 0;
    this.#filter[Math.imul(hash, spread) >>> this.#shift] = 1;
    const same = this.#entries.get(hash);
    if (same === undefined) this.#entries.set(hash, [entry]);
    else same.push(entry);
  }

  /** A latin1 text, from its beginning to its end, no hit over another. */
  look(text: string): Look {
    if (this.#entries.size === 0 || text.length < gram) return nothing;
    if (text.length <= stretch) return this.#findIn(text, 0);
    const hits: Hit[] = [];
    const runs: number[] = [];
    let seen = 0;
    for (let from = 0; from < text.length; from += stretch - overlap) {
      const look = this.#findIn(text.slice(from, from + stretch), from);
      for (const hit of look.hits) if (hit.begin >= (hits.at(-1)?.end ?? 0)) hits.push(hit);
      runs.push(...look.runs);
      seen |= look.seen;
    }
    return { hits, runs, seen };
  }

  #findIn(text: string, from: number): Look {
    const length = this.#prepare(text, from);
    const runs = this.#runs;
    const seen = this.#seen;
    const { letters, places } = scratch;
    const filter = this.#filter;
    const shift = this.#shift;
    let hits: Hit[] | undefined;
    let past = 0;
    let hash = 0;
    for (let at = 0; at < length; at += 1) {
      hash = (Math.imul(hash, base) + letters[at]!) | 0;
      if (at >= gram) hash = (hash - Math.imul(letters[at - gram]!, highest)) | 0;
      if (filter[Math.imul(hash, spread) >>> shift] === 0 || at + 1 < gram || at + 1 - gram < past) continue;
      const hit = this.#longest(hash, at + 1 - gram, past, length);
      if (hit === undefined) continue;
      hits ??= [];
      hits.push({
        begin: from + places[hit.begin]!,
        end: from + places[hit.end - 1]! + 1,
        name: hit.name,
      });
      past = hit.end;
    }
    return hits === undefined && runs === none && seen === 0 ? nothing : { hits: hits ?? none, runs, seen };
  }

  /** Letters and digits, and where each stands; and, in the same walk, what of the text is worth another look. */
  #prepare(text: string, from: number): number {
    if (scratch.bytes.length < text.length) {
      scratch.bytes = Buffer.alloc(text.length * 2);
      scratch.letters = Buffer.alloc(text.length * 2);
      scratch.places = new Uint32Array(text.length * 2);
    }
    const { bytes, letters, places } = scratch;
    const size = bytes.write(text, 'latin1');
    let length = 0;
    let runs: number[] | undefined;
    let seen = 0;
    let begin = 0;
    let codes = 0;
    let pairs = 0;
    let before = 0;
    for (let at = 0; at <= size; at += 1) {
      const byte = at === size ? 0 : bytes[at]!;
      const letter = plain[byte]!;
      if (letter !== 0) {
        letters[length] = letter;
        places[length] = at;
        length += 1;
        continue;
      }
      if (ofBase64[byte] === 1) continue;
      const run = at - begin;
      if (run > 0) {
        codes = run <= 3 && bytes[begin]! <= 0x39 ? codes + 1 : 0;
        pairs = run === 2 || (run <= 4 && (bytes[at - 3] === 0x78 || bytes[at - 3] === 0x58)) ? pairs + 1 : 0;
        if (codes === shortestList) seen |= sight.codes;
        if (pairs === shortestList) seen |= sight.pairs;
        if (run >= shortestRun) {
          runs ??= [];
          runs.push(from + begin, from + at);
          if (before >= shortestRun) seen |= sight.lines;
        }
        before = run;
      }
      begin = at + 1;
      if (byte === 0x5c) seen |= bytes[at + 1] === 0x2f ? sight.escapes | sight.lines : sight.escapes;
      else if (byte === 0x25) seen |= sight.escapes;
      else if (byte === 0xef) seen |= sight.wide;
      else if (byte === 0x3a && bytes[at - 1] === 0x22 && bytes[at - 2] === 0x30 && bytes[at - 3] === 0x22)
        seen |= sight.indices;
    }
    this.#runs = runs ?? none;
    this.#seen = seen;
    return length;
  }

  /** The longest stretch around these letters that is one of a secret's, if it is long enough to be significant. */
  #longest(hash: number, at: number, past: number, length: number): Hit | undefined {
    const { letters } = scratch;
    let best: Hit | undefined;
    for (const { spelling, secret, at: inNeedle } of this.#entries.get(hash) ?? []) {
      const { needle, form, least } = spelling;
      let matched = 0;
      while (
        inNeedle + matched < needle.length &&
        at + matched < length &&
        letters[at + matched] === needle.charCodeAt(inNeedle + matched)
      )
        matched += 1;
      if (matched < gram) continue;
      let before = 0;
      while (
        inNeedle - before > 0 &&
        at - before > past &&
        letters[at - before - 1] === needle.charCodeAt(inNeedle - before - 1)
      )
        before += 1;
      const whole = before + matched;
      if (whole < Math.min(least, needle.length) || whole <= (best?.end ?? 0) - (best?.begin ?? 0)) continue;
      const share = whole / needle.length;
      best = { begin: at - before, end: at + matched, name: `${share >= nearlyAll ? form : 'part'}:${secret}` };
    }
    return best;
  }
}

/** From so much of a key the rest can be guessed. */
const nearlyAll = 0.8;

const none: readonly never[] = [];
const nothing: Look = { hits: none, runs: none, seen: 0 };
