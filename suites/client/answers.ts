/** What the counterpart answers, as a service of the specification would, or a broken one. */
import type { Answer, Plant, Situation } from '../../src/vocabulary.ts';

/** What costs little time is looked at by a short look too. */
export const quick = (situation: Situation): Situation => ({ ...situation, depth: 'quick' });

const asText = (value: unknown): string => JSON.stringify(value);

export const itemsOf = (words: readonly string[]): readonly object[] =>
  words.map((word, at) => ({ id: at + 1, title: word, url: `https://example.com/${at + 1}`, tags: ['a', 'b'] }));

interface Result {
  readonly status?: string;
  readonly code?: number;
  /** Beside `items` and `status`. */
  readonly more?: object;
  readonly write?: (value: unknown) => string;
}

export const result = (
  { items }: Pick<Plant, 'items'>,
  { status = 'SUCCEEDED', code = 200, more = {}, write = asText }: Result = {},
): Answer => ({ status: code, body: write({ items: itemsOf(items), status, ...more }) });

const codes: Readonly<Record<number, readonly [error: string, detail: string]>> = {
  400: ['invalid_input', 'url: is not an address'],
  401: ['unauthorized', 'the API key is missing or unknown'],
  403: ['forbidden', 'this actor is not part of the plan'],
  404: ['not_found', 'there is no such actor'],
  422: ['invalid_input', 'limit: must be at most 10'],
  429: ['rate_limited', 'too many requests'],
  500: ['internal', 'the actor failed'],
  502: ['bad_gateway', 'the source could not be reached'],
  503: ['unavailable', 'the service is being restarted'],
  504: ['source_timeout', 'the source took too long'],
};

export function failure(status: number, headers: Answer['headers'] = []): Answer {
  const [error, detail] = codes[status] ?? ['error', 'something went wrong'];
  return { status, headers, body: asText({ error, detail, actor: 'web-harvest' }) };
}

export const limited = (retryAfter: string | undefined, name = 'Retry-After'): Answer =>
  failure(429, retryAfter === undefined ? [] : [[name, retryAfter]]);

export const page = (status: number): Answer => ({
  status,
  type: 'text/html; charset=utf-8',
  body: `<!doctype html><html><head><title>${status}</title></head><body><h1>${status}</h1><p>nginx</p></body></html>`,
});

export const brokenOff = (breaks: NonNullable<Answer['breaks']>, answer: Answer): Answer => ({ ...answer, breaks });

/** 200 with any body: also one that is no result. */
export const ok = (value: unknown): Answer => ({ status: 200, body: JSON.stringify(value) });

export const situation = (name: string, title: string, items: number, answers: Situation['answers']): Situation => ({
  name,
  title,
  depth: 'standard',
  items,
  answers,
});
