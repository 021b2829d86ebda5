/** A command line that sends an exchange's request again. Secrets are environment variables. */
import type { Exchange } from '../src/vocabulary.ts';
import { type Piece, word } from './shell.ts';

export interface Replay {
  readonly command: string;
  /** What must be known to use it: which variable holds what, and what can't be the same again. */
  readonly notes: readonly string[];
}

const longestBody = 4000;

/** What the recorder writes for a secret: its name, behind the prefix that the specification gives to keys. */
const named = /(vk_(?:live|test)_)?«([^«»]{1,200})»/gu;

const isOurs = (name: string): boolean =>
  !/^(?:url|part|reversed|base64|hex|sha256|sha256-base64|sha256-raw):/.test(name);

export function variableFor(name: string, isKey: boolean): string {
  const word = name
    .normalize('NFKD')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .toUpperCase();
  return `TOUCHSTONE_${isKey ? 'KEY_' : ''}${word === '' ? 'SECRET' : word}`;
}

class Variables {
  readonly notes = new Map<string, string>();

  pieces(text: string): Piece[] {
    const pieces: Piece[] = [];
    let from = 0;
    for (const match of text.matchAll(named)) {
      const [whole, prefix, name = ''] = match;
      if (!isOurs(name)) continue;
      const variable = variableFor(name, prefix !== undefined || !/token|header|:id$/.test(name));
      this.notes.set(variable, `${variable} is ${describe(name, prefix)}`);
      pieces.push(text.slice(from, match.index), { variable });
      from = match.index + whole.length;
    }
    return [...pieces, text.slice(from)].filter((piece) => piece !== '');
  }

  word(text: string): string {
    const pieces = this.pieces(text);
    return word(pieces.length === 0 ? [''] : pieces);
  }
}

/** `main:truncated` is the key main with one thing wrong; `created-1` was made, and removed, by the run. */
function describe(name: string, prefix: string | undefined): string {
  const [base = name, ...how] = name.split(':');
  if (base === 'header') return `the value of the profile's header ${how.join(':')}`;
  const made = /^(?:created|issued)-/.test(base);
  const what = made ? 'a key that the run issued and removed: issue another' : `the secret \`${base}\` of the profile`;
  if (how.length === 0) return what;
  if (how.join() === 'id')
    return `the identifier of ${made ? 'a key that the run issued: issue another' : `\`${base}\``}`;
  return `${what}, modified: ${how.join(', ')}${prefix === undefined ? ' (its beginning too)' : ''}`;
}

export function replay(exchange: Exchange, target: string): Replay {
  const { request, planted, connection } = exchange;
  const variables = new Variables();
  const parts = ['curl', '-sS', '-i', '--path-as-is', '-g'];
  const notes: string[] = [];
  if (request.method === 'HEAD') parts[2] = '-I';
  else if (request.method !== 'GET' || request.body !== undefined) parts.push('-X', variables.word(request.method));
  if (/^[^\r\n]* HTTP\/1\.0(?:\r\n|$)/.test(request.head)) parts.push('--http1.0');
  if (absolute.test(request.target)) parts.push('--request-target', variables.word(request.target));
  parts.push(variables.word(urlOf(exchange, target)));
  parts.push(...headerArguments(exchange, variables));
  const body = bodyArguments(exchange, variables, notes);
  parts.push(...body.arguments);
  notes.unshift(...variables.notes.values());
  if ((planted?.sources.length ?? 0) > 0) notes.push('the source addresses in its body existed only during the run');
  if (connection.use > 1) notes.push(`it was request ${connection.use} on a kept connection; curl opens a new one`);
  return { command: body.before + parts.join(' '), notes };
}

export function urlOf(exchange: Exchange, target: string): string {
  const host = exchange.request.headers.find(([name]) => name.toLowerCase() === 'host')?.[1];
  const { protocol, origin } = URL.canParse(target) ? new URL(target) : { protocol: 'http:', origin: target };
  // A client is no address: it was the one that called, and its host is what it called.
  const isAddress = URL.canParse(target) && /^https?:/.test(protocol);
  const server =
    (exchange.instance === 'main' && isAddress) || host === undefined
      ? origin
      : `${isAddress ? protocol : 'http:'}//${host}`;
  return server + exchange.request.target.replace(absolute, '');
}

/** As a proxy gets it. */
const absolute = /^https?:\/\/[^/?#]*/i;

const transportOwn = new Set(['host', 'connection', 'content-length', 'transfer-encoding']);

function headerArguments({ request }: Exchange, variables: Variables): string[] {
  const sent = request.headers.filter(([name]) => !transportOwn.has(name.toLowerCase()));
  // curl drops a header that ends with its colon; a semicolon sends it empty.
  const headers = sent.map(([name, value]) => (value.trim() === '' ? `${name};` : `${name}: ${value}`));
  const hasType = sent.some(([name]) => name.toLowerCase() === 'content-type');
  if (request.body !== undefined && !hasType) headers.push('Content-Type:');
  return headers.flatMap((header) => ['-H', variables.word(header)]);
}

function bodyArguments(
  { id, request: { body } }: Exchange,
  variables: Variables,
  notes: string[],
): { readonly arguments: readonly string[]; readonly before: string } {
  if (body === undefined) return { arguments: [], before: '' };
  const { text, base64 = '' } = body;
  if (body.truncated || (text ?? base64).length > longestBody) {
    notes.push(`its body has ${body.bytes} bytes, too many to show; see exchange ${id} in the run file`);
    return { arguments: ['--data-binary', `@body-of-exchange-${id}`], before: '' };
  }
  if (text !== undefined && !text.includes('\0'))
    return { arguments: ['--data-raw', variables.word(text)], before: '' };
  const bytes = text === undefined ? base64 : Buffer.from(text, 'utf8').toString('base64');
  return { arguments: ['--data-binary', '@-'], before: `printf %s ${word([bytes])} | base64 -d | ` };
}
