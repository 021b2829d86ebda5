/** The options of the engine, and its events. */
import type { Clock } from '../clock.ts';
import type { Transport } from '../http/transport.ts';
import type { Control } from '../model/control.ts';
import type { Journal } from '../model/journal.ts';
import type { Catalogue } from '../model/rule.ts';
import type { Depth, Run, RunHeader, RunRecord, WitnessedBy } from '../model/run.ts';
import type { Finding } from '../model/verdict.ts';
import type { Waiving } from '../model/waiving.ts';
import type { Profile } from '../profile/profile.ts';
import type { Sources } from '../sources/sources.ts';
import type { Stalls } from './stalls.ts';

export interface EngineOptions {
  readonly profile: Profile;
  readonly catalogue: Catalogue;
  readonly transport: Transport;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly stalls?: Stalls;
  readonly control?: Control;
  /** The command line confirmed that a service elsewhere may be probed for its limits. */
  readonly probeLimits?: boolean;
  /** Nothing stands between this machine's addresses and the service: it sees them apart. */
  readonly direct?: boolean;
  /** Identifiers after `--only` and `--skip`; if omitted: all. */
  readonly selected?: ReadonlySet<string>;
  readonly depth: Depth;
  readonly seed: number;
  /** How often each question is asked, each time with other choices; if omitted: once. */
  readonly repeat?: number;
  readonly strict: boolean;
  /** Nonces come from `root`, which nobody knew before a verifier gave a challenge; the header says so. */
  readonly witness?: { readonly root: string; readonly by: WitnessedBy };
  /** Stops asking at the first violation. */
  readonly bail?: boolean;
  readonly concurrency?: number;
  readonly maxWaitMs?: number;
  /** After it nothing more is asked; what is under way is given up. */
  readonly maxDurationMs?: number;
  /** Aborted: stop asking, judge what was asked, write the footer with `interrupted`. */
  readonly signal?: AbortSignal;
  readonly on?: (event: RunEvent) => void;
  readonly waiving?: Waiving;
  /** What is made in the service, written down before it is. */
  readonly journal?: Journal;
  /** Every record as it happens, header first, footer last. May throw (a full disk): the run then ends with that error. */
  readonly write?: (record: RunRecord) => void;
}

export type RunEvent =
  | { readonly type: 'planned'; readonly header: RunHeader; readonly steps: number }
  | { readonly type: 'progress'; readonly done: number; readonly steps: number; readonly rule: string }
  | { readonly type: 'waiting'; readonly who: string; readonly ms: number }
  | { readonly type: 'finding'; readonly finding: Finding }
  | { readonly type: 'ended'; readonly run: Run };
