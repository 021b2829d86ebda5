/**
 * Whether a service in a container reaches the source server of this machine: tried with a run, because a firewall lets nothing through
 * that it does not know, and a rule must not take that for the service's own failure.
 */
import type { Lacks } from '../model/control.ts';
import { Secret } from '../model/secret.ts';
import type { Profile } from '../profile/profile.ts';
import { word } from '../random.ts';
import { startSources } from '../sources/server.ts';
import { fill, templatesIn } from '../sources/templates.ts';
import type { Instance, Surroundings } from './target.ts';

export interface Reach {
  readonly sources: Profile['sources'];
  readonly lacks: Lacks;
  readonly remarks: readonly string[];
}

export async function reachSources(profile: Profile, { host, origin }: Instance, around: Surroundings): Promise<Reach> {
  const { sources } = profile;
  if (host === undefined) return { sources, lacks: {}, remarks: [] };
  const usual = sources.listen === '127.0.0.1' && sources.advertise === undefined;
  const placed = usual ? { ...sources, ...host } : sources;
  const why = await whyUnreached(profile, placed, origin, around);
  if (why === undefined) return { sources: placed, lacks: {}, remarks: [] };
  const because = `the service reached no source at ${placed.advertise ?? placed.listen}: ${why}`;
  const lack = {
    because,
    add: 'sources: { listen: 0.0.0.0, advertise: … }, by a name that reaches this machine from inside',
  };
  return {
    sources: placed,
    lacks: { sources: lack, 'two-sources': lack, 'restricted-sources': lack },
    remarks: [`Rules that need sources are skipped: ${because}`],
  };
}

/** Undefined if one was reached, or where nothing in the profile reads any. */
async function whyUnreached(
  profile: Profile,
  place: Profile['sources'],
  origin: string,
  { transport, basePath, headers, random, clock, signal }: Surroundings,
): Promise<string | undefined> {
  const actor = profile.actors.find((each) => each.role !== 'restricted' && templatesIn(each.input).sources > 0);
  const key = profile.keys.find((each) => each.role === 'entitled');
  if (actor?.input === undefined || key === undefined) return undefined;
  const server = await startSources({ ...place, random });
  try {
    const { input, planted } = fill(actor.input, server, () => word(random), { slow: 'ok', broken: 'ok' });
    const { response, failure } = await transport.send(
      {
        method: 'POST',
        target: `${basePath}/v1/actors/${encodeURIComponent(actor.name)}/run-sync-get-dataset-items`,
        headers: [['X-API-Key', Secret.reveal(key.secret)], ['Content-Type', 'application/json'], ...headers],
        body: Buffer.from(JSON.stringify(input)),
      },
      { origin },
      { timeoutMs: Math.max(profile.bounds.timeoutMs, profile.bounds.upstreamMs), maxBodyBytes: 64 * 1024, signal },
    );
    const reached = (): boolean => planted?.sources.some(({ token }) => server.reached(token) > 0) ?? false;
    if (!reached()) await clock.sleep(lateMs, signal);
    if (reached()) return undefined;
    return `a run of ${actor.name} ${response === undefined ? (failure?.says ?? 'got no answer') : `got ${response.status}`} and read none`;
  } finally {
    await server.close();
  }
}

const lateMs = 100;
