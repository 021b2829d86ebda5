/**
 * HAR 1.2: every exchange of the run, for the network panel of a browser and for tools that read it. Secrets are names, as
 * everywhere; what HAR has no place for is in members that begin with an underscore, as it wants.
 */
import type { Body, Exchange, Header, Run } from '../src/vocabulary.ts';
import { urlOf } from './curl.ts';
import { calmJson, cut, inline } from './text.ts';

/** Characters. Longer bodies are in the run file. */
const longestBody = 65_536;
/** Characters of the whole: what is longer no program opens. */
const mostOfAll = 100 * 2 ** 20;

export const harReport = (run: Run): string => [...harPieces(run)].join('');

/** One piece an exchange: the whole of a long run is never in memory as text. */
export function* harPieces(run: Run): Generator<string> {
  const { header, exchanges } = run;
  const began = Date.parse(header.started) || 0;
  const rules = rulesByExchange(run);
  const creator = JSON.stringify({ name: 'Touchstone', version: header.touchstone });
  yield `{"log":{"version":"1.2","creator":${creator},"pages":[],"entries":[\n`;
  let room = mostOfAll;
  let written = 0;
  for (const exchange of exchanges.values()) {
    const entry = calmJson(JSON.stringify(entryOf(exchange, header.target, began, rules.get(exchange.id) ?? [])));
    room -= entry.length;
    if (room < 0) break;
    yield written === 0 ? entry : `,\n${entry}`;
    written += 1;
  }
  const left = exchanges.size - written;
  const comment = [
    ...(run.footer === undefined ? ['the run is incomplete: it has no footer'] : []),
    ...(run.footer?.interrupted ? ['the run was interrupted'] : []),
    ...(left > 0 ? [`${left} more exchanges are in the run file`] : []),
  ].join('; ');
  yield `\n]${comment === '' ? '' : `,"comment":${JSON.stringify(comment)}`}}}\n`;
}

/** The rules whose findings rest on it. */
function rulesByExchange({ findings, steps }: Run): ReadonlyMap<number, readonly string[]> {
  const rules = new Map<number, string[]>();
  for (const { rule, exchanges } of [...findings, ...steps]) {
    for (const id of exchanges) {
      const own = rules.get(id);
      if (own === undefined) rules.set(id, [rule]);
      else if (!own.includes(rule)) own.push(rule);
    }
  }
  return rules;
}

function entryOf(exchange: Exchange, target: string, began: number, rules: readonly string[]): object {
  const { id, at, request, failure, purpose, instance, connection, planted, earlier, waitedMs } = exchange;
  const url = absolute(exchange, target);
  const end = Math.max(at.end, at.sent);
  const head = Math.min(Math.max(at.head ?? end, at.sent), end);
  const connected = Math.min(Math.max(at.connected ?? at.sent, at.sent), head);
  const timings = {
    blocked: -1,
    dns: -1,
    connect: connected > at.sent ? rounded(connected - at.sent) : -1,
    ssl: -1,
    send: 0,
    wait: rounded(head - connected),
    receive: rounded(end - head),
  };
  return {
    startedDateTime: instant(began + at.sent),
    time: rounded(Math.max(timings.connect, 0) + timings.wait + timings.receive),
    request: {
      method: request.method,
      url,
      httpVersion: 'HTTP/1.1',
      cookies: cookiesOf(request.headers, 'cookie'),
      headers: request.headers.map(headerOf),
      queryString: queryOf(url),
      headersSize: sizeOf(request.head),
      bodySize: request.body?.bytes ?? 0,
      ...(request.body === undefined ? {} : { postData: postData(request.body, request.headers) }),
    },
    response: responseOf(exchange),
    cache: {},
    timings,
    connection: String(connection.number),
    ...(rules.length === 0 ? {} : { comment: rules.join(', ') }),
    _exchange: id,
    _purpose: purpose,
    _instance: instance,
    _rules: rules,
    ...(failure === undefined ? {} : { _failure: failure }),
    ...(planted === undefined ? {} : { _planted: planted }),
    ...(earlier === undefined ? {} : { _earlier: earlier }),
    ...(waitedMs === undefined ? {} : { _waitedMs: waitedMs }),
  };
}

function responseOf({ response, failure }: Exchange): object {
  const wrong = failure === undefined ? {} : { _error: inline(`${failure.kind}: ${failure.says}`, 600) };
  if (response === undefined) {
    const nothing = { cookies: [], headers: [], content: { size: 0, mimeType: 'x-unknown' }, redirectURL: '' };
    return { status: 0, statusText: '', httpVersion: '', ...nothing, headersSize: -1, bodySize: -1, ...wrong };
  }
  const { status, head, headers, body } = response;
  const [version = '', reason = ''] = /^(HTTP\/[\d.]+) \d{3} ?([^\r\n]*)/.exec(head)?.slice(1) ?? [];
  return {
    status,
    statusText: reason,
    httpVersion: version,
    cookies: cookiesOf(headers, 'set-cookie'),
    headers: headers.map(headerOf),
    content: contentOf(body, headers),
    redirectURL: headerValue(headers, 'location') ?? '',
    headersSize: sizeOf(head),
    bodySize: body.bytes,
    ...wrong,
  };
}

function contentOf(body: Body, headers: readonly Header[]): object {
  const mimeType = headerValue(headers, 'content-type') ?? 'x-unknown';
  const comment = commentOn(body);
  const size = body.coding === undefined ? body.bytes : Buffer.byteLength(body.text ?? body.base64 ?? '', 'utf8');
  const told = comment === undefined ? {} : { comment };
  if (body.text !== undefined) return { size, mimeType, text: cut(body.text, longestBody), ...told };
  if (body.base64 !== undefined)
    return { size, mimeType, text: body.base64.slice(0, longestBody), encoding: 'base64', ...told };
  return { size, mimeType, ...told };
}

function postData(body: Body, headers: readonly Header[]): object {
  const comment = commentOn(body, body.text === undefined ? ['the bytes are not UTF-8: shown as base64'] : []);
  return {
    mimeType: headerValue(headers, 'content-type') ?? 'x-unknown',
    text: cut(body.text ?? body.base64 ?? '', longestBody),
    ...(comment === undefined ? {} : { comment }),
  };
}

function commentOn(body: Body, more: readonly string[] = []): string | undefined {
  const remarks = [
    ...more,
    ...(body.truncated ? [`Touchstone kept part of ${body.bytes} bytes`] : []),
    ...((body.text ?? body.base64 ?? '').length > longestBody ? ['shortened; the run file has all of it'] : []),
    ...(body.coding === undefined ? [] : [`sent as ${body.coding}, shown decoded`]),
  ];
  return remarks.length === 0 ? undefined : remarks.join('; ');
}

const headerOf = ([name, value]: Header): object => ({ name, value });

const headerValue = (headers: readonly Header[], name: string): string | undefined =>
  headers.find(([key]) => key.toLowerCase() === name)?.[1];

/** Names and values alone: what else a cookie says is in its header. */
const cookiesOf = (headers: readonly Header[], name: 'cookie' | 'set-cookie'): object[] =>
  headers
    .filter(([key]) => key.toLowerCase() === name)
    .flatMap(([, value]) => (name === 'cookie' ? value.split(';') : [value.split(';', 1)[0]!]))
    .filter((pair) => pair.includes('='))
    .map((pair) => ({
      name: pair.slice(0, pair.indexOf('=')).trim(),
      value: pair.slice(pair.indexOf('=') + 1).trim(),
    }));

/** As it was sent where that is a URL; what no URL may hold is percent-encoded, and nothing else is changed. */
function absolute(exchange: Exchange, target: string): string {
  const path = exchange.request.target.replaceAll(/[^\w\-.~:/?@!$&'()*+,;=%]|%(?![\da-f]{2})/giu, encoded);
  const base = urlOf({ ...exchange, request: { ...exchange.request, target: '' } }, target);
  return `${/^https?:\/\/[\w.:[\]-]+$/.test(base) ? base : 'http://unknown.invalid'}${path.startsWith('/') ? '' : '/'}${path}`;
}

const encoded = (character: string): string =>
  [...Buffer.from(character, 'utf8')].map((byte) => `%${byte.toString(16).padStart(2, '0').toUpperCase()}`).join('');

function queryOf(url: string): object[] {
  const from = url.indexOf('?');
  if (from < 0) return [];
  return [...new URLSearchParams(url.slice(from + 1))].map(([name, value]) => ({ name, value }));
}

/** A run file that somebody edited may say any number. */
const instant = (ms: number): string => new Date(Math.min(Math.max(ms, 0), 4e12)).toISOString();

/** With the empty line that ends a head. */
const sizeOf = (head: string): number => (head === '' ? -1 : Buffer.byteLength(head, 'latin1') + 4);

const rounded = (ms: number): number => Math.round(ms * 1000) / 1000;
