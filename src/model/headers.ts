/** The header lines of a head: pure. */
import type { Header } from './exchange.ts';

const flood = 4096;

function headerOf(line: string): Header | undefined {
  const colon = line.indexOf(':');
  return colon > 0 ? [line.slice(0, colon), trimBlanks(line.slice(colon + 1))] : undefined;
}

/** The header lines of a head, in order, names in their case, values without the blanks around them. */
export function headersOf(head: string): Header[] {
  const headers: Header[] = [];
  // A flood of lines mostly says the same again: each is kept once, or it would take many times its bytes.
  const known = head.length > flood ? new Map<string, Header>() : undefined;
  let start = head.indexOf('\r\n');
  while (start >= 0) {
    start += 2;
    const next = head.indexOf('\r\n', start);
    const line = next < 0 ? head.slice(start) : head.slice(start, next);
    const header = known?.get(line) ?? headerOf(line);
    if (header !== undefined) {
      known?.set(line, header);
      headers.push(header);
    }
    start = next;
  }
  return headers;
}

/** Only spaces and tabs are blanks in HTTP: `trim()` would take a latin1 no-break space away, too. */
export const trimBlanks = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '');

/** Characters of a head whose lines are read again whenever somebody asks for them: kept, they would take twice its memory. */
const long = 8192;

interface Headed {
  readonly head: string;
  readonly headers: readonly Header[];
}

/** Most callers read several headers of one head. */
let last: Headed = { head: '', headers: [] };

function linesOf(head: string): readonly Header[] {
  if (last.head !== head) last = { head, headers: headersOf(head) };
  return last.headers;
}

/** The first line of a long head. Answers that have a long one mostly all have the same, which is kept once. */
let lastFirst = '';

/** The first line where it is a long one, kept once for all who have it, and the rest of the head. */
function apart(head: string): readonly [string, string] {
  const [line = '', ...others] = head.split('\r\n');
  if (line.length < long) return ['', head];
  if (line !== lastFirst) lastFirst = line;
  // Joined, it is a text of its own: a slice would keep the whole head in memory.
  return [lastFirst, ['', ...others].join('\r\n')];
}

interface Repeated {
  readonly before: string;
  readonly line: string;
  readonly times: number;
  readonly after: string;
}

/** A flood mostly says one line again and again: it is kept once, and how often. */
function packed(text: string): Repeated {
  const lines = text.split('\r\n');
  let [from, length] = [0, 0];
  for (let at = 0; at < lines.length; ) {
    let end = at + 1;
    while (end < lines.length && lines[end] === lines[at]) end += 1;
    if (end - at > length) [from, length] = [at, end - at];
    at = end;
  }
  const [line = ''] = lines.slice(from, from + 1);
  if (length * line.length < long / 2) return { before: text, line: '', times: 0, after: '' };
  // Joined or copied, each is a text of its own.
  const joined = (some: readonly string[], ending: string): string =>
    some.length === 0 ? '' : some.join('\r\n') + ending;
  return {
    before: joined(lines.slice(0, from), '\r\n'),
    line: Buffer.from(line).toString(),
    times: length,
    after: joined(['', ...lines.slice(from + length)], ''),
  };
}

const unpacked = ({ before, line, times, after }: Repeated): string =>
  times === 0 ? before : `${before}${`${line}\r\n`.repeat(times - 1)}${line}${after}`;

/** The same, without the memory for what is in a long head already, or in the one before it. */
export function lean<T extends Headed>(message: T): T {
  if (message.head.length < long || !isSaidBy(message.head, message.headers)) return message;
  const [first, others] = apart(message.head);
  const rest = packed(others);
  return Object.defineProperties(
    { ...message },
    {
      head: { enumerable: true, get: () => first + unpacked(rest) },
      headers: { enumerable: true, get: () => linesOf(first + unpacked(rest)) },
    },
  );
}

function isSaidBy(head: string, headers: readonly Header[]): boolean {
  const said = headersOf(head);
  return (
    said.length === headers.length &&
    said.every(([name, value], at) => name === headers[at]?.[0] && value === headers[at]?.[1])
  );
}
