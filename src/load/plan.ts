/** What is to be sent, by which keys, how fast and how long: everything that an engine needs to know. */
import type { Phase } from '../../load/shared/phases.ts';
import type { ScenarioName, Settings } from '../../load/shared/scenarios.ts';
import type { Secret } from '../model/secret.ts';
import type { Profile } from '../profile/profile.ts';

export interface Operation {
  readonly kind: 'run' | 'verify' | 'read';
  readonly actor: string;
  /** JSON text; `{{nonce}}` is new in each request. */
  readonly input: string;
  readonly weight: number;
}

/** A documented limit, as load counts. */
export interface DeclaredLimit {
  readonly perSecond: number;
  readonly burst?: number;
}

export interface DeclaredLimits {
  readonly key?: DeclaredLimit;
  readonly address?: DeclaredLimit;
}

export interface LoadPlan {
  readonly id: string;
  readonly scenario: ScenarioName;
  /** The base address, as reports show it. */
  readonly target: string;
  readonly seed: number;
  readonly settings: Settings;
  /** Nothing in a closed loop. */
  readonly phases: readonly Phase[];
  /** How many wait for answers at once in a closed loop. */
  readonly connections?: number;
  readonly keys: readonly Secret[];
  readonly operations: readonly Operation[];
  /** Ranges of addresses of this machine, as k6 takes them, and how many these are. */
  readonly addresses?: { readonly ranges: string; readonly count: number };
  readonly timeoutMs: number;
  readonly slowestMs: number;
  readonly mostVus: number;
  readonly workers: number;
  readonly headers: Profile['headers'];
  readonly tls: Profile['tls'];
  readonly limits: DeclaredLimits;
  readonly thresholds: readonly { readonly name: string; readonly demanded: string; readonly bound: number }[];
  /** The process of the service, where it may be looked at; what it started counts as well. */
  readonly targetPid?: number;
}

/** What reading samples needs of a plan: no secrets. */
export type MeasuredPlan = Omit<LoadPlan, 'keys' | 'headers' | 'tls'> & { readonly keys: { readonly length: number } };

export const nameOf = ({ kind, actor }: Operation): string =>
  kind === 'verify' ? 'verify' : kind === 'read' ? `read ${actor}` : actor;
