/**
 * Every secret of a run, and the one place where they are replaced by their names. Texts are looked at as latin1, so
 * that a secret is found byte by byte wherever it stands: in a head, in a body, as a hash, as base64.
 */
import { createHash } from 'node:crypto';
import { Secret } from '../model/secret.ts';

interface Form {
  readonly needle: string;
  readonly name: string;
}

/** Shorter ones would be found in innocent text. */
const shortestPlain = 8;
const shortestForm = 12;

const latin1 = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');

const bodyOf = (value: string): string => value.replace(/^vk_(?:live|test)_/, '');

/** The part of a text's base64 that is the same whatever stands before and after it, for each of the three alignments. */
function base64Forms(bytes: Buffer): string[] {
  return [0, 1, 2].flatMap((offset) => {
    const padded = Buffer.concat([Buffer.alloc(offset), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const first = Math.ceil((offset * 8) / 6);
    const last = Math.floor(((offset + bytes.length) * 8) / 6);
    const core = padded.slice(first, last);
    return [core, core.replaceAll('+', '-').replaceAll('/', '_')];
  });
}

function formsOf(name: string, value: string): Form[] {
  const bytes = Buffer.from(value, 'utf8');
  const hash = createHash('sha256').update(bytes).digest();
  const body = bodyOf(value);
  const whole = body.length < shortestPlain;
  const plain = whole ? value : body;
  const shown = whole ? value.slice(0, value.length - body.length) : '';
  const escaped = JSON.stringify(plain).slice(1, -1);
  const forms: [string, string][] = [
    [latin1(plain), name],
    [latin1(escaped), name],
    [latin1(encodeURIComponent(plain)), `url:${name}`],
    ...[plain.slice(0, Math.ceil(plain.length / 2)), plain.slice(Math.floor(plain.length / 2))].map(
      (half): [string, string] => [half.length >= shortestForm ? latin1(half) : '', `part:${name}`],
    ),
    [[...plain].reverse().join(''), `reversed:${name}`],
    ...base64Forms(Buffer.from(plain, 'utf8')).map((form): [string, string] => [form, `base64:${name}`]),
    [Buffer.from(plain, 'utf8').toString('hex'), `hex:${name}`],
    [Buffer.from(plain, 'utf8').toString('hex').toUpperCase(), `hex:${name}`],
    [hash.toString('hex'), `sha256:${name}`],
    [hash.toString('hex').toUpperCase(), `sha256:${name}`],
    [hash.toString('base64').replaceAll('=', ''), `sha256-base64:${name}`],
    [hash.toString('base64url'), `sha256-base64:${name}`],
    [hash.toString('latin1'), `sha256-raw:${name}`],
  ];
  const wanted = new Map<string, string>();
  for (const [needle, form] of forms) {
    if (needle.length >= (form === name ? shortestPlain : shortestForm) && !wanted.has(needle))
      wanted.set(needle, form);
  }
  return [...wanted].map(([needle, form]) => ({ needle, name: latin1(`${form === name ? shown : ''}«${form}»`) }));
}

export class Keyring {
  /** Real secrets by value: two names for one value are one secret. */
  readonly #real = new Map<string, string>();
  /** Too short to be looked for in running text; replaced only where one is a whole header value or JSON string. */
  readonly #short: Form[] = [];
  /** Forms by their first four bytes, and a table that says at four bytes whether a look is worth it. */
  readonly #forms = new Map<string, Form[]>();
  #scratch = Buffer.alloc(4096);
  readonly #worth = new Uint8Array(mask + 1);

  register(secret: Secret): void {
    const value = Secret.reveal(secret);
    if (value === '' || this.#real.has(value)) return;
    this.#real.set(value, secret.name);
    if (value.length < shortestPlain) this.#short.push({ needle: latin1(value), name: latin1(`«${secret.name}»`) });
    for (const form of formsOf(secret.name, value)) this.#add(form);
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
    let result = text;
    for (const secret of passing) {
      const value = latin1(Secret.reveal(secret));
      const prefix = /^vk_(?:live|test)_/.exec(value)?.[0] ?? '';
      if (value.length >= shortestPlain) result = result.replaceAll(value, `${prefix}${latin1(`«${secret.name}»`)}`);
    }
    for (const { needle, name } of this.#short) {
      result = result.replaceAll(`: ${needle}\r\n`, `: ${name}\r\n`).replaceAll(`"${needle}"`, `"${name}"`);
    }
    const scanned = this.#scan(result);
    // JSON may spell any character as an escape, so a secret can be there without any of its bytes.
    if (!needless.test(scanned)) return scanned;
    const plain = scanned.replace(needlessEscapes, unescaped);
    const found = this.#scan(plain);
    return found === plain ? scanned : found;
  }

  #add(form: Form): void {
    const start = form.needle.slice(0, 4);
    const same = this.#forms.get(start);
    if (same === undefined) this.#forms.set(start, [form]);
    else {
      same.push(form);
      same.sort((a, b) => b.needle.length - a.needle.length);
    }
    let last = 0;
    for (let at = 0; at < 4; at += 1) last = ((last << 4) ^ form.needle.charCodeAt(at)) & mask;
    this.#worth[last] = 1;
  }

  /** Bytes are looked at much faster than the characters of a string that was put together. */
  #bytesOf(text: string): Buffer {
    if (this.#scratch.length < text.length) this.#scratch = Buffer.alloc(text.length * 2);
    this.#scratch.write(text, 'latin1');
    return this.#scratch;
  }

  #scan(text: string): string {
    const worth = this.#worth;
    const length = text.length;
    const bytes = this.#bytesOf(text);
    let result = '';
    let copied = 0;
    let last = 0;
    for (let at = 0; at < length; at += 1) {
      last = ((last << 4) ^ bytes[at]!) & mask;
      if (worth[last] !== 1 || at < 3) continue;
      const start = at - 3;
      if (start < copied) continue;
      const found = this.#forms.get(text.slice(start, at + 1))?.find((form) => text.startsWith(form.needle, start));
      if (found === undefined) continue;
      result += text.slice(copied, start) + found.name;
      copied = start + found.needle.length;
    }
    return copied === 0 ? text : result + text.slice(copied);
  }
}

const needless = /\\(?:\/|u00[2-7][0-9a-f])/i;
const needlessEscapes = /\\(?:\\|\/|u00([2-7][0-9a-f]))/gi;

/** An escape that JSON does not need, undone; one that it needs (a backslash, a quote) as it stands. */
function unescaped(sequence: string, code: string | undefined): string {
  if (sequence === '\\/') return '/';
  const character = code === undefined ? sequence : String.fromCharCode(Number.parseInt(code, 16));
  return character === '"' || character === '\\' || character === '\u007f' ? sequence : character;
}

/** Four bits a character: after four more, nothing is left of what stood before. */
const mask = 2 ** 16 - 1;
