/** What all steps of one run share: the way out, the clock, the keys that were issued, the sources. */
import type { Clock } from '../clock.ts';
import type { Surveyed } from '../limits/survey/survey.ts';
import type { Control } from '../model/control.ts';
import type { Evidence } from '../model/evidence.ts';
import type { Exchange } from '../model/exchange.ts';
import type { SeesApart } from '../model/limits-ask.ts';
import type { Subject } from '../model/subject.ts';
import type { Profile } from '../profile/profile.ts';
import type { Random } from '../random.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { Sources } from '../sources/sources.ts';
import type { MadeKeys } from './made.ts';
import type { Recorder } from './recorder.ts';
import type { ClientsFor } from './stacks.ts';
import type { Stalls } from './stalls.ts';
import type { Turns } from './turns.ts';

/** What several steps ask together, and when the first of them began to. */
export interface Shared<T> {
  readonly since: number;
  readonly answer: Promise<T>;
}

export interface Session {
  readonly profile: Profile;
  readonly subject: Subject;
  readonly recorder: Recorder;
  readonly keyring: Keyring;
  readonly sources: Sources;
  readonly clock: Clock;
  readonly control: Control;
  /** Undefined: nobody watches, as in virtual time. */
  readonly stalls?: Stalls;
  readonly seed: number;
  /** As which clients something is asked, by a name of it; none where the profile wants to be recognised. */
  readonly clientsFor: ClientsFor;
  /** For names, which never come back. */
  readonly random: Random;
  /** A token that no other request has. */
  nonce(): string;
  readonly signal?: AbortSignal;
  /** Keys to remove when the run ends, by name. */
  readonly made: MadeKeys;
  /** Twins already asked, by name and context. */
  readonly twins: Map<string, Shared<Exchange>>;
  /** A name that nothing else in this run has: for a connection, for a key. */
  newName(kind: string): string;
  /** Questions already asked, by name and context. */
  readonly questions: Map<string, Shared<Evidence>>;
  readonly seesApart: SeesApart;
  /** Who may ask while a step is alone. */
  readonly turns: Turns;
  /** How long runs of an actor take of which one source is too slow, once somebody wants to know. */
  readonly patience: Map<string, Promise<number>>;
  /** Whether some rule asks of what kind and how high limits are. */
  readonly wantsNumbers: boolean;
  /** Whether nearly all rules about limits are asked. */
  readonly isWhole: boolean;
  /** How long a new key takes to be known, where that was seen: nobody uses one before. And how many were waited for. */
  readonly newKeys: { takeMs?: number; awaited: number };
  /** What had reached none of its sources when a rule looked. */
  readonly idle: Exchange[];
  /** What is found about limits, once a run. */
  survey?: Surveyed;
  /** The connection of those that share one: after a few uses another takes its place, as ordinary callers end. */
  sharedLine(name: string): string;
  release(line: string): void;
}

/** How often the sources of an exchange were reached so far. */
export const timesOf = ({ sources }: Session, { planted }: Exchange): number =>
  (planted?.sources ?? []).reduce((sum, { token }) => sum + sources.reached(token), 0);
