/** What a run created, it removes; what it could not remove, it names. */

import { succeeded } from '../model/exchange.ts';
import { adminAsker } from './admin-asker.ts';
import type { Made } from './made.ts';
import type { Sending } from './recorder.ts';
import type { Session } from './session.ts';

/** Left out: everything that the run still has in the service. Returns the names of what stayed. */
export async function removeMade(session: Session, names: readonly string[] = session.made.names): Promise<string[]> {
  const admin = adminAsker(session, { purpose: 'cleanup', instance: 'main', line: 'cleanup' }, (sending: Sending) =>
    session.recorder.send(sending),
  );
  const canRevoke = session.subject.admin?.operations.includes('revoke') ?? false;
  const left: string[] = [];
  for (const made of names.flatMap((name) => session.made.get(name) ?? [])) {
    if (canRevoke && (await revoked(admin, made))) session.made.drop(made.name);
    else left.push(made.name);
  }
  return left;
}

async function revoked(admin: ReturnType<typeof adminAsker>, made: Made): Promise<boolean> {
  if (made.id === undefined) return false;
  try {
    return succeeded(await admin.revoke(made));
  } catch {
    return false;
  }
}
