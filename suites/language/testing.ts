/** Exchanges made by hand, for tests of judges. */
import type { Exchange, Header, Json, Planted, Purpose } from '../../src/vocabulary.ts';

export interface Made {
  readonly method?: string;
  readonly target?: string;
  readonly sent?: readonly Header[];
  readonly body?: string;
  readonly status?: number;
  readonly headers?: readonly Header[];
  /** A string stands as it is. */
  readonly answer?: Json;
  readonly planted?: Planted;
  readonly purpose?: Purpose;
  readonly tookMs?: number;
}

let last = 0;

const headOf = (line: string, headers: readonly Header[]): string =>
  `${[line, ...headers.map(([name, value]) => `${name}: ${value}`)].join('\r\n')}\r\n\r\n`;

/** Without a status no answer came. */
export function made({ method = 'GET', target = '/v1/auth/verify', sent = [], status, ...more }: Made): Exchange {
  last += 1;
  const headers = more.headers ?? [['Content-Type', 'application/json']];
  const text = typeof more.answer === 'string' ? more.answer : JSON.stringify(more.answer ?? {});
  const answer =
    status === undefined
      ? { failure: { kind: 'closed-before-head', says: 'The connection was closed.' } as const }
      : {
          response: {
            status,
            head: headOf(`HTTP/1.1 ${status} Some`, headers),
            headers,
            body: { text, bytes: text.length },
          },
        };
  return {
    id: last,
    purpose: more.purpose ?? 'ask',
    instance: 'main',
    request: {
      method,
      target,
      head: headOf(`${method} ${target} HTTP/1.1`, sent),
      headers: sent,
      ...(more.body === undefined ? {} : { body: { text: more.body, bytes: more.body.length } }),
    },
    ...answer,
    at: { sent: 0, end: more.tookMs ?? 1 },
    connection: { number: 1, use: 1 },
    ...(more.planted === undefined ? {} : { planted: more.planted }),
  };
}

export const weights = (reasons: readonly { readonly weight: string }[]): string =>
  reasons.map((each) => each.weight).join(' ');

export const runTarget = (name: string): string => `/v1/actors/${name}/run-sync-get-dataset-items`;

/** The answer of a run. */
export const ran = (status: number, answer: Json, more: Made = {}): Exchange =>
  made({ method: 'POST', target: runTarget('an-actor'), status, answer, ...more });
