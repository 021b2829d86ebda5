/** What every kind of target is to the rest: an instance that was started, and how it can fail. */
import type { Clock } from '../clock.ts';
import type { Transport } from '../http/transport.ts';
import { type MistakeCode, UserError } from '../mistakes.ts';
import type { Random } from '../random.ts';
import type { Keyring } from '../secrets/keyring.ts';
import type { Guard } from './guard.ts';

/** Which exit code it is: a mistake in the profile, a service that does not start, a tool that is not there. */
export type TargetFault = 'usage' | 'unreachable' | 'tool';

/** Something that the person at the keyboard can put right: what happened, and what to do. */
export class TargetError extends UserError {
  override readonly name = 'TargetError';
  readonly fault: TargetFault;

  constructor(fault: TargetFault, message: string) {
    super(message, codes[fault]);
    this.fault = fault;
  }
}

const codes = {
  usage: 'target-wrong',
  unreachable: 'target-did-not-start',
  tool: 'container-tool-missing',
} as const satisfies Record<TargetFault, MistakeCode>;

/** One running service. */
export interface Instance {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Undefined: it runs; otherwise how it ended, in words, with its last lines. */
  ended(): Promise<string | undefined>;
  /** Undefined if it would come back at another address, or was asked not to be. */
  readonly restart?: () => Promise<void>;
  readonly whyNoRestart?: string;
  /** What of it the profile says to read; undefined if it says nothing. */
  readonly dump?: () => Promise<Uint8Array>;
  /** Where a source server must listen so that the service can reach it; undefined: anywhere on this machine. */
  readonly host?: { readonly listen: string; readonly advertise: string };
  /** Its first process, where this machine sees it; the others are below it. */
  readonly pid?: number;
  /** Never rejects; leaves nothing behind. */
  stop(): Promise<void>;
}

/** What starting one needs of the rest. */
export interface Surroundings {
  readonly clock: Clock;
  readonly transport: Transport;
  readonly guard: Guard;
  readonly keyring: Keyring;
  readonly random: Random;
  /** Where relative paths of the profile begin. */
  readonly folder: string;
  readonly basePath: string;
  /** Added to each request, as to those of the run; secrets opened. */
  readonly headers: readonly (readonly [string, string])[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly signal: AbortSignal;
}

/** The service with its environment, or the same one without the admin token. */
export type Which = 'service' | 'second instance';
