/** What a look at a service has shown: everything that the profile is written from, and nothing that is secret. */
import type { Json } from '../model/json.ts';
import type { KeyRole } from '../model/subject.ts';

export interface SeenKey {
  /** As the profile calls it. */
  readonly name: string;
  /** The environment variable that holds it. */
  readonly variable: string;
  readonly role: KeyRole;
  readonly works: boolean;
  readonly tier?: string;
  /** Where verifying it did not succeed: what was answered. */
  readonly came?: string;
}

export interface SeenActor {
  readonly name: string;
  /** What reading it came to: nothing where it works. */
  readonly came?: string;
  readonly schemaAt?: string;
  /** Why inputs cannot be made from the schema that was found. */
  readonly schemaFault?: string;
  readonly schema?: Json;
  /** Allowed by the schema; not tried unless `runs` says so. */
  readonly input?: Json;
  readonly runs?: SeenRuns;
}

/** What runs have shown, where they were allowed. */
export interface SeenRuns {
  /** The input that worked, or why it did not. */
  readonly clean?: Json;
  readonly failed?: string;
  /** With `{{nonce}}`, which came back in the items. */
  readonly echo?: Json;
  /** With `{{source.ok}}`, which was asked for, and whose token came back in the items. */
  readonly sources?: Json;
  /** It asks for addresses that it is given, but its items do not show what it found there. */
  readonly reads?: true;
  /** A key of the environment that may not run it: 403. */
  readonly refusedTo?: string;
}

export type AdminState = 'open' | 'refuses' | 'disabled' | 'unsure';

export interface Seen {
  readonly address: string;
  /** Why this is taken for such a service; none: it is not. */
  readonly signs: readonly string[];
  /** What the first question was answered. */
  readonly first: string;
  readonly keys: readonly SeenKey[];
  readonly actors: readonly SeenActor[];
  /** Names that the service lists by itself. */
  readonly listed: readonly string[];
  readonly admin: AdminState;
  /** `401 unauthorized`. */
  readonly codes: readonly string[];
  readonly limits: {
    /** Answers of 429. */
    readonly refused: number;
    readonly waitedMs: number;
    /** What the service says about its limits by itself: `ratelimit-remaining: 3`. */
    readonly told: readonly string[];
    readonly near: boolean;
  };
}
