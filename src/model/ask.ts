/** What a rule may do while it asks. Everything goes through the recorder; nothing here decides. */
import type { Holding } from './access.ts';
import type { Created, Reached, Stored } from './evidence.ts';
import type { Exchange } from './exchange.ts';
import type { Json } from './json.ts';
import type { LimitsAsk } from './limits-ask.ts';
import type { KeyKind, Secret } from './secret.ts';
import type { Actor, AdminOperation, Key, Subject } from './subject.ts';

/** Something stood in the way of asking: no time, no restart, no way to do it. Never a fault of the target. */
export class Inconclusive extends Error {
  override readonly name = 'Inconclusive';
}

/** There is no such question for this profile (a near miss that happens to be another valid key, say): it is omitted. */
export class Inapplicable extends Error {
  override readonly name = 'Inapplicable';
}

/** `null` sends no header at all; a string is sent unchanged (it is no secret: blank, a bare prefix, …). */
export type Credential = Key | Secret | string | null;

/** How a planted source behaves: the slot's own behaviour unless a rule says otherwise. */
export type SourceBehaviour =
  | 'ok'
  | 'empty'
  | 'slow'
  | 'refused'
  | 'reset'
  | 'cut-off'
  | 'garbage'
  /** Works, and what it says comes bit by bit within a moment: with its length told before, or in chunks. */
  | 'in-pieces'
  | 'in-chunks'
  /** Works, and says so after more than a moment. */
  | 'late'
  /** Works, and has a page of more than 64 kB, most of it white space. */
  | 'long'
  /** Works, and what it says has a member more: as harmless as any, or one by which runs and errors say how they ended. */
  | 'with-a-note'
  | 'with-a-status'
  | 'with-an-error'
  /** Works, and what it says has `lettersOfSources` behind its token: at once, or in pieces that end within letters. */
  | 'with-letters'
  | 'letters-in-pieces'
  /** Works, and has `manyEntries`, each with its number behind the token. */
  | 'with-many-entries'
  /** Answers, and does not come to its end: a blank now and then, for longer than anybody waits. */
  | 'endless'
  /** Answers with half of its page, and then with nothing. */
  | 'stalled'
  /** Answers, but with that status; 429 and 503 with Retry-After. */
  | `status-${number}`;

/** Of two and three bytes each. */
export const lettersOfSources = 'Zürich 東京';

/** More than a page of most lists, and less than anybody would call too many. */
export const manyEntries = 400;

/** Whoever reads such a source waits for as long as it waits for any. */
export const comesToNoEnd = (behaviour: string): boolean => ['slow', 'endless', 'stalled'].includes(behaviour);

type WorkingSlot = 'ok' | `ok${number}`;

/** Those that work where a rule says nothing else: as many as a list of sources has at most. Bits of an integer are fewer. */
export const workingSlots: readonly WorkingSlot[] = [
  'ok',
  ...Array.from({ length: 39 }, (_, at) => `ok${at + 2}` as const),
];

export type SourceSlot = WorkingSlot | 'slow' | 'broken';

/** A connection that a rule keeps for itself. Its exchanges are sequential. */
export interface Line {
  readonly name: string;
  /** The rule is about the connection itself: an exchange lost on it is not asked again on another one. */
  readonly watched: boolean;
}

export interface RequestOptions {
  /** If omitted: the key of the context. */
  readonly key?: Credential;
  /** Sent after the credential, as they stand. */
  readonly headers?: readonly (readonly [string, string | Secret])[];
  readonly on?: Line;
  readonly instance?: 'main' | 'disabled';
  /** The name of the credential's header, for spelling it differently. */
  readonly keyHeader?: string;
  /** Added to the target, percent-encoded. */
  readonly query?: readonly [name: string, value: string | Secret];
  /** Another spelling of the path. */
  readonly respell?: (path: string) => string;
  /** The whole address in the request line, as a proxy gets it (RFC 9112, section 3.2.2). */
  readonly absolute?: true;
  /** If omitted: HTTP/1.1. */
  readonly version?: '1.0';
  /** No wait after a 429: it is what the rule asks about. */
  readonly once?: true;
}

export interface RunOptions extends RequestOptions {
  readonly actor?: Actor | string;
  /** If omitted: the actor's valid input. Templates are filled in. */
  readonly input?: Json;
  /** Sent instead of any input, byte for byte. */
  readonly body?: string | Uint8Array;
  /** If omitted: application/json. `null` sends none. */
  readonly contentType?: string | null;
  /** How many spaces before the end of the input: a larger body with the same meaning. */
  readonly padding?: number;
  /** The same input in another spelling of its JSON, or in a coding. */
  readonly rewrite?: (json: string) => string | Uint8Array;
  /** The body is sent in chunks of this many bytes, without its length. */
  readonly chunkBytes?: number;
  /**
   * What an earlier run planted belongs to this one too: its very input, or one with something else changed. Its sources work
   * from now on, or do what `sources` says; one that refused connections stays as it was, and none begins to.
   */
  readonly again?: Exchange;
  /** The caller hangs up after this long, if no answer came by then. */
  readonly leavesAfterMs?: number;
  /** Which behaviour each source slot of the input has this time. */
  readonly sources?: Partial<Record<SourceSlot, SourceBehaviour>>;
}

export interface RawRequest extends RequestOptions {
  readonly method: string;
  readonly target: string;
  readonly body?: string | Uint8Array;
  readonly contentType?: string | null;
}

export interface AdminOptions {
  /** If omitted: the profile's token. */
  readonly token?: Credential;
  /** Sent after the token, as they stand. */
  readonly headers?: RequestOptions['headers'];
  readonly query?: RequestOptions['query'];
  /** Instead of the operation's own. */
  readonly method?: string;
  readonly version?: RequestOptions['version'];
  readonly instance?: 'main' | 'disabled';
  readonly on?: Line;
}

/** A key that the admin interface issued while a rule asked. It is revoked when the run ends, whatever happens. */
export interface Issued {
  readonly exchange: Exchange;
  /** The same as evidence. */
  readonly created: Created;
  /** What stood for `{mark}` in its request. */
  readonly mark: string;
  /** Absent when the answer showed no key where the profile says it stands. */
  readonly key?: Key;
  /** Stands for the record in `read`, `revoke` and `change`; absent when the answer showed no identifier. */
  readonly id?: Secret;
}

/** What a new or changed key is to have, as far as the profile's request has a place for it. If omitted: what the profile says. */
export interface Wanted extends Holding {
  readonly environment?: KeyKind;
}

export interface AdminAsk {
  /** Each request has a mark of its own, if it is given none. */
  create(options?: AdminOptions & Wanted & { readonly body?: string | Json; readonly mark?: string }): Promise<Issued>;
  list(options?: AdminOptions): Promise<Exchange>;
  read(record: Pick<Issued, 'id'>, options?: AdminOptions): Promise<Exchange>;
  change(
    record: Pick<Issued, 'id'>,
    options?: AdminOptions & Wanted & { readonly body?: string | Json },
  ): Promise<Exchange>;
  revoke(record: Pick<Issued, 'id'>, options?: AdminOptions): Promise<Exchange>;
  /** The keys that this run has made and revoked again, in the order of their revocation. */
  revoked(): readonly Key[];
  /** The identifier of a record that this run made and removed before, with which the identifier of this one begins. */
  former(record: Pick<Issued, 'id'>): Secret | undefined;
  /** Whether its identifier is a number that this run was given another one near to. */
  isCounted(record: Pick<Issued, 'id'>): boolean;
  /** Any other request below the admin path, with the token of the options. */
  send(request: RawRequest & AdminOptions): Promise<Exchange>;
  /** The profile's own request for an operation, without a record: `read`, `revoke` and `change` name one that is not there. */
  attempt(operation: AdminOperation, options?: AdminOptions): Promise<Exchange>;
}

export interface Ask<Case = undefined> {
  readonly subject: Subject;
  /** The key that the context chose, of the role that the rule needs. */
  readonly key: Key;
  /** The actor that the context chose, of the role that the rule needs. */
  readonly actor: Actor;
  readonly case: Case;
  run(options?: RunOptions): Promise<Exchange>;
  read(options?: RequestOptions & { readonly actor?: Actor | string }): Promise<Exchange>;
  verify(options?: RequestOptions): Promise<Exchange>;
  send(request: RawRequest): Promise<Exchange>;
  readonly admin: AdminAsk;
  /** What can be found about limits; each thing once a run. What ended without a result shuts the gate when it is yielded. */
  readonly limits: LimitsAsk;
  /** A connection of its own, kept undetermined between exchanges until the rule is done. */
  line(options?: { readonly watched?: boolean }): Line;
  /** For one call of many: a connection that serves as many as those of ordinary callers do, and then makes room for the next. */
  usualLine(): Line;
  /** How often the sources planted by this exchange were reached, after a moment in which late work would show. */
  reached(exchange: Exchange): Promise<Reached>;
  /** What had reached none of its sources when a rule looked, and how often it has reached them by now. */
  reachedLater(): readonly Reached[];
  /** Stops the service and starts it again on the same store; only where the target can. */
  restart(): Promise<void>;
  /** In which forms the service's store holds a key. */
  stored(key: Key): Promise<Stored>;
  sleep(ms: number): Promise<void>;
  /** Milliseconds by the monotonic clock. */
  now(): number;
  /** A number from the run's seed, in [0, 1). */
  random(): number;
}
