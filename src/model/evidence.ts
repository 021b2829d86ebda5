/** What `ask` may bring: what was recorded, and never a conclusion. Texts, numbers and truth values do not fit, by type. */
import type { Exchange } from './exchange.ts';
import type {
  AddressLimit,
  Between,
  Disguised,
  Neighbours,
  OtherRefusal,
  Paces,
  Probed,
  Reconnected,
  Round,
  RouteBeside,
  RoutesMet,
  SideBySide,
  Sorts,
  StrangersRefused,
  Stretch,
  Waits,
} from './limits-ask.ts';

/**
 * How often the sources that an exchange planted were reached, the names of secrets that they were told, and the queries with which
 * they were asked: seen by our own source server.
 */
export type Reached = {
  readonly of: Exchange;
  readonly times: number;
  readonly heard?: readonly string[];
  readonly queries?: readonly string[];
};

/** A key that was asked for: the answer, and the name under which its key is in everything that is written down. */
export type Created = { readonly answer: Exchange; readonly name: string | null; readonly identified: boolean };

/** In which forms a store holds a secret: `''` bare, `sha256`, `base64`, … */
export type Stored = { readonly forms: readonly string[] };

/** Looking for a limit ended before it brought anything: the budget was used up, or there was nobody to ask. */
export type NotFound = { readonly ended: string; readonly inapplicable: boolean };

export type Evidence =
  | Exchange
  | Reached
  | Created
  | Stored
  | NotFound
  | Probed
  | Neighbours
  | Round
  | Waits
  | OtherRefusal
  | Reconnected
  | RoutesMet
  | AddressLimit
  | Paces
  | Between
  | Disguised
  | Sorts
  | Stretch
  | SideBySide
  | RouteBeside
  | StrangersRefused
  | null
  | undefined
  | readonly Evidence[]
  | EvidenceMap;

export interface EvidenceMap {
  readonly [name: string]: Evidence;
}

type Names<Piece> = Piece extends unknown ? keyof Piece : never;
type Named<Piece, Name> = Piece extends { readonly [N in Name & PropertyKey]: infer Value } ? Value : never;

/** What an `ask` has brought when it is done: a result, or all pieces of a generator together. */
export type Whole<E, Piece> = [Piece] extends [never] ? E : { readonly [Name in Names<Piece>]: Named<Piece, Name> };

/** What it has brought by now: some of the pieces. */
export type SoFar<E, Piece> = [Piece] extends [never]
  ? E extends EvidenceMap
    ? Partial<E>
    : E
  : Partial<Whole<E, Piece>>;
