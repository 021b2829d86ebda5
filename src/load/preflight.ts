/** One request with each key before the load: nobody wants to wait for a minute to learn that a key is wrong. */
import { wrongIn } from '../../load/shared/answers.ts';
import type { Clock } from '../clock.ts';
import { isTooMuch } from '../http/appetite.ts';
import { codingOf, decodeBody } from '../http/decode.ts';
import type { WireResponse } from '../http/transport.ts';
import { createTransport } from '../http/undici-transport.ts';
import { Secret } from '../model/secret.ts';
import type { LoadPlan } from './plan.ts';

export type Preflight =
  | { readonly ready: true; readonly closesConnections: boolean }
  | { readonly ready: false; readonly unreachable: boolean; readonly why: string };

/** More are sampled by the load itself. */
const mostKeys = 20;
const mostBytes = 8_000_000;

/** Some services pack every answer, also where nobody said that they can unpack it. */
function wrongOf({ headers, body }: WireResponse, nonce: string | undefined): string | undefined {
  const { bytes } = decodeBody(body, codingOf(headers), mostBytes);
  return isTooMuch(bytes)
    ? 'an answer that is split or nested too much to be checked'
    : wrongIn(new TextDecoder().decode(bytes), nonce);
}

export async function preflight(plan: LoadPlan, clock: Clock, signal: AbortSignal): Promise<Preflight> {
  const transport = createTransport({ clock, tls: plan.tls });
  const { origin, pathname } = new URL(plan.target);
  const base = pathname.replace(/\/$/, '');
  const run = plan.operations.find(({ kind }) => kind === 'run');
  const nonce = run?.input.includes('{{nonce}}') ? `n${plan.seed.toString(36)}preflight` : undefined;
  const body = nonce === undefined ? run?.input : run?.input.replaceAll('{{nonce}}', nonce);
  const target =
    run === undefined
      ? `${base}/v1/auth/verify`
      : `${base}/v1/actors/${encodeURIComponent(run.actor)}/run-sync-get-dataset-items`;
  const ask = async (key: Secret): Promise<Preflight> => {
    const { response, failure } = await transport.send(
      {
        method: run === undefined ? 'GET' : 'POST',
        target,
        headers: [
          ...plan.headers.map(([name, value]) => [name, Secret.reveal(value)] as const),
          ['X-API-Key', Secret.reveal(key)],
          ['Accept', 'application/json'],
          ...(run === undefined ? [] : [['Content-Type', 'application/json'] as const]),
        ],
        ...(body === undefined ? {} : { body: new TextEncoder().encode(body) }),
      },
      { origin, line: 'preflight' },
      { timeoutMs: plan.timeoutMs, maxBodyBytes: mostBytes, signal },
    );
    if (response === undefined) return { ready: false, unreachable: true, why: failure?.says ?? 'it did not answer' };
    const closesConnections = response.headers.some(
      ([name, value]) => name.toLowerCase() === 'connection' && /\bclose\b/i.test(value),
    );
    if (response.status === 429) return { ready: true, closesConnections };
    const wrong =
      response.status < 200 || response.status > 299
        ? `it was answered ${response.status} with the key ${key.name}`
        : run === undefined
          ? undefined
          : wrongOf(response, nonce);
    return wrong === undefined ? { ready: true, closesConnections } : { ready: false, unreachable: false, why: wrong };
  };
  try {
    let found: Preflight = { ready: true, closesConnections: false };
    for (const key of plan.keys.slice(0, mostKeys)) {
      found = await ask(key);
      if (!found.ready) break;
    }
    return found;
  } finally {
    await transport.close();
  }
}
