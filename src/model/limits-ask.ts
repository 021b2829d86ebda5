/**
 * What a rule of the areas `limit` and `address` may find out. Every answer is evidence: the exchanges themselves, in an
 * order that pure functions can read again. A fact that was determined once in a run is not asked for again.
 */
import type { Exchange } from './exchange.ts';
import type { SideBySide, StatedPace, Stretch } from './stretch.ts';
import type { OtherRefusal, Turn, Wait, Waits } from './waits.ts';

export type { SideBySide, StatedPace, Stretch } from './stretch.ts';
export type { EarlyCall, OtherRefusal, Turn, Wait, Waits } from './waits.ts';

/** All calls of one caller in the order of sending, from which a model follows. */
export type Probed = {
  readonly caller: string;
  readonly tier: string | null;
  /** Which request was repeated. */
  readonly route: string;
  readonly calls: readonly Exchange[];
  /** From then on (milliseconds of the run) every refusal is a second limit's. */
  readonly sustainedFrom: number | null;
  /** Why it ended before it was done. */
  readonly stopped: string | null;
};

/** One caller is exhausted and stays refused before and after; meanwhile another one asks. */
export type Round = {
  /** Who else was asked: `the same key at another address`, … */
  readonly other: string;
  /** The other one, rested, while nobody was exhausted; empty if that was not needed. */
  readonly twin: readonly Exchange[];
  readonly exhausting: readonly Exchange[];
  readonly before: readonly Exchange[];
  readonly answers: readonly Exchange[];
  readonly after: readonly Exchange[];
};

/** Whether the service can see the addresses apart that calls came from: what else a refusal there may mean. */
export type SeesApart = 'stated' | 'direct' | 'unknown';

export type Neighbours = {
  readonly rounds: readonly Round[];
  readonly seesApart: SeesApart;
};

/** One kept connection until it is refused; then, by lot, calls on that one and calls on new ones. */
export type Reconnected = {
  /** From another address than the round before, and at once after it, without a rest. */
  readonly further?: true;
  /** Where the round began with a refusal: an earlier call that was admitted. */
  readonly before?: Exchange;
  readonly exhausting: readonly Exchange[];
  readonly kept: readonly Exchange[];
  readonly fresh: readonly Exchange[];
  /** How many calls on new connections were meant to be asked, if none was refused. */
  readonly most: number;
};

/** A run with sources, and how often these were reached. */
export type RefusedRun = { readonly of: Exchange; readonly times: number };

export type AddressLimit = {
  /** Who met it: one key, several keys, or callers without a key. */
  readonly by: 'one key' | 'many keys' | 'no key';
  readonly calls: readonly Exchange[];
  /** A rested key, asked at the exhausted address. */
  readonly tried: readonly Exchange[];
};

/** Which requests are refused to an exhausted key. */
export type RoutesMet = readonly { readonly request: string; readonly answer: Exchange }[];

/** The same calls one after another, and at the same time. */
export type Paces = {
  /** From a rest on, one call at a time, each on a new connection, until one is refused and as many again as stay under way in a wave. */
  readonly inTurn: readonly { readonly calls: readonly Exchange[] }[];
  /** From a rest on: calls that leave room for `left` more, and then a wave. */
  readonly atOnce: readonly {
    readonly primed: readonly Exchange[];
    readonly left: number;
    readonly wave: readonly Exchange[];
  }[];
  /** Where refusals seem to give back what was used: many times the limit, as fast as it goes. */
  readonly flood: readonly Exchange[];
  /** An exhausted caller that goes on for many calls, and one that pauses for as long and then asks for twice what a rested one has. */
  readonly stubborn: readonly { readonly calls: readonly Exchange[]; readonly control: readonly Exchange[] }[];
};

/** Keys of the same plan that were made for this. */
export type NewKeys = {
  /** The first calls of each, all at once, and as many again after a rest where they were more than usual. */
  readonly atOnce: readonly { readonly wave: readonly Exchange[]; readonly later: readonly Exchange[] }[];
  /** The first calls of another one, one by one, until one is refused; empty where nothing was to be compared. */
  readonly inTurn: readonly Exchange[];
};

/** An exhausted caller asks for something else, and then again for what it was refused. */
export type Between = {
  /** What else was asked for: `an unknown path`. */
  readonly other: string;
  /** The caller was not exhausted: it had spent a part. The control is the same without the other request. */
  readonly spent?: true;
  readonly before: readonly Exchange[];
  readonly between: Exchange;
  readonly after: readonly Exchange[];
  /** The same, after a pause as long as the other request took. */
  readonly control: readonly Exchange[];
};

/** An exhausted key that says something else beside itself, and says so again and again where that is admitted. */
export type Disguised = {
  /** `with a query` */
  readonly other: string;
  /** Many at once; where they gain anything, each follows by itself. */
  readonly together?: true;
  readonly request: string;
  readonly before: readonly Exchange[];
  readonly answers: readonly Exchange[];
  /** Each as many calls as a rested key has, in a new disguise; the last one may hold what ended it. */
  readonly bursts: readonly (readonly Exchange[])[];
  readonly after: readonly Exchange[];
  /** As many calls in as much time, of the exhausted key as it is: where its calls come back too quickly to be refused after. */
  readonly control?: readonly Exchange[];
};

export type Beside = {
  /** The sort of the key that is exhausted. */
  readonly exhausted: string;
  readonly rounds: readonly Round[];
};

/** Keys of each sort and plan. */
export type Sorts = {
  /** From a rest on, each key by itself, until it is refused. */
  readonly bursts: readonly Stretch[];
  /** Keys that met no limit, next to one that does. */
  readonly beside: readonly SideBySide[];
  /** While a key that was made or changed is exhausted: others, elsewhere. Runs of other times asked none. */
  readonly shared?: readonly Beside[];
  /** Keys that were refused, but not with 429, while others are served. Runs of other times looked for none. */
  readonly otherwise?: readonly (Omit<Stretch, 'calls'> & { readonly seen: readonly OtherRefusal[] })[];
  /** At other routes: a live key that has less than one of a lower plan, and that one, each twice. Runs of other times have none. */
  readonly elsewhere?: readonly Stretch[];
  /**
   * Of keys that were changed: a wait, as it was told, and another one after a rest where it did not help. Beside them, live keys of each
   * plan. Runs of other times have none.
   */
  readonly waits?: readonly Wait[];
  readonly usual?: readonly Wait[];
};

/** A route that an exhausted key may still ask, next to the one that it may not. */
export type RouteBeside = {
  readonly request: string;
  readonly beside: SideBySide;
};

/** Callers without a key, one call after another: silence, calls that are let through, and what refused them then. */
export type StrangersRefused = { readonly let: readonly Exchange[]; readonly refused: readonly Exchange[] };

/** And what callers without a key were answered at all: the first answers after silence, and a 429. */
export type StrangersAsked = {
  readonly strangers: readonly StrangersRefused[];
  readonly shown: readonly Exchange[];
};

export interface LimitsAsk {
  /** Whether the limit of one key is met, and what a rest is: no more than that. Most of the others rest on it. */
  met(): Promise<Probed>;
  paces(): Promise<Paces>;
  /** The same by runs, where the limit was met by another route. */
  pacesOfRuns(): Promise<Paces | null>;
  pacesOfReads(): Promise<Paces | null>;
  /** Keys that nobody has used yet. */
  pacesOfNew(): Promise<NewKeys | null>;
  /** Whether another kind of request gives an exhausted key its quota back. */
  between(): Promise<readonly Between[]>;
  sorts(): Promise<Sorts>;
  everybody(): Promise<Turn[]>;
  everyRoute(): Promise<readonly RouteBeside[]>;
  /** Keys of plans whose limits are stated, below and beyond them. */
  asStated(): Promise<readonly StatedPace[]>;
  /** All that keys of plans whose limits are stated asked in this run, at the route of the limit. */
  throughout(): Promise<readonly Stretch[]>;
  /** And callers without a key, at the first address. */
  throughoutAt(): Promise<Stretch | null>;
  /** An address whose limit is stated, below and beyond it. */
  addressAsStated(): Promise<readonly StatedPace[]>;
  /** While the key is exhausted: the same call with an invented forwarded-for header. */
  forgedByKey(): Promise<readonly Round[]>;
  /** While the key is exhausted: the same call with other headers, another query, another spelling. */
  disguised(): Promise<readonly Disguised[]>;
  /** Callers without a key on one connection until they are refused; then, by lot, on that one and on new ones. */
  strangersReconnecting(): Promise<readonly Reconnected[]>;
  /** Where callers without a key are refused, but not with 429. */
  strangersRefused(): Promise<StrangersAsked>;
  /** As many keys as can be had, each within its own limit, until the address is refused. */
  crowd(): Promise<Probed>;
  /** The limit that one key meets at one address. */
  key(): Promise<Probed>;
  otherRefusals(): Promise<readonly OtherRefusal[]>;
  /** Keys of different tiers, the lowest first. */
  tiers(): Promise<readonly Probed[]>;
  /** Other keys and other addresses, while that key is exhausted. */
  neighbours(): Promise<Neighbours>;
  /** Each other key of the profile, a call each, while that key is exhausted. */
  crossed(): Promise<readonly Round[]>;
  waits(): Promise<Waits>;
  /** Calls at a pace far beyond the limit, twice. */
  hammering(): Promise<readonly (readonly Exchange[])[]>;
  reconnecting(): Promise<readonly Reconnected[]>;
  /** Runs with sources: one that is admitted, then those that are refused with 429. */
  refusedRuns(): Promise<{ readonly twin: RefusedRun; readonly refused: readonly RefusedRun[] }>;
  /** Runs that are refused at an exhausted address. */
  refusedRunsAt(): Promise<readonly RefusedRun[]>;
  routes(): Promise<RoutesMet>;
  /** The limit of an address, met by callers who are each within their own. */
  address(): Promise<AddressLimit>;
  /** As `paces`, of the limit that callers without a key meet. */
  addressPaces(): Promise<Paces>;
  elsewhere(): Promise<Neighbours>;
  addressWaits(): Promise<Waits>;
  /** The limit that callers without a key meet, if they meet any. */
  withoutKey(): Promise<Probed>;
  /** A key at the address that these have exhausted, which waits as it is told there. */
  keyWaits(): Promise<Waits>;
  /** One call of each sort of key there, and more where some are served and some are not. */
  callersAt(): Promise<readonly Round[]>;
  /** The other routes at an address whose limit was met at one, without a key. */
  everyRouteAt(): Promise<readonly RouteBeside[]>;
  /** While the address is exhausted: the same call in the name of another program, or in another language. */
  disguisedAt(): Promise<readonly Disguised[]>;
  /** Whether calls with a key give an address back what callers without one have spent. */
  betweenAt(): Promise<readonly Between[]>;
  /** While these are refused: calls with keys that nobody issued. */
  guessing(): Promise<readonly Round[]>;
  /** The same, looked at for as long as its kind takes. */
  withoutKeyModel(): Promise<Probed>;
  /** While the address is exhausted: the same call with an invented forwarded-for header. */
  forged(): Promise<readonly Round[]>;
}
