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

/** The same, without the memory for what is in a long head already, or in the one before it. */
export function lean<T extends Headed>(message: T): T {
  if (message.head.length < long || !isSaidBy(message.head, message.headers)) return message;
  const [first, rest] = apart(message.head);
  return Object.defineProperties(
    { ...message },
    {
      head: { enumerable: true, get: () => first + rest },
      headers: { enumerable: true, get: () => linesOf(first + rest) },
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
