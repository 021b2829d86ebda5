/** What a run created, it removes, also where it was interrupted; what it could not remove, it names. */
import { succeeded } from '../model/exchange.ts';
import { cleanerOf, removeByMark } from './clean.ts';
import type { Made } from './made.ts';
import type { Session } from './session.ts';

/** If omitted: everything that the run still has in the service. Returns the names of what stayed. */
export async function removeMade(session: Session, names: readonly string[] = session.made.names): Promise<string[]> {
  const canRevoke = session.subject.admin?.operations.includes('revoke') ?? false;
  const left: string[] = [];
  for (const made of names.flatMap((name) => session.made.get(name) ?? [])) {
    if (canRevoke && (await revoked(session, made))) session.made.drop(made.name);
    else left.push(made.name);
  }
  return left;
}

async function revoked(session: Session, made: Made): Promise<boolean> {
  try {
    if (made.id !== undefined) return succeeded(await cleanerOf(session).revoke(made));
    if (made.mark === undefined) return false;
    const { is } = await removeByMark(session, made.name, made.mark);
    return is === 'removed' || is === 'gone';
  } catch {
    return false;
  }
}
