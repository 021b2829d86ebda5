/** Removes a key that an earlier run made, by its identifier, and says what came of it. */
import { succeeded } from '../model/exchange.ts';
import { Secret } from '../model/secret.ts';
import { adminAsker } from './admin-asker.ts';
import type { Session } from './session.ts';

export type Cleaned =
  | { readonly is: 'removed' }
  /** Somebody else was faster. */
  | { readonly is: 'gone' }
  | { readonly is: 'stays'; readonly because: string }
  | { readonly is: 'unreachable'; readonly because: string };

export async function removeById(session: Session, name: string, id: string): Promise<Cleaned> {
  const admin = adminAsker(session, { purpose: 'cleanup', instance: 'main', line: 'cleanup' }, (sending) =>
    session.recorder.send(sending),
  );
  const exchange = await admin.revoke({ id: new Secret(`${name}:id`, id) });
  const { response, failure } = exchange;
  if (response === undefined) return { is: 'unreachable', because: failure?.says ?? 'It did not answer.' };
  if (succeeded(exchange)) return { is: 'removed' };
  if (response.status === 404 || response.status === 410) return { is: 'gone' };
  return { is: 'stays', because: `the service answered ${response.status}` };
}
