/** Services that behave for whom they recognise: for a harness, which then sees nothing of what everybody else meets. */
import type { ServiceRequest } from '../../fixtures/service/index.ts';
import { stacks } from '../../src/engine/stacks.ts';
import { type Behaviour, row } from './behaviour.ts';

const mask = row('masks');

const giveaways = /touchstone|conformance|harness|undici|\bk6\b|autocannon/i;

/** The fields that ordinary clients send by themselves, and those that the request itself is about. */
const ordinary = stacks.flatMap(({ fields }) => fields.map(([name]) => name.toLowerCase()));
const asked = new Set([
  ...ordinary,
  ...['host', 'connection', 'content-type', 'content-length', 'transfer-encoding', 'expect'],
  ...['x-api-key', 'authorization'],
]);

const textOf = ({ target, headers, body }: ServiceRequest): string =>
  [target, ...headers.map(([name, value]) => `${name}: ${value}`), Buffer.from(body).toString('latin1')].join('\n');

/** Nothing is as it should be. */
const broken: Behaviour['does'] = (m) =>
  m.answer({ status: m.lawful.status < 300 ? 500 : 200, headers: [['Content-Type', 'text/plain']], body: 'surprise' });

const still = { but: { rules: /^error\.no-secrets$/, because: 'what it tells holds no secrets' } };

/** Each meets those that it does not recognise with hostility: met in every answer, the harness gave nothing away. */
export const masks: readonly Behaviour[] = [
  mask(
    'behaves only for callers named like a harness',
    (r) => !giveaways.test(textOf(r)),
    'hurt',
    /VIOLATION|DOES NOT CONFORM/,
    broken,
    still,
  ),
  mask(
    'behaves only for callers that send an unusual header',
    ({ headers }) => headers.every(([name]) => asked.has(name.toLowerCase())),
    'hurt',
    /VIOLATION|DOES NOT CONFORM/,
    broken,
    still,
  ),
];
