/** As which ordinary clients a run asks its questions. */
import { succeeded } from '../model/exchange.ts';
import type { Profile } from '../profile/profile.ts';
import { hashOf, seeded } from '../random.ts';
import { setup } from './prepare.ts';
import { readRequest, runRequest, verifyRequest } from './requests.ts';
import type { Session } from './session.ts';
import { anyClients, type ClientsFor, respellers } from './stacks.ts';

export const clientsBy =
  ({ identify }: Profile, seed: number, which: { readonly respelling: boolean }): ClientsFor =>
  (name) =>
    identify ? undefined : anyClients(seeded(seed ^ hashOf(`client ${name}`)), which);

/**
 * Go's client writes `X-Api-Key`. A service that looks for `X-API-Key` alone, if only for runs, would fail everywhere for what
 * `auth.header-name-case` warns about: it meets only clients that keep the spelling.
 */
export async function clientsMet(session: Session): Promise<ClientsFor> {
  const { profile, subject, seed, recorder, nonce } = session;
  const key = subject.keys.find(({ role }) => role === 'entitled');
  if (profile.identify || key === undefined) return session.clientsFor;
  const [actor] = subject.actors.clean;
  for (const stack of respellers) {
    const defaults = { ...setup(session, key), clients: { anew: stack, kept: stack } };
    const requests = [
      verifyRequest(session, {}, defaults),
      ...(actor === undefined
        ? []
        : [readRequest(session, { actor }, defaults), runRequest(session, { actor }, defaults, nonce)]),
    ];
    for (const request of requests) if (!succeeded((await recorder.send(request)).exchange)) return session.clientsFor;
  }
  return clientsBy(profile, seed, { respelling: true });
}
