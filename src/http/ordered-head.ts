/** A head in the order and case of another client than the one that writes it. Pure. */
import type { WireRequest } from './transport.ts';

export type Manner = Pick<WireRequest, 'headers' | 'host' | 'order' | 'version'>;

/** Lines that undici writes for nobody, or as it thinks. */
export const isOursToWrite = (name: string): boolean => ['upgrade', 'connection'].includes(name.toLowerCase());

/** What a request says of its connection, where that is not left to the transport. */
export const connectionSaid = (headers: WireRequest['headers']): string | undefined =>
  headers.find(([name]) => name.toLowerCase() === 'connection')?.[1];

export function mannered(written: string, { headers, host, order, version }: Manner): string {
  const head = host === undefined ? written : written.replace(/^(host: ).*$/im, (_, name: string) => name + host);
  const connection = connectionSaid(headers);
  const others = headers.filter(([name]) => isOursToWrite(name) && name.toLowerCase() !== 'connection');
  const ours = others.map(([name, value]) => `${name}: ${value}\r\n`);
  // The empty line may follow with the body.
  const at = head.endsWith('\r\n\r\n') ? head.length - 2 : head.length;
  const whole = head.slice(0, at) + ours.join('') + head.slice(at);
  const inOrder = order === undefined ? whole : ordered(whole, order);
  const placed = connection === undefined ? inOrder : withConnection(inOrder, connection);
  return version === undefined ? placed : placed.replace(/HTTP\/1\.1(?=\r\n)/, `HTTP/${version}`);
}

/** Where the line stands, if there is one, and behind all others if not. */
function withConnection(head: string, value: string): string {
  const line = /^(connection: ).*$/im;
  if (line.test(head)) return head.replace(line, (_, name: string) => name + value);
  return head.replace(/(\r\n)?\r\n$/, (end) => `\r\nConnection: ${value}${end}`);
}

/** The lines that a transport writes by itself: only their case is the client's. How a key's field is spelled is a rule's question. */
const renamed = new Set(['host', 'connection', 'content-length']);

/**
 * `order` names the lines, or gives one in full that stands there if the head has none of that name; `*` stands for all others, as they
 * came. A `Connection` that it names says keep-alive, as clients usually say. One that it does not name is omitted: HTTP/1.1 keeps a
 * connection without it, and closing one needs none.
 */
export function ordered(head: string, order: readonly string[]): string {
  const [request = '', ...lines] = head.split('\r\n');
  const fields = lines.filter((line) => line !== '');
  const nameOf = (line: string): string => line.slice(0, Math.max(0, line.indexOf(':')));
  const named = new Set(order.map((name) => nameOf(`${name}:`).toLowerCase()));
  const others = fields.filter((line) => {
    const name = nameOf(line).toLowerCase();
    return !named.has(name) && name !== 'connection';
  });
  const placed = order.flatMap((entry): string[] => {
    const name = nameOf(`${entry}:`);
    if (name === '*') return others;
    if (name.toLowerCase() === 'connection') return [`${name}: keep-alive`];
    const found = fields.filter((line) => nameOf(line).toLowerCase() === name.toLowerCase());
    if (found.length === 0 && entry !== name) return [entry];
    return found.map((line) => (renamed.has(nameOf(line)) ? `${name}${line.slice(name.length)}` : line));
  });
  const end = head.endsWith('\r\n\r\n') ? '\r\n\r\n' : '\r\n';
  return `${[request, ...placed].join('\r\n')}${end}`;
}
