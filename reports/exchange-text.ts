/** An exchange, shortened for people: the request, the answer, and the headers that matter. */
import type { Body, Exchange, Header } from '../src/vocabulary.ts';
import { cut, inline, lasting, visibleLines } from './text.ts';

const bodyShown = 300;
const linesShown = 12;
const headersShown = 8;

/** Those that rules are about. Others are in the run file. */
const telling = new Set([
  'x-api-key',
  'x-admin-token',
  'authorization',
  'content-type',
  'content-encoding',
  'retry-after',
  'location',
  'allow',
  'www-authenticate',
  'transfer-encoding',
]);

/** Lines without indentation: `> …` went out, `< …` came back. */
export function exchangeLines(exchange: Exchange): string[] {
  const { request, response, failure, at } = exchange;
  const took = `${lasting(at.end - at.sent)}, exchange ${exchange.id}${exchange.instance === 'main' ? '' : `, ${exchange.instance} instance`}`;
  const lines = [`> ${inline(`${request.method} ${request.target}`, 200)}`];
  lines.push(...headerLines('>', request.headers), ...bodyLines('>', request.body));
  if (response !== undefined) {
    lines.push(`< ${inline(statusLine(response.head) || String(response.status), 120)}   (${took})`);
    lines.push(...headerLines('<', response.headers), ...bodyLines('<', response.body));
  }
  if (failure !== undefined) lines.push(`< ${failure.kind}: ${inline(failure.says)}   (${took})`);
  if (exchange.earlier !== undefined && exchange.earlier.length > 0) {
    const waited = exchange.waitedMs === undefined ? '' : `, after waiting ${lasting(exchange.waitedMs)}`;
    lines.push(`  repeated: earlier attempts are exchanges ${exchange.earlier.slice(0, 5).join(', ')}${waited}`);
  }
  return lines;
}

const statusLine = (head: string): string => /^[^\r\n]*/.exec(head)?.[0] ?? '';

function headerLines(arrow: string, headers: readonly Header[]): string[] {
  const shown = headers.filter(([name]) => telling.has(name.toLowerCase()));
  const lines = shown.slice(0, headersShown).map(([name, value]) => `${arrow} ${inline(`${name}: ${value}`, 160)}`);
  return shown.length > headersShown ? [...lines, `${arrow} (${shown.length - headersShown} more)`] : lines;
}

function bodyLines(arrow: string, body: Body | undefined): string[] {
  if (body === undefined) return [];
  if (body.bytes === 0 && (body.text ?? '') === '') return arrow === '<' ? ['< (no body)'] : [];
  if (body.text === undefined) return [`${arrow} (${body.bytes} bytes that are not UTF-8)`];
  const lines = visibleLines(cut(body.text, bodyShown));
  const shown = lines.slice(0, linesShown).map((line) => `${arrow} ${line}`);
  if (lines.length > linesShown) shown.push(`${arrow} (${lines.length - linesShown} more lines)`);
  if (body.truncated) shown.push(`${arrow} (Touchstone kept part of ${body.bytes} bytes)`);
  return shown;
}
