/**
 * Which addresses were handed out, how each behaves, and how often each was reached. Pure: what a source does is data here,
 * and doing it is the server's matter.
 */
import type { SourceBehaviour } from '../model/ask.ts';
import { anyWord, digits, pick, slug } from '../words.ts';
import { emptinessLike, lettered, multiplied, stretched, withMembers } from './pages.ts';
import type { PlantedSource } from './sources.ts';

/** What a source does to its callers. */
export type SourceAnswer =
  | {
      readonly kind: 'page';
      readonly status: number;
      readonly contentType: string;
      readonly body: string;
      readonly retryAfter?: string;
      /** Its body comes bit by bit. */
      readonly bitByBit?: 'of-known-length' | 'in-chunks';
      /** Silent for so long before. */
      readonly afterMs?: number;
    }
  /** Half of the page that its head promises, and then the end of the connection or nothing at all. */
  | { readonly kind: 'cut-off'; readonly contentType: string; readonly body: string; readonly staysOpen?: true }
  /** Nothing, for as long as the other side waits. */
  | { readonly kind: 'silence' }
  /** A blank now and then, of as many as its head promises. */
  | { readonly kind: 'blanks'; readonly contentType: string }
  | { readonly kind: 'reset' }
  | { readonly kind: 'garbage'; readonly bytes: string };

export interface RegistryOptions {
  /** From the run's seed, in [0, 1). */
  readonly random: () => number;
  /** What stands before the path; asked for at each planting, because a port is known late. */
  readonly base: () => string;
  /** The same for addresses at which nobody listens. */
  readonly refusedBase: () => string;
  /** `{{token}}` stands for the source's token. */
  readonly body: string;
  readonly contentType: string;
}

export interface Registry {
  plant(slot: string, behaviour: SourceBehaviour): PlantedSource;
  turn(token: string, behaviour: SourceBehaviour): void;
  /** Somebody asked for this target: counts it, as a hit or as a stranger, and says what to do. */
  visit(target: string): SourceAnswer;
  /** What a source does, without counting. Undefined for a token that was not handed out, or that nobody serves. */
  answerFor(token: string): SourceAnswer | undefined;
  /** What stood in a request for this target, its head included. */
  hear(target: string, text: string): void;
  /** What was heard in the requests for this token. */
  heard(token: string): readonly string[];
  reached(token: string): number;
  strangers(): number;
}

/** Of each source, and characters of each request: a caller that asks without end fills no memory. */
const mostHeard = 4;
const longestHeard = 8192;
/** Of all of them together: some ten thousand ordinary heads. */
const mostHeardInAll = 4_000_000;

/** No HTTP of any version, and no text that a lenient reader takes for an HTTP/0.9 page with something in it. */
const garbage = '\x00\x01\x02\xff\xfe not HTTP \x00\r\n\r\n\x00';

/** Longer than people like to wait, and less than any service gives a source. */
const lateMs = 600;

/** Three bits with that much between them: other reads for whoever reads, and no time to wait for anybody. */
export const bits = 3;
export const betweenBitsMs = 10;

/** As many as that take a quarter of an hour: longer than anybody waits, and no length that a service would refuse. */
export const blanks = 9000;
export const betweenBlanksMs = 100;

/** A source that answers, and says by its status that it gives nothing. */
const pageOf = (status: number): SourceAnswer => ({
  kind: 'page',
  status,
  contentType: 'text/plain',
  body: `this source answers ${status}\n`,
  ...(status === 429 || status === 503 ? { retryAfter: '1' } : {}),
});

const missing: SourceAnswer = { kind: 'page', status: 404, contentType: 'text/plain', body: 'no such source\n' };

export function createRegistry(options: RegistryOptions): Registry {
  const planted = new Map<string, { source: PlantedSource; hits: number; heard?: string[] }>();
  let heardInAll = 0;
  let strangers = 0;

  /** Words, as addresses have them, and unlike any other of this run. No dot, so that nobody reads a file extension from it. */
  const newToken = (): string => {
    const made = slug(options.random);
    return planted.has(made) ? `${made}${planted.size}` : made;
  };

  const answerFor = (token: string): SourceAnswer | undefined => {
    const behaviour = planted.get(token)?.source.behaviour;
    const page = { contentType: options.contentType, body: options.body.replaceAll('{{token}}', token) };
    switch (behaviour) {
      case undefined:
      case 'refused':
        return undefined;
      case 'ok':
        return { kind: 'page', status: 200, ...page };
      case 'empty':
        return { ...page, kind: 'page', status: 200, body: emptinessLike(options.body) };
      case 'cut-off':
        return { kind: 'cut-off', ...page };
      case 'stalled':
        return { kind: 'cut-off', ...page, staysOpen: true };
      case 'in-pieces':
        return { ...page, kind: 'page', status: 200, bitByBit: 'of-known-length' };
      case 'in-chunks':
        return { ...page, kind: 'page', status: 200, bitByBit: 'in-chunks' };
      case 'late':
        return { ...page, kind: 'page', status: 200, afterMs: lateMs };
      case 'long':
        return { ...page, kind: 'page', status: 200, body: stretched(page.body) };
      case 'with-letters':
        return { ...page, kind: 'page', status: 200, body: lettered(options.body, token) };
      case 'letters-in-pieces':
        return { ...page, kind: 'page', status: 200, body: lettered(options.body, token), bitByBit: 'of-known-length' };
      case 'with-many-entries':
        return { ...page, kind: 'page', status: 200, body: multiplied(options.body, token) };
      case 'with-a-note':
      case 'with-a-status':
      case 'with-an-error':
        return { ...page, kind: 'page', status: 200, body: withMembers(page.body, behaviour) };
      case 'slow':
        return { kind: 'silence' };
      case 'endless':
        return { kind: 'blanks', contentType: options.contentType };
      case 'reset':
        return { kind: 'reset' };
      case 'garbage':
        return { kind: 'garbage', bytes: garbage };
      default:
        return pageOf(Number(behaviour.slice('status-'.length)));
    }
  };

  return {
    plant(slot, behaviour) {
      const token = newToken();
      const base = behaviour === 'refused' ? options.refusedBase() : options.base();
      const source: PlantedSource = {
        slot,
        token,
        behaviour,
        url: `${base}/${pick(ways, options.random)(options.random)}${token}`,
      };
      planted.set(token, { source, hits: 0 });
      return source;
    },
    turn(token, behaviour) {
      const entry = planted.get(token);
      if (entry !== undefined) entry.source = { ...entry.source, behaviour };
    },
    visit(target) {
      const token = tokenOf(target);
      const entry = token === undefined ? undefined : planted.get(token);
      const answer = token === undefined ? undefined : answerFor(token);
      if (entry === undefined || answer === undefined) {
        strangers += 1;
        return missing;
      }
      entry.hits += 1;
      return answer;
    },
    answerFor,
    hear(target, text) {
      const token = tokenOf(target);
      const entry = token === undefined ? undefined : planted.get(token);
      if (entry === undefined) return;
      entry.heard ??= [];
      if (entry.heard.length >= mostHeard || heardInAll >= mostHeardInAll) return;
      const kept = text.slice(0, longestHeard);
      heardInAll += kept.length;
      entry.heard.push(kept);
    },
    heard: (token) => planted.get(token)?.heard ?? [],
    reached: (token) => planted.get(token)?.hits ?? 0,
    strangers: () => strangers,
  };
}

const year = (random: () => number): number => 2015 + Math.floor(random() * 10);

/** What stands before the token in a path: as other addresses have it. */
const ways: readonly ((random: () => number) => string)[] = [
  (random) => `${anyWord(random)}/${year(random)}/`,
  (random) => `${anyWord(random)}/${year(random)}/${anyWord(random)}-`,
  (random) => `${anyWord(random)}/${anyWord(random)}/`,
  (random) => `${anyWord(random)}/${digits(random, 5)}/`,
  (random) => `${anyWord(random)}/`,
];

/**
 * The token of a request target or a whole address. Clients normalise addresses, or don't: a slash or a query behind it, escapes
 * that nobody needs, doubled slashes and steps that lead nowhere all ask for the same source.
 */
export function tokenOf(target: string): string | undefined {
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '').split(/[?#]/, 1)[0] ?? '';
  if (!path.startsWith('/')) return undefined;
  const steps: string[] = [];
  for (const step of unescaped(path).split('/')) {
    if (step === '..') steps.pop();
    else if (step !== '' && step !== '.') steps.push(step.split(';', 1)[0] ?? '');
  }
  const way = steps.map((step) => step.toLowerCase()).join('/');
  return /^[a-z]+\/(?:(?:[a-z]+|[0-9]{4,5})\/)?(?:[a-z]+-)?([a-z][0-9a-z]*)$/.exec(way)?.[1];
}

function unescaped(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
