/** What a target lets a run do to the service itself. */
import type { Capability } from './rule.ts';

/** What can be done to the service beside talking to it, where Touchstone (or a test) started it. */
export interface Control {
  restart?(): Promise<void>;
  /** All that the service has stored, byte for byte. */
  dump?(): Promise<Uint8Array>;
  /** Why something is not there that a target could have, and what would give it. */
  readonly lacks?: Lacks;
}

export type Lacks = Readonly<Partial<Record<Capability, { readonly because: string; readonly add: string }>>>;
