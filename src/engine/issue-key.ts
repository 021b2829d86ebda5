/** A key of the run's own, before the plan. */
import { succeeded } from '../model/exchange.ts';
import type { Key } from '../model/subject.ts';
import { adminAsker } from './admin-asker.ts';
import { setup } from './prepare.ts';
import type { Sending } from './recorder.ts';
import { verifyRequest } from './requests.ts';
import type { Session } from './session.ts';

/** A key made through the admin interface, so that rules can be asked with one. */
export async function issueKey(session: Session): Promise<Key | undefined> {
  const { admin } = session.subject;
  if (admin?.token === undefined || !admin.operations.includes('create')) return undefined;
  const send = (sending: Sending) => session.recorder.send(sending);
  const { exchange, key } = await adminAsker(session, setup(session), send).create();
  if (!succeeded(exchange) || key === undefined) return undefined;
  await becomesKnown(session, key);
  return key;
}

const pauseMs = 100;
/** The next key may take a little longer. */
const margin = 2;

/** A service may need as long for a new key as for a change: until then it is like one that nobody issued. */
async function becomesKnown(session: Session, key: Key): Promise<void> {
  const { clock, signal, subject, recorder } = session;
  const began = clock.now();
  const isKnown = async (): Promise<boolean> =>
    (await recorder.send(verifyRequest(session, {}, setup(session, key)))).exchange.response?.status !== 401;
  if (await isKnown()) return;
  while (clock.now() - began < subject.bounds.revocationMs) {
    await clock.sleep(pauseMs, signal);
    if (!(await isKnown())) continue;
    session.newKeys.takeMs = margin * (clock.now() - began);
    return;
  }
}
