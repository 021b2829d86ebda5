/** What runs show of an actor, on actors that are good for one thing and only seem good for another. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createService, demoKeys, type Listening, listen, seedsOf } from '../../fixtures/service/index.ts';
import { visit } from '../engine/visit.ts';
import type { Json } from '../model/json.ts';
import { defaultProfile } from '../profile/parse.ts';
import { readActor } from './look.ts';
import type { SeenRuns } from './seen.ts';
import { tryRuns } from './try-runs.ts';

const keys = demoKeys('try-runs');
const uri = { type: 'string', format: 'uri', pattern: '^https?://' };
const schema = (properties: Json): Json => ({
  type: 'object',
  required: Object.keys(properties as object),
  properties,
});

type Actors = NonNullable<NonNullable<Parameters<typeof createService>[0]>['actors']>;
type Run = Actors[number]['run'];
const actor = (name: string, properties: Json, run: Run): Actors[number] => ({
  name,
  title: name,
  description: name,
  inputSchema: schema(properties) as Actors[number]['inputSchema'],
  run,
});

const nothing = { items: [], sources: [] };
const urlsOf = (input: Record<string, unknown>): string[] =>
  Object.values(input).flatMap((each) => (Array.isArray(each) ? each : [each])) as string[];

const readsAll: Run = async (input, work) => {
  const sources = await work.readSources(urlsOf(input));
  return { items: sources.flatMap((each) => (each.state === 'ok' ? [...each.entries] : [])), sources };
};
const readsFirst: Run = async (input, work) => {
  const sources = await work.readSources(urlsOf(input).slice(0, 1));
  return { items: sources.flatMap((each) => (each.state === 'ok' ? [...each.entries] : [])), sources };
};
const hides: Run = async (input, work) => ({ items: [{ read: 1 }], sources: await work.readSources(urlsOf(input)) });

const cases: readonly (readonly [actor: Actors[number], expected: SeenRuns])[] = [
  [
    actor('echoes', { q: { type: 'string', minLength: 1 } }, (input) => ({ items: [input], sources: [] })),
    { clean: { q: expect.any(String) }, echo: { q: '{{nonce}}' } } as SeenRuns,
  ],
  [
    actor('counts', { q: { type: 'string', minLength: 1 } }, () => ({ items: [{ n: 1 }], sources: [] })),
    { clean: { q: expect.any(String) } } as SeenRuns,
  ],
  [
    actor('reads-two', { page_url: uri, feed_url: uri }, readsAll),
    { sources: { page_url: '{{source.ok}}', feed_url: '{{source.ok2}}' } },
  ],
  // It does not read the second address: with it, the service would be accused of not noticing that the address fails.
  [
    actor('reads-one', { page_url: uri, callback_url: uri }, readsFirst),
    { sources: { page_url: '{{source.ok}}', callback_url: expect.stringContaining('http') } } as SeenRuns,
  ],
  [
    actor('takes-the-first', { urls: { type: 'array', items: uri, minItems: 1 } }, readsFirst),
    { sources: { urls: ['{{source.ok}}'] } },
  ],
  [actor('hides', { url: uri }, hides), { reads: true, failed: expect.stringMatching(/^50[24]/) } as SeenRuns],
  [
    actor('names-urls', { url: uri }, (input) => ({ items: [input], sources: [] })),
    { clean: { url: expect.any(String) } } as SeenRuns,
  ],
  [
    actor('crashes', { q: { type: 'string' } }, () => {
      throw new Error('x');
    }),
    { failed: expect.stringMatching(/^500/) } as SeenRuns,
  ],
  [
    { ...actor('scales', { n: { type: 'integer' } }, () => nothing), tier: 'pro' },
    { clean: { n: expect.any(Number) }, refusedTo: 'limited' } as SeenRuns,
  ],
];

let service: Listening;
beforeAll(async () => {
  service = await listen(
    createService({ keys: seedsOf(keys), upstreamTimeoutMs: 300, actors: cases.map(([each]) => each) }),
  );
});
afterAll(() => service.close());

test.each(cases.map(([{ name }, expected]) => [name, expected] as const))('%s', async (name, expected) => {
  const env = { TOUCHSTONE_API_KEY: keys.entitled.key, TOUCHSTONE_RESTRICTED_KEY: keys.free.key };
  const profile = defaultProfile({ address: service.url, env });
  const runs = await visit(profile, {}, async (it) => {
    const [main, limited] = it.session.subject.keys;
    const seen = await readActor(it, name, main);
    const found = await tryRuns(it, seen, { main: main!, limited: limited! });
    expect(it.exchanges.filter(({ request }) => request.method === 'POST').length).toBeLessThanOrEqual(5);
    return found;
  });
  expect(runs).toEqual(expected);
});
