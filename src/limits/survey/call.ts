/** Who calls, from where, and what is asked for. */
import type { Key } from '../../model/subject.ts';

export type RouteName = PlainRoute | RunOf;

/** Of an actor beside the one that is usually run. */
export type RunOf = `a run of the actor ${string}`;

export type PlainRoute =
  | 'verify'
  | 'read'
  | 'run'
  | 'an unknown path'
  | 'an unknown actor'
  | 'HEAD'
  | 'OPTIONS'
  | 'DELETE'
  | 'a run of malformed JSON'
  | 'a run of an unknown actor'
  | 'a run without access'
  | 'a run without input'
  | 'a run that fails';

/** Who calls: one key, several in turn, or nobody; from which address; each call on a new connection or not. */
export interface Who {
  readonly keys: readonly (Key | null)[];
  /** From one address after the other, instead of one. */
  readonly spread?: readonly Place[];
  readonly from?: string;
  readonly afresh?: true;
  /** One call at a time, on one connection. */
  readonly single?: true;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** What else its requests say, on the connections that it has anyway. */
  readonly disguise?: Disguise;
}

/** What a request may say beside who calls and what is asked for. */
export interface Disguise {
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** In front of the key. */
  readonly before?: readonly (readonly [name: string, value: string])[];
  readonly query?: readonly [name: string, value: string];
  readonly keyHeader?: string;
  /** The key stands in so many headers more. */
  readonly copies?: number;
  readonly respell?: (path: string) => string;
  /** The whole address in the request line. */
  readonly absolute?: true;
  readonly version?: '1.0';
  /** Of runs alone. */
  readonly contentType?: string;
  readonly chunkBytes?: number;
  readonly padding?: number;
}

/** Where a caller seems to be: an address of this machine, or what a header says that the service believes. */
export type Place = Pick<Who, 'from' | 'headers'>;

export interface Call extends Omit<Who, 'keys' | 'spread'> {
  readonly key: Key | null;
  readonly route: RouteName;
}
