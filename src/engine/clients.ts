/** As which ordinary clients a run asks its questions. */
import { succeeded } from '../model/exchange.ts';
import type { Profile } from '../profile/profile.ts';
import { hashOf, seeded } from '../random.ts';
import { setup } from './prepare.ts';
import { verifyRequest } from './requests.ts';
import type { Session } from './session.ts';
import { anyClients, type ClientsFor, respelling } from './stacks.ts';

export const clientsBy =
  ({ identify }: Profile, seed: number, which: { readonly respelling: boolean }): ClientsFor =>
  (name) =>
    identify ? undefined : anyClients(seeded(seed ^ hashOf(`client ${name}`)), which);

/**
 * Go's client writes `X-Api-Key`. A service that looks for `X-API-Key` alone would fail everywhere for what `auth.header-name-case`
 * warns about: it meets only clients that keep the spelling.
 */
export async function clientsMet(session: Session): Promise<ClientsFor> {
  const { profile, subject, seed, recorder } = session;
  const key = subject.keys.find(({ role }) => role === 'entitled');
  if (profile.identify || key === undefined) return session.clientsFor;
  for (const stack of respelling) {
    const defaults = { ...setup(session, key), clients: { anew: stack, kept: stack } };
    const { exchange } = await recorder.send(verifyRequest(session, {}, defaults));
    if (!succeeded(exchange)) return session.clientsFor;
  }
  return clientsBy(profile, seed, { respelling: true });
}
