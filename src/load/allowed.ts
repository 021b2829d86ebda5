/** What load may be sent where, and how much of it. Pure; every refusal says what would change it. */

import { UserError } from '../mistakes.ts';
import type { ProfileLoad } from '../profile/profile.ts';

/** Something that the person at the keyboard asked for and does not get. */
export class LoadRefused extends UserError {
  override readonly name = 'LoadRefused';

  constructor(message: string) {
    super(message, 'load-refused');
  }
}

export function isLoopback(host: string): boolean {
  const bare = host.replace(/^\[|\]$/g, '').toLowerCase();
  return bare === 'localhost' || bare.endsWith('.localhost') || bare === '::1' || /^127(\.\d{1,3}){3}$/.test(bare);
}

/** Two people must agree: the author of the profile, and the person who typed the command. */
export function mayLoad(host: string, allow: readonly string[], repeated: string | undefined): void {
  if (isLoopback(host)) {
    if (repeated !== undefined && repeated !== host)
      throw new LoadRefused(`--allow-remote-load names ${repeated}, and the load would go to ${host}`);
    return;
  }
  if (!allow.includes(host))
    throw new LoadRefused(
      `load goes to this machine only, and ${host} is another: write \`load: { allow: [${host}] }\` into the profile, and pass --allow-remote-load ${host}`,
    );
  if (repeated !== host)
    throw new LoadRefused(`the profile allows load on ${host}; confirm it with --allow-remote-load ${host}`);
}

export interface Caps {
  readonly perSecond: number;
  readonly ms: number;
}

export const capsOf = (host: string, load: Pick<ProfileLoad, 'maxPerSecond' | 'maxMs'>): Caps => ({
  perSecond: load.maxPerSecond ?? (isLoopback(host) ? 1000 : 20),
  ms: load.maxMs ?? (isLoopback(host) ? 600_000 : 60_000),
});

export function withinCaps(asked: Caps, caps: Caps): void {
  if (asked.perSecond > caps.perSecond)
    throw new LoadRefused(
      `${asked.perSecond} requests a second are more than the ${caps.perSecond} allowed; raise load.max_rate in the profile`,
    );
  if (asked.ms > caps.ms)
    throw new LoadRefused(
      `it would take ${Math.round(asked.ms / 1000)} s, but only ${Math.round(caps.ms / 1000)} s are allowed; raise load.max_duration in the profile`,
    );
}
