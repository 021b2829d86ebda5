/**
 * The upstream sources that this run hands out: every address belongs to one exchange, so that "this refused run reached
 * no source" and "these items are that request's" can be proven. Who serves them (a socket, a test) is not known here.
 */
import type { SourceBehaviour } from '../model/ask.ts';

export interface PlantedSource {
  readonly slot: string;
  readonly token: string;
  readonly behaviour: SourceBehaviour;
  readonly url: string;
}

export interface Sources {
  /** Hands out an address that nobody else has. */
  plant(slot: string, behaviour: SourceBehaviour): PlantedSource;
  /** From now on the address of this token behaves so: later calls get that. Where nobody listens, nobody does from now on. */
  turn(token: string, behaviour: SourceBehaviour): void;
  /** How often a planted address was reached so far. A `refused` one can't be seen: always 0. */
  reached(token: string): number;
  /** The heads of the first requests that reached a planted address, as latin1: they may hold anything. */
  heard(token: string): readonly string[];
  /** Addresses asked for that this run never handed out, or that carry no token: for the report. */
  strangers(): number;
  close(): Promise<void>;
}
