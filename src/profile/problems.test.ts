import { expect, test } from 'vitest';
import { parseProfile } from './parse.ts';
import { ProfileError } from './problems.ts';

const env = { AES_KEY: 'vk_live_one', ADMIN: 'adm-three', PLAIN: 'no-prefix', PORT: 'x' };
const readFile = (path: string): string => {
  throw Object.assign(new Error(path), { code: 'ENOENT' });
};

/** § stands for a dollar, which template strings would take for their own. */
const read = (text: string): unknown =>
  parseProfile(text.replaceAll('§', '$'), { source: 'touchstone.yaml', env, readFile });

function problems(text: string): string[] {
  try {
    read(text);
  } catch (error) {
    if (!(error instanceof ProfileError)) throw error;
    return error.problems.map(({ line, column, path, message }) => {
      const where = line === undefined ? '' : `${line}:${column} `;
      return `${where}${path === '' ? '' : `${path}: `}${message.replaceAll('$', '§')}`;
    });
  }
  return [];
}

const at = 'address: http://a:1\n';
const key = '"§{env:AES_KEY}"';
const admin = 'token: "§{env:ADMIN}"';
const literal =
  'a secret must not be here in plain text: write "§{env:NAME}" or "§{file:PATH}"; if it protects nothing, put `test: true` next to it';

const cases: Record<string, readonly [text: string, ...expected: string[]]> = {
  'an empty file': ['', 'the profile is empty: it needs at least `address`'],
  'only comments': ['# address: x\n', 'the profile is empty: it needs at least `address`'],
  'a list': ['- a', 'a profile is a mapping (`address: …` and so on), got a list'],
  'no address': [
    'strict: true',
    '1:1 address: `address` is missing: the base address of the service, here or on the command line; or `target`, to start it',
  ],
  'not http': ['address: ftp://a', '1:10 address: must begin with http:// or https://'],
  credentials: ['address: http://u:p@a', '1:10 address: must not contain credentials'],
  'a query': ['address: http://a/?', '1:10 address: must not have a query'],
  'the version': [
    'address: http://a/x/v1/',
    '1:10 address: must not end with /v1: every path of the specification begins with it already',
  ],
  'a name twice': [`${at}address: b`, '2:1 this name is here twice'],
  'an unknown tag': [`${at}strict: !!js/function x`, '2:9 unresolved tag: tag:yaml.org,2002:js/function'],
  'unquoted references': [
    `${at}keys: { a: §{env:A} }`,
    '2:13 unexpected flow-map-start at node end; put {{…}} and §{…} in quotes',
  ],
  'unquoted templates': [
    `${at}actors: { echo: { name: a, input: { t: {{nonce}} } } }`,
    '2:41 a name must be text; put {{…}} and §{…} in quotes',
  ],
  'an alias that contains itself': [`${at}tiers: &a [*a]`, '2:12 tiers[0]: contains itself'],
  'half a character': [
    `${at}actors: { clean: { name: "\\ud800" } }`,
    '2:26 actors.clean.name: expected the name of an actor, of whole characters, got "\\ud800"',
  ],
  'an unknown field': [`${at}adress: x`, '2:1 adress: unknown field; did you mean `address`?'],
  'an unknown role': [`${at}actors: { claen: { name: a } }`, '2:11 actors.claen: unknown field; did you mean `clean`?'],
  'a mistyped value': [
    `${at}keys:\n  a: { value: ${key}, role: restrict }`,
    '3:39 keys.a.role: expected `entitled` or `restricted`, got "restrict"; did you mean `restricted`?',
  ],
  'a field inside a list': [
    `${at}actors: { clean: [{ nam: a }] }`,
    '2:19 actors.clean[0].name: `name` is missing: expected the name of an actor',
    '2:21 actors.clean[0].nam: unknown field; did you mean `name`?',
  ],
  'a secret in plain text': [`${at}keys: { a: { value: vk_live_x } }`, `2:21 keys.a.value: ${literal}`],
  'several secrets in plain text': [
    `${at}keys: { a: vk_live_x, b: { value: vk_live_y } }`,
    `2:12 keys.a: ${literal}; the same holds for keys.b.value`,
  ],
  'another secret in plain text': [
    `${at}disabled: { address: "http://b", key: vk_live_x }`,
    `2:39 disabled.key: ${literal}`,
  ],
  'a secret as a shell would write it': [
    `${at}keys: { a: §AES_KEY }`,
    '2:12 keys.a: write "§{env:AES_KEY}" for the environment variable AES_KEY',
  ],
  'a default for a secret': [
    `${at}admin: { token: "§{env:NO:-abc}" }`,
    '2:17 admin.token: the default of a secret is here in plain text: remove it, or put `test: true` next to it',
  ],
  'a variable that is not set': [
    `${at}keys: { a: "§{env:AES_KYE}" }`,
    '2:12 keys.a: the environment variable AES_KYE is not set; did you mean `AES_KEY`?',
  ],
  'a file that is not there': [
    `${at}keys: { a: "§{file:gone}" }`,
    '2:12 keys.a: the file gone cannot be read: there is no such file',
  ],
  'a key without prefix': [
    `${at}keys: { a: "§{env:PLAIN}" }`,
    '2:12 keys.a: begins with neither vk_live_ nor vk_test_, the only prefixes of the specification',
  ],
  'one value twice': [`${at}keys: { a: ${key}, b: ${key} }`, '2:33 keys.b: has the same value as keys.a'],
  'a reserved name': [
    `${at}keys: { admin-token: ${key} }`,
    '2:9 keys.admin-token: a name here is letters, digits, `_`, `.` and `-`, at most 64, and not one of ours',
  ],
  'a prototype': [`${at}keys: { __proto__: ${key} }`, '2:9 keys.__proto__: is not a valid name of a key'],
  'an invalid tier': [
    `${at}tiers: [free, pro]\nkeys: { a: { value: ${key}, tier: pr0 } }`,
    '3:45 keys.a.tier: `pr0` is not one of `tiers`; did you mean `pro`?',
  ],
  'an unknown template': [
    `${at}actors: { clean: { name: a, input: { x: ["{{source.okay}}"] } } }`,
    '2:42 actors.clean.input.x[0]: {{source.okay}} is not a template; write {{source.ok}}',
  ],
  'braces of another template language': [
    `${at}actors: { clean: { name: a, input: { x: "Dear {{ who }}" } } }`,
    '2:41 actors.clean.input.x: {{who}} is not a template; known: nonce, source.ok, source.ok2, source.slow, source.broken; to send these braces, double them: {{{{who}}}}',
  ],
  'an echo without nonce': [
    `${at}actors: { echo: { name: a, input: { x: 1 } } }`,
    '2:28 actors.echo.input: the input of an echo actor must contain {{nonce}}: it shows to which request the items belong',
  ],
  'sources without input': [
    `${at}actors: { sources: { name: a } }`,
    '2:11 actors.sources: the input of a sources actor must contain {{source.ok}}: it is the address that the actor reads',
  ],
  'a key that is not there': [
    `${at}keys: { main: ${key} }\nactors: { restricted: { name: a, restricted: mian } }`,
    '3:46 actors.restricted.restricted: there is no key `mian`; did you mean `main`?',
  ],
  'an invalid pointer': [
    `${at}actors: { clean: { name: a, schema_at: data } }`,
    '2:40 actors.clean.schema_at: expected a JSON Pointer such as /data/schema, got "data"',
  ],
  'operations without token': [
    `${at}admin: { list: {} }`,
    '2:1 admin.token: `token` is missing: no operation works without it',
  ],
  'a record without identifier': [
    `${at}admin: { ${admin}, create: {}, revoke: {} }`,
    '2:45 admin.revoke: `revoke` needs the identifier of a record: point to it with `admin.create.id`',
  ],
  'a record that is not named': [
    `${at}admin: { ${admin}, revoke: { path: /v1/x } }`,
    '2:33 admin.revoke: `revoke` must name the record: put {id} into its path, query or body',
  ],
  'an unknown placeholder': [
    `${at}admin: { ${admin}, list: { query: { a: "{key}" } } }`,
    '2:53 admin.list.query.a: {key} is not a placeholder; known: {id}, {tier}, {environment}, {features}',
  ],
  'a header of ours': [`${at}headers: { x-api-key: a }`, '2:12 headers.x-api-key: is written by Touchstone itself'],
  'the same instance twice': [
    `${at}disabled: { address: "http://a:1/" }`,
    '2:22 disabled.address: is the address of the main instance: one instance cannot be both',
  ],
  'an invalid duration': [
    `${at}bounds: { timeout: 10 sec }`,
    '2:20 bounds.timeout: expected a duration such as 250ms, 10s, 2m or 1h, at most 24h, got "10 sec"',
  ],
  'a value from outside, unshown': [
    `${at}sources: { port: "§{env:PORT}" }`,
    '2:18 sources.port: expected a port from 0 to 65535, got "§{env:PORT}"',
  ],
  'a source without token': [
    `${at}sources: { body: abc }`,
    '2:18 sources.body: must contain {{token}}, which shows to which request the items belong',
  ],
};

test.each(Object.entries(cases))('%s is refused where it stands', (_, [text, ...expected]) => {
  expect(problems(text)).toEqual(expected);
});

test('everything is reported at once, in the order of the text, and the message begins with a place', () => {
  const text = `address: ftp://x
keys:
  a: { value: 1, rol: x }
concurrency: 0
actors: { echo: { name: b } }
`;
  expect(problems(text).map((each) => each.split(' ')[0])).toEqual(['1:10', '3:15', '3:18', '4:14', '5:11']);
  expect(() => read(text)).toThrow(/^touchstone\.yaml:1:10: address: must begin/);
  expect(() => read(text)).toThrow(/\n5 problems in touchstone\.yaml$/);
});

test.each([
  'a: [',
  'address: "x\nb: 1',
  '\taddress: x',
  'a: b: c',
  'a: 1\n---\nb: 2',
  'a: *b',
  `a: ${'['.repeat(5000)}`,
])('broken syntax is a ProfileError: %j', (text) => {
  expect(problems(text).length).toBeGreaterThan(0);
});

test('aliases cannot multiply without bound', () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
  for (let i = 1; i < 9; i++)
    lines.push(
      `a${i}: &a${i} [${Array(10)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
    );
  expect(problems(lines.join('\n'))[0]).toContain('Excessive alias count');
});
