/** Asks a service until it is ready. While nobody listens nothing is sent, so that no limit is used up by asking. */
import type { ProfileTarget } from '../profile/profile-target.ts';
import type { Instance, Surroundings } from './target.ts';

const pauses = { first: 5, most: 200, oneAttempt: 5000, shortAttempt: 250 };

export type Readiness = { readonly origin: string } | { readonly failed: string; readonly ended: boolean };

/** The first of the origins that answers as it should; or why none did within the time. */
export async function waitUntilReady(
  origins: readonly string[],
  target: Pick<ProfileTarget, 'ready'>,
  instance: Pick<Instance, 'ended'>,
  { clock, transport, basePath, headers, signal }: Surroundings,
): Promise<Readiness> {
  const { path, status, withinMs } = target.ready;
  const until = clock.now() + withinMs;
  let last = 'nothing listened';
  const ask = async (origin: string): Promise<boolean> => {
    const timeoutMs = Math.max(pauses.shortAttempt, Math.min(pauses.oneAttempt, until - clock.now()));
    const { response, failure } = await transport.send(
      { method: 'GET', target: `${basePath}${path}`, headers },
      { origin },
      { timeoutMs, maxBodyBytes: 64 * 1024, signal },
    );
    signal.throwIfAborted();
    if (response !== undefined) {
      if (status === undefined ? response.status < 500 : status.includes(response.status)) return true;
      last = `GET ${basePath}${path} got ${response.status}`;
    } else if (failure !== undefined && failure.kind !== 'refused') last = `GET ${basePath}${path}: ${failure.says}`;
    return false;
  };
  for (let pause = pauses.first; ; pause = Math.min(pause * 1.5, pauses.most)) {
    for (const origin of origins) {
      if (!(await ask(origin))) continue;
      const ended = await instance.ended();
      return ended === undefined ? { origin } : { failed: ended, ended: true };
    }
    const ended = await instance.ended();
    if (ended !== undefined) return { failed: ended, ended: true };
    if (clock.now() >= until) return { failed: `it was not ready within ${seconds(withinMs)}: ${last}`, ended: false };
    await clock.sleep(Math.min(pause, Math.max(1, until - clock.now())), signal);
  }
}

export const seconds = (ms: number): string => (ms < 1000 ? `${ms}ms` : `${Math.round(ms / 100) / 10}s`);
