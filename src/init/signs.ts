/** What answers say about the service behind them. Pure. */
import { type Exchange, jsonOf, member, statusOf, succeeded } from '../model/exchange.ts';
import { isObject, type Json } from '../model/json.ts';
import type { AdminState, Seen } from './seen.ts';

const longest = 160;

/** Whatever a service said, in one line of visible characters. */
export const tame = (text: string, most = longest): string => {
  const line = text.replaceAll(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length > most ? `${line.slice(0, most - 1)}…` : line;
};

/** `404, text/html`, or how it failed. */
export function answered(exchange: Exchange): string {
  const { response, failure } = exchange;
  if (response === undefined) return tame(failure?.says ?? 'no answer');
  const type = response.headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const detail = member(exchange, 'detail');
  const more = typeof detail === 'string' && detail !== '' ? detail : type;
  return tame(`${response.status}${more === undefined ? '' : `, ${more}`}`);
}

/** By its words or by its status. Anything else, a 429 for one, says nothing about the key. */
export const isRefused = (exchange: Exchange): boolean =>
  [401, 403].includes(statusOf(exchange) ?? 0) || (succeeded(exchange) && member(exchange, 'valid') === false);

const isErrorBody = (exchange: Exchange): boolean =>
  typeof member(exchange, 'error') === 'string' && typeof member(exchange, 'detail') === 'string';

export interface Questions {
  /** Verifying with a key, where there is one. */
  readonly verified?: Exchange;
  readonly keyless: Exchange;
  readonly unknownActor: Exchange;
}

/** One is enough: a service with faults is still such a service. */
export function signsOf({ verified, keyless, unknownActor }: Questions): string[] {
  const signs: string[] = [];
  if (verified !== undefined && succeeded(verified)) {
    const valid = typeof member(verified, 'valid') === 'boolean';
    if (valid || typeof member(verified, 'tier') === 'string') signs.push('the key verifies');
  }
  if (verified !== undefined && statusOf(verified) === 401 && isErrorBody(verified)) signs.push('the key is refused');
  if (statusOf(keyless) === 401 && isErrorBody(keyless)) signs.push('a call without a key gets 401 with an error body');
  if ([401, 404].includes(statusOf(unknownActor) ?? 0) && isErrorBody(unknownActor))
    signs.push('an unknown actor gets an error body');
  return signs;
}

/**
 * Without a token an open interface refuses in its own way, and a disabled one often answers as an unknown route does;
 * that it need not is why the last word is `unsure`.
 */
export function adminState(without: Exchange, withToken: Exchange | undefined, unknownRoute: Exchange): AdminState {
  if (withToken !== undefined && succeeded(withToken)) return 'open';
  const status = statusOf(without);
  if (status === undefined) return 'unsure';
  if ([401, 403].includes(status) && statusOf(unknownRoute) !== status) return 'refuses';
  if ([404, 501, 503].includes(status)) return 'disabled';
  return 'unsure';
}

/** `401 unauthorized`, each once, by status. */
export function codesOf(exchanges: readonly Exchange[]): string[] {
  const codes = exchanges.flatMap((exchange) => {
    const status = statusOf(exchange) ?? 0;
    const code = member(exchange, 'error');
    return status >= 400 && typeof code === 'string' ? [`${status} ${tame(code, 40)}`] : [];
  });
  return [...new Set(codes)].toSorted().slice(0, 20);
}

const aLimit = /^(?:x-)?rate-?limit(?:-[a-z-]+)?$/i;
const remaining = /remaining$/i;
/** So few left, a run of many requests will meet the limit at once. */
const few = 100;

export function limitsOf(exchanges: readonly Exchange[], waitedMs: number): Seen['limits'] {
  const refused = exchanges.filter((exchange) => statusOf(exchange) === 429).length;
  const last = exchanges.findLast(({ response }) => response?.headers.some(([name]) => aLimit.test(name)));
  const told = (last?.response?.headers ?? []).filter(([name]) => aLimit.test(name)).slice(0, 6);
  const scarce = told.some(([name, value]) => remaining.test(name) && /^\d+$/.test(value) && Number(value) < few);
  return {
    refused,
    waitedMs: Math.round(waitedMs),
    told: told.map(([name, value]) => tame(`${name.toLowerCase()}: ${value}`, 80)),
    near: refused > 0 || scarce,
  };
}

const mostListed = 50;

/** Names in whatever a service answers to GET /v1/actors, which the specification does not show. */
export function namesIn(exchange: Exchange): string[] {
  const body = jsonOf(exchange);
  if (!succeeded(exchange) || !body.ok) return [];
  const list = Array.isArray(body.value) ? body.value : isObject(body.value) ? firstList(body.value) : [];
  const names = list.flatMap((each: Json) => {
    const name = typeof each === 'string' ? each : isObject(each) ? (each.name ?? each.id) : undefined;
    return typeof name === 'string' && isName(name) ? [name] : [];
  });
  return [...new Set(names)].slice(0, mostListed);
}

const firstList = (body: { readonly [key: string]: Json }): readonly Json[] =>
  ['actors', 'items', 'data'].map((name) => body[name]).find((value) => Array.isArray(value)) ?? [];

/** Anything that can be in a path when it is encoded, and in a terminal as it is. */
export const isName = (text: string): boolean => text.trim() !== '' && text.length <= 200 && tame(text, 200) === text;
