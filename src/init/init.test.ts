import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { Exchange } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import { parseProfile } from '../profile/parse.ts';
import { isPackage, pipelineFile, pipelines, variablesIn, waiversText } from './files.ts';
import { profileText } from './profile-text.ts';
import type { Seen, SeenActor } from './seen.ts';
import { adminState, limitsOf, namesIn, signsOf, tame } from './signs.ts';
import { withNonce, withSources } from './templated.ts';

const exchange = (status: number, body: Json, headers: readonly [string, string][] = []): Exchange => ({
  id: 1,
  purpose: 'setup',
  instance: 'main',
  request: { method: 'GET', target: '/', head: '', headers: [] },
  response: { status, head: '', headers, body: { text: JSON.stringify(body), bytes: 1 } },
  at: { sent: 0, end: 1 },
  connection: { number: 1, use: 1 },
});
const error = (status: number) => exchange(status, { error: 'e', detail: 'd' });

describe('the profile text', () => {
  const nothing: Seen = {
    address: 'http://a:1/base',
    signs: ['x'],
    first: '401',
    keys: [],
    actors: [],
    listed: [],
    admin: 'unsure',
    codes: [],
    limits: { refused: 0, waitedMs: 0, told: [], near: false },
  };
  const read = (seen: Seen, env: Record<string, string> = {}) =>
    parseProfile(profileText(seen), {
      source: 'touchstone.yaml',
      env,
      readFile: (path) => {
        throw new Error(`the profile must not read ${path}`);
      },
    });

  test('of a service of which nothing is known is a profile', () => {
    expect(read(nothing)).toMatchObject({ origin: 'http://a:1', basePath: '/base', keys: [], actors: [] });
  });

  test('says back what was seen, whatever characters it has', () => {
    const strange = 'a: b # c "d" \\ \u2028 é \u0085 - [*]';
    const input = { [strange]: strange, deep: [{ n: 1e300, t: true, z: null }] };
    const actor: SeenActor = { name: strange, schemaAt: '', input, runs: { clean: input } };
    const key = { name: 'main', variable: 'K', role: 'entitled', works: true, tier: "pro: 'x' #" } as const;
    const profile = read({ ...nothing, actors: [actor], keys: [key] }, { K: 'vk_live_0123456789' });
    expect(profile.keys[0]).toMatchObject({ name: 'main', tier: "pro: 'x' #" });
    expect(profile.actors).toEqual([{ name: strange, role: 'clean', input }]);
  });

  test('lets no service reach into our files and environment', () => {
    const input = { text: '${file:/etc/passwd} ${env:HOME} $${env:HOME}' };
    const actor: SeenActor = { name: 'a', schemaAt: '', input, runs: { clean: input } };
    const profile = read({ ...nothing, actors: [actor] }, { HOME: '/root' });
    expect(profile.actors[0]?.input).toEqual(input);
  });

  test('keeps what a service says inside its comments', () => {
    const came = 'x\nkeys: { main: vk_live_x }\r\u2028admin: {}\u001b[2J';
    const text = profileText({
      ...nothing,
      listed: [came],
      actors: [{ name: 'a', came }],
      limits: { refused: 1, waitedMs: 5, told: [came], near: true },
    });
    expect(Object.keys(parse(text))).toEqual(['address', 'concurrency', 'bounds']);
    expect(text).not.toContain('\u001b');
  });
});

describe('inputs with templates', () => {
  const schema = (properties: Json, required: string[] = []): Json => ({ type: 'object', properties, required });
  const text = { type: 'string' };

  test.each<[string, Json, Json, Json | undefined]>([
    ['free text', schema({ q: text }, ['q']), { q: 'x' }, { q: '{{nonce}}' }],
    ['not where the schema says which', schema({ q: { enum: ['x'] } }, ['q']), { q: 'x' }, undefined],
    ['not in a pattern', schema({ q: { type: 'string', pattern: '^[A-Z]{2}$' } }), { q: 'NL' }, undefined],
    ['not where an address goes', schema({ url: text }, ['url']), { url: 'x' }, undefined],
    ['deep inside', schema({ a: { type: 'array', items: text } }), { a: ['x'] }, { a: ['{{nonce}}'] }],
    ['in an optional member', schema({ note: text }), {}, { note: '{{nonce}}' }],
    ['nowhere', schema({ n: { type: 'integer' } }), { n: 1 }, undefined],
  ])('a nonce: %s', (_, of, input, expected) => {
    expect(withNonce(of, input)).toEqual(expected);
  });

  const urls = { type: 'array', items: { type: 'string', format: 'uri' }, minItems: 1 };
  test.each<[string, Json, Json, Json | undefined]>([
    [
      'a list takes two',
      schema({ urls }, ['urls']),
      { urls: ['http://127.0.0.1:9/'] },
      { urls: ['{{source.ok}}', '{{source.ok2}}'] },
    ],
    ['a list of one', schema({ urls: { ...urls, maxItems: 1 } }), { urls: ['http://x/'] }, { urls: ['{{source.ok}}'] }],
    ['by its name', schema({ feedUrl: text }, ['feedUrl']), { feedUrl: 'abc' }, { feedUrl: '{{source.ok}}' }],
    ['by its value', schema({ where: text }, ['where']), { where: 'https://x/' }, { where: '{{source.ok}}' }],
    [
      'two of them',
      schema({ a_url: text, b_url: text }),
      { a_url: 'x', b_url: 'y' },
      { a_url: '{{source.ok}}', b_url: '{{source.ok2}}' },
    ],
    ['optional', schema({ links: { type: 'array', items: text } }), {}, { links: ['{{source.ok}}', '{{source.ok2}}'] }],
    ['none', schema({ curl: text }, ['curl']), { curl: 'hair' }, undefined],
  ])('sources: %s', (_, of, input, expected) => {
    expect(withSources(of, input)).toEqual(expected);
  });
});

describe('signs', () => {
  const html = { ...exchange(200, ''), response: { ...exchange(200, '').response!, body: { text: '<p>', bytes: 3 } } };

  test('of such a service, one of which is enough', () => {
    expect(signsOf({ keyless: html, unknownActor: html, verified: html })).toEqual([]);
    expect(signsOf({ keyless: exchange(404, { error: 'x' }), unknownActor: exchange(404, {}) })).toEqual([]);
    expect(signsOf({ keyless: html, unknownActor: html, verified: exchange(200, { valid: true }) })).toHaveLength(1);
    expect(signsOf({ keyless: error(401), unknownActor: html })).toHaveLength(1);
    expect(signsOf({ keyless: html, unknownActor: error(404) })).toHaveLength(1);
  });

  test('of the admin interface', () => {
    expect(adminState(error(401), exchange(200, []), error(404))).toBe('open');
    expect(adminState(error(401), error(401), error(404))).toBe('refuses');
    expect(adminState(error(404), undefined, error(404))).toBe('disabled');
    // A gateway that answers everything in one way proves nothing.
    expect(adminState(error(401), undefined, error(401))).toBe('unsure');
    expect(adminState(exchange(200, {}), undefined, error(404))).toBe('unsure');
  });

  test('of limits', () => {
    const left = (count: string) => limitsOf([exchange(200, {}, [['X-RateLimit-Remaining', count]])], 0);
    expect(left('5000')).toMatchObject({ near: false, told: ['x-ratelimit-remaining: 5000'] });
    expect(left('3').near).toBe(true);
    expect(limitsOf([error(429)], 1200.4)).toEqual({ refused: 1, waitedMs: 1200, told: [], near: true });
    expect(limitsOf([exchange(200, {})], 0)).toEqual({ refused: 0, waitedMs: 0, told: [], near: false });
  });

  test('names that a service lists, in whatever it lists them', () => {
    expect(namesIn(exchange(200, ['a', 'b', 'a']))).toEqual(['a', 'b']);
    expect(namesIn(exchange(200, { actors: [{ name: 'a' }, { id: 'b' }, 3, { name: 'x\ny' }] }))).toEqual(['a', 'b']);
    expect(namesIn(exchange(404, ['a']))).toEqual([]);
    expect(namesIn(html)).toEqual([]);
    expect(
      namesIn(
        exchange(
          200,
          Array.from({ length: 999 }, (_, at) => `n${at}`),
        ),
      ),
    ).toHaveLength(50);
  });

  test('in one line of visible characters', () => {
    expect(tame('a\n\u001b[31mb\u202e')).toBe('a [31mb');
    expect(tame('x'.repeat(500))).toHaveLength(160);
  });
});

describe('what is written beside the profile', () => {
  test('waivers: none, and an example that only lacks its signs', () => {
    expect(parse(waiversText())).toEqual({ waivers: [] });
    const example = waiversText()
      .split('\n')
      .filter((line) => /^# {1,4}(?:waivers:| {2}- | {2,})/.test(line))
      .map((line) => line.slice(2));
    expect(parse(example.join('\n'))).toEqual({
      waivers: [
        expect.objectContaining({
          rule: 'run.keep-alive',
          expectation: 'fail',
          expires: '2027-01-31',
          issue: 'OPS-1234',
        }),
      ],
    });
  });

  test.each(pipelines)('a pipeline for %s passes keys by name only', (kind) => {
    const { text, remaining } = pipelineFile(kind, ['K_ONE', 'K_TWO']);
    expect(text + remaining).toContain('K_ONE');
    expect(text).toMatch(/npx --yes --package=\.\/touchstone-\d+\.\d+\.\d+\.tgz -- touchstone check/);
    expect(remaining).toContain('npm pack');
    const published = pipelineFile(kind, [], 'touchstone@1.2.3');
    expect(published.text).toContain('--package=touchstone@1.2.3 -- touchstone check');
    expect(published.remaining).not.toContain('npm pack');
    if (kind !== 'jenkins') expect(parse(text)).toBeTypeOf('object');
  });
});

test('a package is a version, a file or an address, and nothing that a shell would read', () => {
  for (const yes of [
    'touchstone@1.2.3',
    './touchstone-1.2.3.tgz',
    'https://packages.example/touchstone-1.2.3.tgz',
    '@acme/touchstone',
  ])
    expect(isPackage(yes), yes).toBe(true);
  for (const no of ['', '-x', '--registry=x', 'a b', '$(x)', "a'b", 'a;b', 'a\nb'])
    expect(isPackage(no), no).toBe(false);
});

test('the variables of a profile are those of its lines, not of its comments', () => {
  const text =
    'keys:\n  main: "${env:MAIN}"\n  # other: "${env:NOT}"\n  b: { value: "${env:B_2}" }   # ${env:NOR}\n  c: "${env:MAIN}"\n  d: "${env:D:-x}"\n';
  expect(variablesIn(text)).toEqual(['MAIN', 'B_2']);
});
