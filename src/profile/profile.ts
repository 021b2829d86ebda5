/** The profile as the engine takes it: read, checked, defaults filled in, secrets shut. How it is written down is read.ts's matter. */
import type { Needs } from '../model/access.ts';
import type { Json } from '../model/json.ts';
import type { KeyKind, Secret } from '../model/secret.ts';
import type { ActorRole, KeyRole, StatedLimit } from '../model/subject.ts';
import type { FormerMember } from './former.ts';
import type { ProfileClient } from './profile-client.ts';
import type { ProfileTarget } from './profile-target.ts';

export interface ProfileKey {
  readonly name: string;
  readonly role: KeyRole;
  /** By the prefix of its value, so that nobody need open the secret for it. */
  readonly kind?: KeyKind;
  readonly tier?: string;
  readonly features?: readonly string[];
  /** May be revoked for good, by this identifier of its record. */
  readonly expendable?: { readonly id?: string };
  readonly secret: Secret;
}

export interface ProfileActor {
  readonly name: string;
  readonly role: ActorRole;
  readonly input?: Json;
  /** Given outright, or found at this JSON Pointer of the read answer; if omitted: looked for where it usually is. */
  readonly schema?: Json;
  readonly schemaAt?: string;
  /** What a key must have to run it. */
  readonly needs?: Needs;
  /** Names of keys: the one that may run it and the one that may not. */
  readonly entitled?: string;
  readonly restricted?: string;
}

/** One admin request. `{id}` in path (its query included) and body stands for the record; `{tier}`, `{environment}` and `{features}` for what its key is to have. */
export interface ProfileOperation {
  readonly method: string;
  readonly path: string;
  readonly body?: Json;
  readonly success?: readonly number[];
}

export interface ProfileAdmin {
  readonly path: string;
  readonly header: string;
  readonly token?: Secret;
  readonly create?: ProfileOperation;
  readonly list?: ProfileOperation;
  readonly read?: ProfileOperation;
  readonly revoke?: ProfileOperation;
  readonly change?: ProfileOperation;
  /** JSON Pointers into the answer of `create`. */
  readonly at: { readonly key: string; readonly id?: string; readonly tier?: string; readonly hash?: string };
  /** The tier and the features that created keys get when a rule does not care. */
  readonly tier?: string;
  readonly features: readonly string[];
  /** The features of created keys are the service's choice, and the profile does not say which it makes. */
  readonly featuresUnknown?: true;
  readonly environments: { readonly live: Json; readonly test: Json };
}

/** What may be spent on looking for limits, and what is known of them. */
export interface ProfileLimits {
  /** `check` looks for limits too. */
  readonly budgeted: boolean;
  readonly maxRequests: number;
  readonly maxSeconds: number;
  readonly quick: boolean;
  /** How many Retry-After waits to test. */
  readonly trials: number;
  /** A service that is not on this machine may be probed. */
  readonly allow: boolean;
  /** Addresses of this machine to call from, where they are stated: the service then sees them apart. */
  readonly addresses?: readonly string[];
  /** A header that the service believes from any caller. */
  readonly trustedHeader?: string;
  /** Which request is repeated; if omitted: the cheapest that is limited. */
  readonly route?: 'verify' | 'read' | 'run';
  readonly declared: {
    /** Of a key without a tier under the empty name. */
    readonly tiers: Readonly<Record<string, StatedLimit>>;
    readonly address?: StatedLimit;
    /** 0.1: a tenth more or less is as declared. */
    readonly tolerance: number;
  };
}

export interface ProfileLoad {
  /** Hosts besides this machine. */
  readonly allow: readonly string[];
  readonly maxPerSecond?: number;
  readonly maxMs?: number;
  readonly perSecond?: number;
  readonly durationMs?: number;
  readonly warmUpMs?: number;
  readonly slowestMs?: number;
  readonly actor?: string;
  /** Names of keys. */
  readonly keys?: readonly string[];
  readonly addresses?: string;
  /** `verify`, `read <actor>`, or the name of an actor. */
  readonly mix: readonly { readonly what: string; readonly weight: number }[];
  /** Bounds of latencies are in microseconds, the others are shares. */
  readonly thresholds: readonly { readonly name: string; readonly demanded: string; readonly bound: number }[];
}

export interface Profile {
  /** Where it was read from, for messages. */
  readonly source: string;
  /** Where its relative paths begin. */
  readonly folder: string;
  /** Members under a former name that it uses. */
  readonly former?: readonly FormerMember[];
  /** Scheme, host and port; empty if there is a target, which has to be started first. */
  readonly origin: string;
  /** What stands before `/v1` in the address; empty or beginning with a slash, never ending with one. */
  readonly basePath: string;
  readonly keys: readonly ProfileKey[];
  readonly tierOrder: readonly string[];
  /** What each tier grants by itself. */
  readonly grants: Readonly<Record<string, readonly string[]>>;
  readonly actors: readonly ProfileActor[];
  readonly admin?: ProfileAdmin;
  /** `strange`: it is known to know none of the keys above. */
  readonly disabled?: {
    readonly origin: string;
    readonly basePath: string;
    readonly key?: Secret;
    readonly strange?: true;
  };
  /** What the run starts and stops by itself. */
  readonly target?: ProfileTarget;
  /** A program that calls the service. A profile with one may have no address: its origin is empty then. */
  readonly client?: ProfileClient;
  readonly sources: {
    readonly listen: string;
    readonly port: number;
    /** Host (and port) that the implementation reaches them at; if omitted: the listen address. */
    readonly advertise?: string;
    /** What a working source answers; `{{token}}` stands for its token. */
    readonly body: string;
    readonly contentType: string;
  };
  readonly limits: ProfileLimits;
  readonly bounds: {
    readonly timeoutMs: number;
    readonly deadlineMs: number;
    readonly patienceMs: number;
    readonly maxWaitMs: number;
    readonly upstreamMs: number;
    readonly upstreamStated: boolean;
    readonly revocationMs: number;
    readonly maxBodyBytes: number;
  };
  /** Added to every request. */
  readonly headers: readonly (readonly [string, Secret | string])[];
  /** `ca` is PEM text, read already. */
  readonly tls: { readonly ca?: string; readonly insecure: boolean; readonly servername?: string };
  /** Requests say whose they are, instead of looking like those of ordinary clients. */
  readonly identify: boolean;
  readonly strict: boolean;
  readonly complete: boolean;
  readonly concurrency: number;
  readonly load?: ProfileLoad;
  /** SHA-256 of the profile with secrets as names. */
  readonly digest: string;
}
