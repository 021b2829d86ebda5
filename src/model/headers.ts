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
const trimBlanks = (text: string): string => text.replace(/^[ \t]+|[ \t]+$/g, '');

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

/** The same, without the memory for lines that are in a long head already. */
export function lean<T extends Headed>(message: T): T {
  const { head, headers } = message;
  if (head.length < long || !isSaidBy(head, headers)) return message;
  return Object.defineProperty({ ...message }, 'headers', { enumerable: true, get: () => linesOf(head) });
}

function isSaidBy(head: string, headers: readonly Header[]): boolean {
  const said = headersOf(head);
  return (
    said.length === headers.length &&
    said.every(([name, value], at) => name === headers[at]?.[0] && value === headers[at]?.[1])
  );
}
