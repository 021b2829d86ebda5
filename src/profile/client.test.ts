import { describe, expect, it } from 'vitest';
import { parseProfile } from './parse.ts';
import { usualClient } from './profile-client.ts';

const read = (text: string) =>
  parseProfile(text, {
    source: 'touchstone.yaml',
    env: { NAME: 'from outside' },
    readFile: () => {
      throw new Error('no file');
    },
  });

describe('a client in a profile', () => {
  it('needs a command and nothing else, not even an address', () => {
    const { client, origin } = read('client: { command: [node, run.mjs] }');
    expect(origin).toBe('');
    expect(client).toMatchObject({ command: ['node', 'run.mjs'], folder: '.', ...usualClient });
  });

  it('describes its inputs and how it reports', () => {
    const { client } = read(`
client:
  command: [python, run.py, "--base={base}"]
  env: { KEY: "{key}", OTHER: "\${env:NAME}" }
  stdin: "{input}"
  says: { complete: { exit: 0, output: '"ok"' }, failed: { exit: [1, 70] } }
  within: 5s
  actor: other
  input: { a: 1 }
`);
    expect(client).toMatchObject({
      env: { KEY: '{key}', OTHER: 'from outside' },
      stdin: '{input}',
      says: [
        { outcome: 'complete', when: { exit: [0], output: '"ok"' } },
        { outcome: 'failed', when: { exit: [1, 70] } },
      ],
      withinMs: 5000,
      actor: 'other',
      input: { a: 1 },
    });
  });

  it.each([
    ['client: {}', /client\.command/],
    ['client: { command: node run.mjs }', /client\.command/],
    ['client: { command: [a], says: { complete: { output: "(" } } }', /client\.says\.complete\.output/],
    ['client: { command: [a], says: { complete: {} } }', /client\.says\.complete/],
    ['client: { command: [a], says: { failed: { exit: 256 } } }', /client\.says\.failed\.exit/],
    ['client: { command: [a], within: soon }', /client\.within/],
    ['client: { command: [a], enviroment: {} }', /client\.enviroment|env/],
  ])('%s is refused where it is wrong', (text, where) => {
    expect(() => read(text)).toThrow(where);
  });
});
