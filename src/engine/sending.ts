/** What the recorder is asked to send, and what it gives back. */
import type { Exchange, Planted, Purpose } from '../model/exchange.ts';
import type { Secret } from '../model/secret.ts';
import type { Reveals } from '../secrets/issued-keys.ts';
import type { Stack } from './stacks.ts';
import type { Waiting } from './waiting.ts';

export interface Sending {
  readonly purpose: Purpose;
  readonly instance: 'main' | 'disabled';
  readonly method: string;
  /** Path and query after the address's own path. May hold secrets (a record's identifier). */
  readonly target: string;
  readonly headers: readonly (readonly [string, Secret | string])[];
  readonly body?: Uint8Array;
  readonly chunkBytes?: number;
  /** The whole address stands in the request line, as in a request to a proxy. */
  readonly absolute?: true;
  readonly version?: '1.0';
  readonly stack?: Stack;
  /** Whose limit a 429 is counted against. */
  readonly who: string;
  /** A 429 is an answer like any other, and nobody is held back by it. */
  readonly once?: true;
  /** Where a wait for others of that limit is counted. */
  readonly waiting?: Waiting;
  readonly line?: string;
  /** A line that the rule watches itself: an exchange lost on it is not asked again. */
  readonly watched?: boolean;
  readonly planted?: Planted;
  /** Where the answer shows a new key and its identifier; they become secrets before anything is written down. */
  readonly reveals?: Reveals;
  readonly timeoutMs?: number;
  /** Done to its end also where the run is interrupted: what removes a key. */
  readonly lasting?: true;
  /** The address of this machine to call from. */
  readonly from?: string;
}

export interface Sent {
  readonly exchange: Exchange;
  readonly key?: Secret;
  readonly id?: Secret;
}
