/** Pure: what every route but the run itself answers, as a service of the specification does. */
import { type Answer, pathOf } from '../model/client.ts';
import type { Exchange, RecordedRequest } from '../model/exchange.ts';

const json = (status: number, value: unknown): Answer => ({ status, body: JSON.stringify(value) });

export function lawful(
  { method, target }: Pick<RecordedRequest, 'method' | 'target'>,
  { basePath, actor }: { readonly basePath: string; readonly actor: string },
): Answer {
  const path = pathOf({ request: { target } } as Exchange).slice(basePath.length);
  const reads = method === 'GET' || method === 'HEAD';
  if (reads && path === '/v1/auth/verify') return json(200, { valid: true, tier: 'pro' });
  if (reads && /^\/v1\/actors\/[^/]+$/.test(path))
    return json(200, { name: actor, input_schema: { type: 'object', additionalProperties: true } });
  return json(404, { error: 'not_found', detail: 'there is no such route', actor: '' });
}
