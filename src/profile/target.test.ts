import { expect, test } from 'vitest';
import { Secret } from '../model/secret.ts';
import { parseProfile } from './parse.ts';

const env = { TOKEN: 'a-token-of-the-admin', PORT: '8080' };
const parse = (text: string, more: { address?: string; target?: { [key: string]: string[] } } = {}) =>
  parseProfile(text, { source: 'p.yaml', env, readFile: () => '', ...more });

test('a command, with what stays secret and what does not', () => {
  const { target, origin, basePath } = parse(`
target:
  command: [./service, --port, "{port}"]
  env: { ADMIN: "\${env:TOKEN}", MODE: fast, HOME: null }
  base: /api/
  ready: { path: /health, status: 204, within: 5s }
  stop: 2s
  store: { path: data }
`);
  expect([origin, basePath]).toEqual(['', '/api']);
  expect(target).toEqual({
    kind: 'command',
    command: ['./service', '--port', '{port}'],
    shell: false,
    env: { ADMIN: new Secret('env:ADMIN', 'a-token-of-the-admin'), MODE: 'fast', HOME: null },
    https: false,
    ready: { path: '/health', status: [204], withinMs: 5000 },
    stopMs: 2000,
    restart: true,
    store: { from: { path: 'data' }, here: false },
  });
  expect(JSON.stringify(target)).not.toContain(env.TOKEN);
});

test('a container and a compose project', () => {
  expect(parse('target: { container: "a:1", memory: 2GiB, cpus: 1.5, port: "${env:PORT}" }').target).toMatchObject({
    kind: 'container',
    image: 'a:1',
    memoryBytes: 2 ** 31,
    cpus: 1.5,
    port: 8080,
    ready: { path: '/v1/auth/verify', withinMs: 60_000 },
  });
  const compose = 'target: { compose: c.yaml, service: web, port: 80, restart: [web], second: { env: { T: null } } }';
  expect(parse(compose).target).toMatchObject({ file: 'c.yaml', restart: ['web'], second: { env: { T: null } } });
});

test.each<[string, string]>([
  ['{}', 'target: names nothing to start: set exactly one of command, container and compose'],
  ['{ command: [a, "{port}"], container: b }', 'target: is command and container at once'],
  ['{ command: [a] }', 'target.command: its port is unknown'],
  ['{ command: "a {port}" }', 'target.command: is a single text, which only a shell understands'],
  ['{ command: [a, "{port}"], shell: true }', 'target.command: is a list, but a shell needs a single text'],
  ['{ command: [a, "{port}"], port_in_output: "(.*)" }', 'target.port_in_output: the port is set already'],
  ['{ command: [a], port_in_output: "port" }', 'must be a regular expression with a group'],
  ['{ command: [a], port_in_output: "(" }', 'must be a regular expression with a group'],
  ['{ command: [a, "{port}"], memory: 1GB }', 'target.memory: has no effect for a command: it is for a container'],
  [
    '{ command: [a, "{port}", "${env:TOKEN}"] }',
    'target.command[2]: a value from outside must not be on a command line',
  ],
  ['{ container: a, arguments: ["${env:TOKEN}"] }', 'target.arguments[0]: a value from outside'],
  ['{ container: a, shell: true }', 'target.shell: has no effect for a container'],
  ['{ container: a, memory: 1kB }', 'expected a size such as 512MB or 2GiB, at least 6MB'],
  ['{ container: a, restart: [web] }', 'a container has no services to choose from'],
  ['{ container: a, store: { path: data } }', 'target.store.path: is inside the container, so it must begin with /'],
  ['{ container: a, store: {} }', 'target.store: set one of `path` and `command`'],
  ['{ container: a, env: { "A B": c } }', 'is not a valid name of a variable'],
  ['{ container: a, env: { A: 1 } }', 'put numbers in quotes'],
  ['{ container: a, ready: { path: health } }', 'expected a path that begins with /'],
  ['{ container: a, second: true }', 'expected false, or a mapping with `env`'],
  ['{ compose: a }', 'target.service: `service` is missing'],
  ['{ compose: a }', 'target.port: `port` is missing'],
  ['{ comand: [a] }', 'unknown field; did you mean `command`?'],
])('target: %s is refused', (target, says) => {
  expect(() => parse(`target: ${target}`)).toThrow(says);
});

test('what contradicts a target', () => {
  expect(() => parse('address: http://a\ntarget: { container: a }')).toThrow('address: the run starts the target');
  const both = 'target: { container: a, second: false }\ndisabled: { address: "http://a" }';
  expect(() => parse(both)).toThrow('disabled: is the second instance, and so is `target.second`');
  expect(() => parse('keys: {}')).toThrow('or `target`, to start it');
});

test('the command line wins: an address over a target, a target over both', () => {
  const text = 'target: { command: ["${env:NOT_SET}"] }';
  expect(parse(text, { address: 'http://a:1' })).toMatchObject({ origin: 'http://a:1' });
  expect(parse(text, { address: 'http://a:1' }).target).toBeUndefined();
  expect(parse('address: http://a', { target: { command: ['x', '{port}'] } }).target).toMatchObject({
    command: ['x', '{port}'],
  });
});

test('two places of one profile have one digest', () => {
  const at = (folder: string) =>
    parseProfile('target: { container: a }', { source: 'p', env, folder, readFile: () => '' });
  expect(at('/one').digest).toBe(at('/two').digest);
  expect(at('/one').digest).not.toBe(parse('target: { container: b }').digest);
});
